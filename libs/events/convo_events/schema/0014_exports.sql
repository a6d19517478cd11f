-- Writer: gateway (convo_gateway.exports.operations). Exports that are made in the background, by whichever gateway
-- holds the lease; the fence rises with each holder, and what an older one says is void.
create table export_operation (
    id           text primary key,
    name         text not null,
    wish         json not null,                -- as it was asked for, in the order of its splits; view and set by value
    status       text not null check (status in ('queued', 'running', 'done', 'failed', 'cancelled', 'expired')),
    owner        text not null default '',
    fence        integer not null default 0,
    tries        integer not null default 0,   -- holders that took it up, but for those that gave it back
    lease_until  timestamptz,
    looked_at    bigint not null default 0,    -- conversations that are through
    total        bigint,                       -- conversations to look at; null until they are counted
    bytes        bigint not null default 0,    -- on disk
    made         jsonb,                        -- counts, coverage and files of the manifest; null until done
    problem      text not null default '',     -- why it failed
    created_at   timestamptz not null default clock_timestamp(),
    started_at   timestamptz,
    ended_at     timestamptz
);
create index export_operation_newest on export_operation (created_at desc, id desc);
create index export_operation_due on export_operation (created_at) where status in ('queued', 'running');
