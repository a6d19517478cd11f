-- Writer: projector. What the corpus is filtered and sorted by, one narrow row a conversation, so that a scan of all of
-- them is a matter of a moment. A fold of the log, like the table `conversation` beside it.

alter table run_view add column language text not null default '';    -- of the config; empty where it was not told

create table corpus (
    id          text primary key,
    run         text not null,
    sample      boolean not null,              -- of a sample run: shown only with its run
    config      text not null,
    mode        text not null,
    language    text not null,
    status      text not null,
    reason      text not null,
    layer       smallint,
    persona     text not null,
    voice       text not null,
    review      text not null,                 -- latest decision of a person; empty for none
    edited      boolean not null,
    turns       integer,                       -- these four are null until the verdict, and where nobody knows
    words       integer,
    score       double precision,
    cost_micro  bigint,
    created_at  timestamptz not null
);

create index corpus_newest on corpus (created_at, id);
create index corpus_run on corpus (run, created_at, id);
create index corpus_config on corpus (config, created_at, id);
create index corpus_reason on corpus (reason, created_at, id) where reason <> '';
create index corpus_persona on corpus (persona, created_at, id);
create index corpus_review on corpus (review, created_at, id) where review <> '';
create index corpus_edited on corpus (created_at, id) where edited;
create index corpus_score on corpus (score, id);
create index corpus_cost on corpus (cost_micro, id);
create index corpus_turns on corpus (turns, id);
create index corpus_length on corpus (words, id);

-- Writer: projector. An index over the turns of what has a verdict, made a moment later; no part of the fold.
create table corpus_words (
    id    text primary key,
    said  tsvector not null                    -- see convo_events.search_words
);
create index corpus_words_said on corpus_words using gin (said);

create table corpus_unread (
    id  text primary key                       -- has a verdict and is not in corpus_words yet
);

create table corpus_count (
    run    text not null,                      -- empty for all runs but samples
    facet  text not null,
    value  text not null,
    n      bigint not null,
    primary key (run, facet, value)
);

insert into corpus
select c.id, c.run, r.kind = 'sample', r.config, r.mode, '', c.status, c.reason, c.layer, c.persona, c.voice, '', false,
       x.turns, x.words, c.score, x.cost_micro, c.created_at
from conversation c join run_view r on r.run = c.run
cross join lateral (
  select case when c.status not in ('open', 'cancelled') then c.turns end as turns,
         case when c.status not in ('open', 'cancelled') and (c.words > 0 or c.turns = 0) then c.words end as words,
         case when c.status not in ('open', 'cancelled') and (c.cost_micro > 0 or c.unknown_calls = 0)
              then c.cost_micro end as cost_micro
) x;

insert into corpus_count (run, facet, value, n)
select g.run, f.facet, f.value, count(*)
from corpus c
cross join lateral (values
  ('status', c.status), ('reason', c.reason), ('layer', coalesce(c.layer::text, '')), ('persona', c.persona),
  ('voice', c.voice), ('review', c.review), ('edited', c.edited::text)) f (facet, value)
cross join lateral (select c.run union all select '' where not c.sample) g (run)
group by 1, 2, 3;

insert into corpus_unread select id from conversation where status not in ('open', 'cancelled');

drop index conversation_newest;                -- lists read the corpus now

-- Writer: gateway (convo_gateway.views). A list of the corpus that somebody gave a name.
create table saved_view (
    id          text primary key,
    name        text not null unique,
    version     integer not null,
    view        jsonb not null,                -- filter, order, columns, density
    created_at  timestamptz not null,
    changed_at  timestamptz not null
);
