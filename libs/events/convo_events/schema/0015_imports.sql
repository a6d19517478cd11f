-- Writer of every table in this file: gateway (convo_gateway.imports). Conversations that were made elsewhere, staged
-- until a run of mode import takes them through the layers.
create table import_source (
    id          text primary key,
    name        text not null,                 -- of the file, for people
    format      text not null,                 -- jsonl, json or parquet, and how it was compressed
    sha256      text,                          -- of the file as it was sent; null until it is read to its end
    status      text not null check (status in ('reading', 'ready', 'broken')),
    detail      text not null default '',      -- why it is broken
    bytes       bigint not null default 0,
    read        bigint not null default 0,     -- rows, all of them: taken + refused
    taken       bigint not null default 0,
    refused     bigint not null default 0,
    mended      bigint not null default 0,     -- characters that no database holds and that are U+FFFD now
    characters  bigint not null default 0,     -- in the turns that were taken
    turns       bigint not null default 0,
    created_at  timestamptz not null default clock_timestamp(),
    touched_at  timestamptz not null default clock_timestamp(),  -- a reader that is silent for long is gone
    check (read = taken + refused)
);
create unique index import_source_content on import_source (sha256) where status = 'ready';
create index import_source_newest on import_source (created_at desc, id desc);

create table import_row (
    source    text not null references import_source on delete cascade,
    position  bigint not null,                 -- from 0, without gaps: the place in the plan
    row       bigint not null,                 -- in the file, from 1
    content   bytea not null,                  -- hash of roles and texts
    turns     jsonb not null,
    metadata  jsonb not null,
    primary key (source, position)
);
create unique index import_row_content on import_row (source, content);

create table import_problem (
    source   text not null references import_source on delete cascade,
    row      bigint not null,
    code     text not null,
    pointer  text not null,
    message  text not null,
    primary key (source, row)                  -- of the first refused rows; all of them are counted
);

create table import_refusal (
    source  text not null references import_source on delete cascade,
    code    text not null,
    n       bigint not null,
    primary key (source, code)
);
