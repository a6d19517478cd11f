-- Writer: scheduler. The latest review of a conversation: where two people act at once, they meet here.
create table review_head (
    conversation  text primary key,
    version       integer not null check (version >= 1),
    said          text not null,               -- hash of what the latest review says: asked twice, it is done once
    pending       text[] not null default '{}' -- events decided but perhaps not yet in the log
);
create index review_head_pending on review_head (conversation) where pending <> '{}';

-- Writer: projector. Every review there was.
create table review (
    conversation  text not null,
    version       integer not null,            -- from 1; the latest one holds
    run           text not null,
    thread        integer not null,
    number        integer not null,
    reviewer      text not null,
    decision      text not null,               -- accepted, rejected, flagged; empty where withdrawn
    reason        text not null,
    note          text not null,
    edits         jsonb not null,              -- turn and text of all that reads otherwise than it was made
    at            timestamptz not null,
    seq           bigint not null,
    primary key (conversation, version)
);
create index review_person on review (conversation, reviewer, version desc);
create index review_run on review (run, at desc);

-- What each person holds of a conversation now.
create view review_latest as
select distinct on (conversation, reviewer) * from review order by conversation, reviewer, version desc;

-- Writer: projector.
alter table conversation add column review text not null default '';            -- the latest decision
alter table conversation add column edited boolean not null default false;      -- the latest review has another text
alter table conversation add column review_version integer not null default 0;  -- 0 where nobody reviewed it
create index conversation_review on conversation (review, created_at desc, id desc) where review_version > 0;
