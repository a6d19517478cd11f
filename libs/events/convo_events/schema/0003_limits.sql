-- Concurrency towards each model, shared by all replicas. Written by convo_models.limiter_store only.
-- Every writer locks the model's row in model_limit first. Times are this database's.

create table model_limit (
    backend          text not null,
    model            text not null,
    max_limit        integer not null check (max_limit >= 1),
    current_limit    integer not null check (current_limit between 1 and max_limit),
    cooldown_until   timestamptz,
    last_decrease_at timestamptz,
    last_increase_at timestamptz,
    primary key (backend, model)
);
comment on table model_limit is 'How many calls may be in flight at once: what is configured, and what the provider takes now';

create table model_share (
    backend    text not null,
    model      text not null,
    worker     text not null,
    granted    integer not null check (granted >= in_use),
    in_use     integer not null check (in_use >= 0),
    want       integer not null check (want >= 0),
    max_limit  integer not null check (max_limit >= 1),
    renewed_at timestamptz not null,
    primary key (backend, model, worker),
    foreign key (backend, model) references model_limit on delete cascade
);
comment on table model_share is 'What each worker may use of a limit until its lease runs out';
