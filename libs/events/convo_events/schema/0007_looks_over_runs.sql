-- Writer: projector. What conversations of other runs are found and measured by. Empty for those accepted before.
alter table accepted_signature add column corpus integer[] not null default '{}';  -- band hashes, one layout for all
alter table accepted_signature add column sample integer[] not null default '{}';  -- smallest shingles, none masked
create index accepted_signature_corpus on accepted_signature using gin (corpus) with (fastupdate = off);
create unique index accepted_signature_position on accepted_signature (position);
