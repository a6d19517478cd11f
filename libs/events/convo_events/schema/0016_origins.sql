-- Writer: projector. Where the conversations of runs of mode import come from; no other run has rows here.
create table origin (
    conversation  text primary key,
    source        text not null,               -- id of the import, also when that is deleted
    row           bigint not null,             -- in the file, from 1
    metadata      jsonb not null,              -- what else stood in the row; its system message as system
    left_out      jsonb not null default '[]'   -- names of fields of the row that were too much to keep
);

-- Runs of mode import that were folded before.
insert into origin (conversation, source, row, metadata)
select format('%s.%s.%s', e.run, e.thread, e.body::json #>> '{event,conversation}'), e.body::json #>> '{event,origin,source}',
       (e.body::json #>> '{event,origin,row}')::bigint, (e.body::json #> '{event,origin,metadata}')::jsonb
from event e join run_view r on r.run = e.run
where r.mode = 'import' and e.type = 'step.generated' and not e.late and e.body::json #> '{event,origin}' is not null
on conflict do nothing;

-- Writer: gateway (convo_gateway.imports).
alter table import_row add column left_out jsonb not null default '[]'; -- as above
