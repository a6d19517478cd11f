-- Writer of every table in this file: projector. All of it is a fold of the log and can be made again from it.

create table fold_cursor (
    name            text primary key,
    stream_created  text not null,
    seq             bigint not null
);

create table event (
    position bigint generated always as identity,  -- order of the fold, over all logs there ever were
    seq     bigint not null,                   -- sequence in the log it was read from
    id      text primary key,
    run     text,
    thread  integer,
    type    text not null,
    late    boolean not null,                  -- archived, but it changed nothing
    body    text not null
);
create unique index event_position on event (position);
create index event_run on event (run, position);
create index event_life on event (run, position) where thread is null;

create table fence (
    one     boolean primary key default true check (one),
    leader  bigint not null
);

create table run_view (
    run                text primary key,
    kind               text not null,
    name               text not null,
    config             text not null,
    config_version     integer not null,
    mode               text not null,
    snapshot           text not null,
    target             bigint not null,
    seed               bigint not null,
    lanes              integer not null,
    status             text not null,
    reason             text not null,
    detail             text not null,
    epoch              integer not null,
    estimate_micro     bigint,
    expected_accepted  double precision,
    spend_cap_micro    bigint,
    distinct3_floor    double precision,
    not_before         timestamptz,
    planned_at         timestamptz not null,
    started_at         timestamptz,
    ended_at           timestamptz,
    generated          bigint not null,
    accepted           bigint not null,
    rejected           bigint not null,
    failed             bigint not null,
    cancelled          bigint not null,
    opened             integer not null,       -- threads with at least one step
    closed             integer not null,       -- threads that are through
    blocked_reason     text not null,
    blocked_detail     text not null,
    seq                bigint not null,
    check (accepted + rejected + failed + cancelled <= target)
);
create index run_view_newest on run_view (planned_at desc, run desc);

create table thread (
    run         text not null,
    thread      integer not null,
    phase       text not null,
    epoch       integer not null,
    not_before  timestamptz,
    at          timestamptz not null,          -- when its last event was made
    seq         bigint not null,
    state       jsonb not null,
    primary key (run, thread)
);
create index thread_due on thread (run, seq) where phase = 'due';
create index thread_waiting on thread (run, epoch) where phase = 'waiting';

create table conversation (
    id            text primary key,
    run           text not null,
    thread        integer not null,
    number        integer not null,
    status        text not null,
    reason        text not null,
    layer         smallint,
    hit           jsonb,
    also          jsonb not null,
    detail        text not null,
    score         double precision,
    criteria      jsonb not null,
    persona       text not null,
    voice         text not null,
    planned_turns integer not null,
    turns         integer not null,
    words         integer not null,
    preview       text not null,
    cost_micro    bigint not null,
    unknown_calls integer not null,
    created_at    timestamptz not null,
    settled_at    timestamptz,
    seq           bigint not null,             -- position of the last event that changed it
    settled_seq   bigint
);
create index conversation_run on conversation (run, seq desc);
create index conversation_status on conversation (run, status, settled_seq desc);
create index conversation_reason on conversation (run, reason, settled_seq desc) where reason <> '';
create index conversation_newest on conversation (created_at desc, id desc);

create table turn (
    conversation  text not null,
    number        integer not null,
    role          text not null,
    body          text not null,
    finish        text not null,               -- why the model stopped: stop, length, content_filter
    primary key (conversation, number)
);

create table accepted_signature (
    conversation  text primary key,
    run           text not null,
    bands         integer[] not null,
    position      bigint generated always as identity  -- order of acceptance
);
create index accepted_signature_newest on accepted_signature (run, position);
create index accepted_signature_bands on accepted_signature using gin (bands) with (fastupdate = off);

create table reject_count (
    run         text not null,
    reason      text not null,
    layer       smallint not null,
    precedence  integer not null,
    n           bigint not null,
    primary key (run, reason)
);

create table run_cost (
    run             text not null,
    role            text not null,
    backend         text not null,
    model           text not null,
    calls           bigint not null,
    failed_calls    bigint not null,
    unknown_calls   bigint not null,           -- nobody knows what was billed: worker died, cut, timed out
    unpriced_calls  bigint not null,           -- the model has no price
    estimated_calls bigint not null,           -- usage counted by convo because the provider gave none
    input_tokens    bigint not null,
    cached_tokens   bigint not null,
    output_tokens   bigint not null,
    reasoning_tokens bigint not null,
    cost_micro      bigint not null,           -- known cost
    unknown_micro   bigint not null,           -- worst case of the unknown calls, not part of cost_micro
    latency_ms      bigint not null,
    primary key (run, role, backend, model)
);

create table run_minute (
    run       text not null,
    minute    timestamptz not null,
    accepted  bigint not null,
    rejected  bigint not null,
    failed    bigint not null,
    primary key (run, minute)
);

create table announced_rules (
    one    boolean primary key default true check (one),
    rules  jsonb not null,
    seq    bigint not null
);
