-- Writer: gateway (convo_gateway.catalog.store). Every version of every catalog object, as it was written.
create table catalog_version (
    kind        text not null,
    name        text not null collate "C",
    version     integer not null check (version >= 1),
    body        jsonb not null,
    body_hash   text not null,                  -- SHA-256 of the canonical JSON; equal content makes no new version
    note        text not null default '',
    created_at  timestamptz not null default now(),
    primary key (kind, name, version)
);

create function catalog_version_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'versions of catalog objects are never changed or deleted';
end $$;
create trigger catalog_version_append_only before update or delete or truncate on catalog_version
    for each statement execute function catalog_version_is_append_only();

-- Writer: gateway (convo_gateway.catalog.store). One row an object; its lock serialises the writers of a name.
create table catalog_object (
    kind      text not null,
    name      text not null collate "C",
    latest    integer not null,
    archived  boolean not null default false,   -- hidden from lists; still found by name
    primary key (kind, name),
    foreign key (kind, name, latest) references catalog_version deferrable initially deferred
);
