-- Writer: gateway. A wish: what would a run's verdicts be with other settings? Deleted when it is cancelled or forgotten.
create table replay (
    id          text primary key,
    run         text not null,
    changes     jsonb not null,                -- as they were asked for
    settings    jsonb not null,                -- what they make of the run's own settings
    notes       text[] not null default '{}',  -- what of the changes no replay can show, for people
    created_at  timestamptz not null default clock_timestamp()
);
create index replay_newest on replay (run, created_at desc, id desc);

-- Writer: filters. How far a wish is. Who holds the row works; the fence rises with each holder.
create table replay_work (
    replay       text primary key references replay on delete cascade,
    state        text not null check (state in ('running', 'done', 'failed')),
    owner        text not null,
    fence        integer not null,
    lease_until  timestamptz not null,
    phase        text not null default '',     -- reading, comparing; total and looked_at are of the phase
    total        bigint not null default 0,
    looked_at    bigint not null default 0,
    counts       jsonb,                        -- before and after, by status and by reason; null until done
    problem      text not null default '',     -- why it failed
    began_at     timestamptz not null default clock_timestamp(),
    ended_at     timestamptz
);

-- Writer: filters. The conversations whose verdict differs from the run's record.
create table replay_flip (
    replay       text not null references replay on delete cascade,
    settled_seq  bigint not null,              -- order of the run's own verdicts
    conversation text not null,
    was_status   text not null,                -- of the run's record
    was_reason   text not null,
    was_layer    smallint,
    status       text not null check (status in ('accepted', 'rejected', 'failed', 'unjudged')),
    reason       text not null,
    layer        smallint,
    detail       text not null,
    primary key (replay, settled_seq, conversation)
);

-- Writer: gateway. A replay that was kept under a name, beside the run's own record, which stays as it is.
-- A conversation without a flip has the status, reason, layer and detail of the record.
create table verdict_set (
    id          text primary key,
    run         text not null,
    name        text not null,
    changes     jsonb not null,
    settings    jsonb not null,
    created_at  timestamptz not null default clock_timestamp(),
    settled     bigint not null,               -- conversations that were looked at: the population of the counts
    accepted    bigint not null,
    rejected    bigint not null,
    failed      bigint not null,
    unjudged    bigint not null,               -- would pass the filters, and the judge has never seen them
    flips       bigint not null,
    counts      jsonb not null,                -- before and after, by status and by reason
    unique (run, name),
    check (accepted + rejected + failed + unjudged = settled)
);

-- Writer: gateway. Only what differs from the run's record. Unjudged is neither accepted nor rejected.
create table verdict_set_flip (
    set          text not null references verdict_set on delete cascade,
    conversation text not null,
    status       text not null check (status in ('accepted', 'rejected', 'failed', 'unjudged')),
    reason       text not null,                -- empty where accepted or unjudged
    layer        smallint,
    detail       text not null,
    primary key (set, conversation)
);

-- Settled conversations in the order in which they were settled, for reading a whole run in pages.
create index conversation_settled on conversation (run, settled_seq, id) where settled_seq is not null;
