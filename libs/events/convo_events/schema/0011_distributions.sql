-- Writer: projector. How alike the accepted conversations of a run are, counted from their text a moment after the fold.

create table run_distribution (
    run          text primary key,
    accepted     bigint not null,            -- conversations that are counted here, in the order of their verdicts
    position     bigint not null,            -- of the last one's verdict in the archive
    window_size  integer not null,           -- the last accepted that distinct3 is taken over, at most 100
    distinct3    double precision,           -- null where they have no word 3-gram
    grams        bigint[] not null,          -- word n-grams of all of them, for n = 1, 2, 3
    sketches     bytea not null,             -- of the different ones: three HyperLogLog sketches of the same size
    lengths      jsonb not null,             -- role to words a turn
    openings     jsonb not null,             -- role to the first words of its first turn
    sample       text[] not null             -- some accepted conversations, each as likely as any other
);

create table distribution_cursor (
    one       boolean primary key default true check (one),
    position  bigint not null                -- of the last verdict that is counted
);

create index event_accepted on event (position) where type = 'conversation.accepted' and not late;

-- Accepted conversations of the run when distinct-3 paused it last.
alter table run_view add column floor_paused_at bigint;
