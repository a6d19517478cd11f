"""Runs as lists and live pages show them: with their cost and their pace."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg

from convo_events.errors import NotFound
from convo_events.runs import FINAL
from convo_events.store import Connection
from convo_gateway.shapes.counts import known_micro
from convo_gateway.shapes.runs import RunSummary

WINDOW_S = 120.0
"""The rate looks back this far."""

SUMMARY = """
v.*, cost.*, coalesce(recent.verdicts, 0) as recent
from run_view v
left join lateral (
  select coalesce(sum(calls), 0)::bigint as calls,
         coalesce(sum(cost_micro), 0)::bigint as cost_micro,
         coalesce(sum(unknown_calls), 0)::bigint as unknown_calls,
         coalesce(sum(unknown_micro), 0)::bigint as unknown_micro,
         coalesce(sum(unpriced_calls), 0)::bigint as unpriced_calls
  from run_cost where run = v.run
) cost on true
left join lateral (
  -- The minute that the window begins in counts with the part of it that is inside.
  select sum((accepted + rejected + failed)
    * least(1, extract(epoch from minute - $1::timestamptz + interval '180 s') / 60))::float8 as verdicts
  from run_minute where run = v.run and minute > $1::timestamptz - interval '180 s'
) recent on true
"""
"""What ``summary`` reads, to be put between ``select`` and ``where``; $1 is the moment that rates are for."""


async def runs_named(c: Connection, now: datetime, runs: Sequence[str]) -> list[RunSummary]:
    """The runs of these ids, in no order; those that are not there are left out."""
    rows = await c.fetch(f"select {SUMMARY} where v.run = any($2)", now, list(runs))
    return [summary(row, now) for row in rows]


async def count_by_status(c: Connection) -> dict[str, int]:
    """Status to number of runs; samples are not counted."""
    rows = await c.fetch(
        "select status, count(*) as n from run_view where kind = 'generation' group by status"
    )
    return {row["status"]: row["n"] for row in rows}


async def run_row(c: Connection, run: str) -> asyncpg.Record | None:
    """Everything the read model has on a run; None where there is none."""
    return await c.fetchrow("select * from run_view where run = $1", run)


async def existing_run(c: Connection, run: str) -> asyncpg.Record:
    """Everything the read model has on a run.

    Raises:
        NotFound: there is no such run.
    """
    row = await run_row(c, run)
    if row is None:
        raise NotFound(f"There is no run {run}.")
    return row


async def folded(c: Connection) -> int:
    """Position in the log that the read model shows."""
    return int(await c.fetchval("select coalesce(max(seq), 0) from fold_cursor"))


def summary(row: asyncpg.Record, now: datetime) -> RunSummary:
    """A row of ``SUMMARY`` as lists show it."""
    settled = row["accepted"] + row["rejected"] + row["failed"]
    left = row["target"] - settled - row["cancelled"]
    rate = rate_per_minute(row, settled, now)
    fields = {name: row[name] for name in RunSummary.model_fields if name in row}
    return RunSummary(
        **fields
        | {
            "id": row["run"],
            "open": left,
            "cost_micro": known_micro(row["cost_micro"], row["calls"], row["unpriced_calls"]),
            "rate_per_minute": rate,
            "eta_s": round(left / rate * 60, 1) if row["status"] == "running" and rate else None,
        }
    )


def rate_per_minute(row: asyncpg.Record, settled: int, now: datetime) -> float | None:
    """Verdicts a minute: over the last 2 minutes, over the whole run when it has ended; None where it is to stand."""
    if row["started_at"] is None or row["status"] == "paused":
        return None
    final = row["status"] in FINAL and row["ended_at"] is not None
    passed = ((row["ended_at"] if final else now) - row["started_at"]).total_seconds()
    seconds = max(1.0, passed if final else min(WINDOW_S, passed))
    verdicts = float(settled if final else row["recent"])
    return round(verdicts / float(seconds) * 60, 3)
