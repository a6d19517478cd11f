-- Writer: the call ledger. Every run has a row, so that a cap can be given to it later; null is no cap.
alter table run_budget alter column cap_micro drop not null;
insert into run_budget (run, cap_micro) select run, null from run_control on conflict (run) do nothing;

-- Writer: projector. What the provider itself said beside what convo priced, and what was written to its cache.
alter table run_cost add column cache_write_tokens bigint not null default 0;
alter table run_cost add column provider_calls bigint not null default 0;   -- calls of which the provider told the cost
alter table run_cost add column provider_micro bigint not null default 0;   -- what it told, all together
alter table run_cost add column provider_priced_micro bigint not null default 0;  -- what convo booked for those calls
