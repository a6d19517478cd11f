"""What live pages show of runs, for many of them in a few questions."""

from collections.abc import Sequence
from datetime import datetime

from convo_events.store import Connection
from convo_gateway.reads.rejects import LAST
from convo_gateway.reads.run_lists import RunFilter, page_of_runs
from convo_gateway.reads.runs import runs_named
from convo_gateway.shapes.live import State

NEWEST = 100
"""Runs that topic ``runs`` shows."""


async def run_states(c: Connection, now: datetime, runs: Sequence[str]) -> dict[str, State]:
    """Run id to what its page shows live; runs that are not there are left out."""
    states = {
        run.id: run.model_dump(mode="json") | {"reasons": {}, "last_rejects": [], "in_flight": 0}
        for run in await runs_named(c, now, runs)
    }
    names = list(states)
    for row in await c.fetch("select * from reject_count where run = any($1)", names):
        counted = {"layer": row["layer"], "precedence": row["precedence"], "count": row["n"]}
        states[row["run"]]["reasons"][row["reason"]] = counted
    for row in await c.fetch(_LAST_REJECTS, names, LAST):
        reject = {"id": row["id"], "reason": row["reason"], "layer": row["layer"]}
        states[row["run"]]["last_rejects"].append(reject)
    for row in await c.fetch(_IN_FLIGHT, names):
        states[row["run"]]["in_flight"] = row["n"]
    for row in await c.fetch(_BLOCKED, names):
        states[row["run"]] |= {"detail": row["detail"], "blocked_reason": row["blocked_reason"]}
    return states


_LAST_REJECTS = """
select r.run, l.* from unnest($1::text[]) r (run) cross join lateral (
  select id, reason, layer from conversation where run = r.run and status = 'rejected'
  order by settled_seq desc limit $2
) l
"""
_IN_FLIGHT = """
select run, count(*) as n from model_call where run = any($1) and state = 'started' group by run
"""
_BLOCKED = (
    "select run, left(detail, 500) as detail, blocked_reason from run_view where run = any($1)"
)


async def newest_runs(c: Connection, now: datetime) -> State:
    """The newest runs as lists show them, by id."""
    runs = await page_of_runs(c, now, RunFilter(), limit=NEWEST)
    return {"runs": {run.id: run.model_dump(mode="json") for run, _ in runs}}
