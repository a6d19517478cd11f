-- Writer: projector. How each judge of a run does. A row never grows with the run: what is kept one by one is the last 50.
create table judge_health (
    run             text not null,
    judge           text not null,             -- backend/model
    scored          bigint not null,
    compared        bigint not null,           -- it said which of two is better
    unparsed        bigint not null,
    truncated       bigint not null,
    out_of_range    bigint not null,
    contradictory   bigint not null,
    refused         bigint not null,
    other           bigint not null,           -- calls that failed for good
    scale_min       double precision,          -- null before the first score, as all that stands on scores
    scale_max       double precision,
    threshold       double precision,
    mean            double precision,
    squares         double precision,          -- sum of squared differences from the mean
    lowest          bigint not null,           -- scores at the low end of the scale
    highest         bigint not null,
    bins            jsonb not null,            -- scores by bin, from the low end
    criteria        jsonb not null,            -- by name: n, mean, squares
    recent          jsonb not null,            -- the last answers: position, state, score
    pass_pass       bigint not null,           -- judged twice: first answer, second answer
    pass_fail       bigint not null,
    fail_pass       bigint not null,
    fail_fail       bigint not null,
    apart           double precision not null, -- sum of the absolute differences of the two scores
    recent_pairs    jsonb not null,            -- the last ones judged twice: position, 1 where both pass or both fail
    rechecks        bigint not null,           -- calls that judged again
    recheck_micro   bigint not null,           -- known cost of them
    recheck_unknown bigint not null,           -- of unknown cost
    seq             bigint not null,
    primary key (run, judge)
);

alter table run_view add column resumed_seq bigint not null default 0;  -- where it was last resumed; what came before is not held against it again
update run_view v set resumed_seq = e.seq from (
    select run, max(seq) as seq from event where type = 'run.resumed' and not late group by run
) e where e.run = v.run;
