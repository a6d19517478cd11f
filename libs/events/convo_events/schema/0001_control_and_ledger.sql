-- Writer: scheduler. The present will of people about a run. A claim of paid work checks it, so "paused" is a hard line.
create table run_control (
    run         text primary key,
    status      text not null,
    epoch       integer not null,
    snapshot    text not null,
    target      bigint not null,
    lanes       integer not null,
    not_before  timestamptz,
    reason      text not null default '',
    pending     text[] not null default '{}',  -- events decided but perhaps not yet published
    created_at  timestamptz not null default now(),
    changed_at  timestamptz not null default now()
);
create index run_control_live on run_control (status) where status in ('queued', 'running', 'paused', 'cancelling');

-- Writer: scheduler. The fence: decisions of an older leader are void.
create table leader (
    one       boolean primary key default true check (one),
    epoch     bigint not null,
    instance  text not null,
    since     timestamptz not null default now()
);

-- Writer: gateway. Frozen inputs by content.
create table snapshot (
    hash        text primary key,
    body        bytea not null,
    created_at  timestamptz not null default now()
);

-- Writer: gateway. Answers of requests that carry an Idempotency-Key.
create table idempotency (
    key           text primary key,
    request_hash  text not null,
    status        integer,
    answer        bytea,
    created_at    timestamptz not null default now()
);

-- Writer: the call ledger (convo_models.ledger), in whichever service makes the call.
create table model_call (
    step_key     text not null,
    run          text not null,
    thread       integer not null,
    step         integer not null,
    state        text not null check (state in ('started', 'finished', 'open', 'aborted')),
    attempts     integer not null,              -- the last one is the fence: only its owner may settle
    emit         integer not null,              -- request (step.requested) that the last attempt answered
    owner        text not null,
    lease_until  timestamptz not null,
    reserved_micro bigint not null default 0,
    -- The one unique index: with a second, two first claims at once would meet in the one that does not arbitrate.
    primary key (run, thread, step)
);
create index model_call_key on model_call (step_key);
create index model_call_started on model_call (lease_until) where state = 'started';
create index model_call_owner on model_call (owner) where state = 'started';
create index model_call_run on model_call (run) where state = 'started';

-- Writer: the call ledger. One row a request that was, or may have been, sent.
create table model_attempt (
    step_key    text not null,
    attempt     integer not null,
    run         text not null,
    thread      integer not null,
    conversation integer not null,
    step        integer not null,
    role        text not null,
    backend     text not null,
    model       text not null,
    state       text not null check (state in ('started', 'finished', 'failed', 'deferred', 'unknown', 'aborted')),
    worst_micro bigint,
    cost_micro  bigint,
    basis       text,
    usage       jsonb,
    started_at  timestamptz not null default clock_timestamp(),
    ended_at    timestamptz,
    event_id    text,
    event       text,                          -- the outcome as it is (re)published
    primary key (step_key, attempt)
);
create index model_attempt_ended on model_attempt (ended_at) where event_id is not null;
create index model_attempt_place on model_attempt (run, thread, conversation);

-- Writer: the call ledger. Reservations against a run's cap.
create table run_budget (
    run             text primary key,
    cap_micro       bigint not null,
    spent_micro     bigint not null default 0,
    reserved_micro  bigint not null default 0 check (reserved_micro >= 0)
);
