-- Writer of every table in this file: projector.

-- Everything that a judge was asked about a conversation, one row a step: samples, tries, comparisons, rechecks.
create table judgement (
    conversation   text not null,
    step           integer not null,
    run            text not null,
    purpose        text not null,              -- verdict, comparison, recheck
    seat           integer not null,           -- 0 is the model of the role, the panel follows
    sample         integer not null,
    judge          text not null,              -- backend/model; empty until it answered
    state          text not null,              -- asked, scored, compared, or the way in which there was no answer
    score          double precision,
    better         text not null,              -- comparison: candidate, reference, tie
    criteria       jsonb not null,
    why            text not null,              -- comparison: the reason
    reason         text not null,              -- layer 0 code, where there was no answer
    detail         text not null,
    note           text not null,              -- an overall verdict of the judge's own that contradicts its scores
    cached_from    text not null,              -- conversation whose verdict was taken from the cache
    avoided_micro  bigint,                     -- what that call would have cost
    at             timestamptz not null,
    seq            bigint not null,
    primary key (conversation, step)
);

-- Verdicts that may serve a later request that is the same. A fixed number of places, see convo_events.verdict_cache.
create table judge_cache (
    slot          integer primary key,
    request       text not null,               -- hash of the request
    conversation  text not null,               -- its row in judgement has the verdict
    step          integer not null,
    usage         jsonb,                       -- tokens of the call that was paid for; null where not known
    seq           bigint not null
);

-- What comparing conversations with their reference came to, counted at their verdicts.
create table run_comparison (
    run      text not null,
    outcome  text not null,                    -- better, worse, tie, undecided, unparsed
    n        bigint not null,
    primary key (run, outcome)
);

alter table conversation add column tally jsonb;                                  -- where there was more than one answer
alter table run_cost add column cached_verdicts bigint not null default 0;        -- taken from the cache, no call made
alter table run_cost add column avoided_micro bigint not null default 0;          -- what those would have cost
alter table run_cost add column avoided_unpriced bigint not null default 0;       -- cached verdicts without a known cost
