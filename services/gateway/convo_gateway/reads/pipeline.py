"""Where the steps of a run are now, and what they wait for."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from convo_events.steps import StepKind
from convo_events.store import Connection
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.runs import Latency, Stage

_STAGES: tuple[StepKind, ...] = ("generate", "roughen", "filter", "judge", "memory")
_OPTIONAL = frozenset({"roughen", "memory"})
"""Stages that only some runs have: shown once there is a step of them."""
_LATEST = 100
"""Conversations whose calls the latency is taken over."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Steps that wait for their time, for one reason."""

    stage: str
    reason: str
    threads: int
    until: datetime


async def stages(c: Connection, row: asyncpg.Record, waiting: list[Waiting]) -> list[Stage]:
    """The stages of a run in the order of their work, from its row. Counts are of this moment."""
    run = row["run"]
    asked = await _counts(c, _ASKED, run)
    flying = await _counts(c, _FLYING, run)
    called = {found["stage"]: found for found in await c.fetch(_CALLED, run)}
    latency = await _latency(c, run)
    found = []
    for stage in _STAGES:
        known = stage in asked or stage in called or any(w.stage == stage for w in waiting)
        if stage in _OPTIONAL and not known:
            continue
        queued = max(0, asked.get(stage, 0) - flying.get(stage, 0))
        done, failed = _done(stage, row, called.get(stage), queued)
        found.append(
            Stage(
                stage=stage,
                queued=_steps(queued),
                in_flight=_calls(flying.get(stage, 0), now=True),
                deferred=_steps(sum(w.threads for w in waiting if w.stage == stage)),
                done=done,
                failed=failed,
                latency=latency.get(stage),
            )
        )
    return found


_STAGE = "case when role in ('judge', 'memory', 'roughen') then role else 'generate' end as stage"
"""What a call was for is its stage, but for the roles that write a conversation."""
_ASKED = """
select state->>'kind' as stage, count(*) as n from thread where run = $1 and phase = 'waiting' group by 1
"""
_FLYING = f"""
select {_STAGE}, count(*) as n
from model_call m join model_attempt a on a.step_key = m.step_key and a.attempt = m.attempts
where m.run = $1 and m.state = 'started' group by 1
"""
_CALLED = f"""
select {_STAGE}, sum(calls)::bigint as calls, sum(failed_calls)::bigint as failed from run_cost
where run = $1 group by 1
"""
_LATENCY = f"""
select {_STAGE}, count(*) as n,
       percentile_cont(array[0.5, 0.95]) within group (order by latency_ms) as at
from (
  select role, (a.event::jsonb #>> '{{event,call,latency_ms}}')::float8 as latency_ms
  from (select thread, number from conversation where run = $1 order by seq desc limit {_LATEST}) v
  join model_attempt a on a.run = $1 and a.thread = v.thread and a.conversation = v.number
  where a.state = 'finished'
) measured
where latency_ms is not null group by 1
"""


async def _counts(c: Connection, sql: str, run: str) -> dict[str, int]:
    return {row["stage"]: row["n"] for row in await c.fetch(sql, run)}


async def _latency(c: Connection, run: str) -> dict[str, Latency]:
    """Of each stage that makes calls, over the conversations that changed last."""
    scope = f"the last {_LATEST} conversations that changed"
    return {
        row["stage"]: Latency(
            p50_ms=row["at"][0],
            p95_ms=row["at"][1],
            calls=Counted(value=row["n"], unit="calls", scope=scope, of=None),
        )
        for row in await c.fetch(_LATENCY, run)
    }


def _done(
    stage: str, row: asyncpg.Record, called: asyncpg.Record | None, queued: int
) -> tuple[Counted | None, Counted | None]:
    """What a stage has done, and what of it failed."""
    if stage != "filter":
        return (
            _calls(called["calls"] if called else 0),
            _calls(called["failed"] if called else 0),
        )
    if row["status"] in ("cancelling", "cancelled", "failed"):
        return None, None
    seen = max(0, row["generated"] - queued)
    return Counted(value=seen, unit="conversations", scope="this run", of=row["generated"]), None


def _calls(value: int, *, now: bool = False) -> Counted:
    return Counted(value=value, unit="calls", scope="this run, now" if now else "this run", of=None)


def _steps(value: int) -> Counted:
    return Counted(value=value, unit="steps", scope="this run, now", of=None)


async def deferred(c: Connection, run: str) -> list[Waiting]:
    """Threads whose step was put off, by stage and reason; most threads first."""
    rows = await c.fetch(
        """
        select state->>'kind' as stage, state->>'reason' as reason, count(*) as n, min(not_before) as until
        from thread where run = $1 and phase = 'due' and not_before is not null and state->>'last' = 'deferred'
        group by 1, 2 order by n desc, reason
        """,
        run,
    )
    return [Waiting(row["stage"], row["reason"], row["n"], row["until"]) for row in rows]


async def calls_in_flight(c: Connection, run: str) -> int:
    """Model calls of a run that are under way."""
    return int(
        await c.fetchval(
            "select count(*) from model_call where run = $1 and state = 'started'", run
        )
    )
