-- Writer: projector. What roughening and memory leave behind.

alter table turn add column raw text;                               -- as it was generated; null where the text is that
alter table turn add column kept text not null default '';          -- why a rewriting was not taken

alter table conversation add column roughened integer not null default 0;        -- turns with a new text
alter table conversation add column roughen_gave_up text not null default '';    -- why nothing was roughened
alter table conversation add column memory_gave_up text not null default '';     -- why the one before left no memory

create table memory (
    conversation  text primary key,            -- accepted; what is remembered after it
    run           text not null,
    thread        integer not null,
    number        integer not null,
    body          text not null,
    cut           boolean not null             -- the model wrote more
);
create index memory_thread on memory (run, thread, number);
