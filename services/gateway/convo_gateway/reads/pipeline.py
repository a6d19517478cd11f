"""Where the steps of a run are now, and what they wait for."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from convo_events.store import Connection
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.runs import Stage

_STAGES: tuple[Literal["generate", "filter", "judge"], ...] = ("generate", "filter", "judge")


@dataclass(frozen=True, slots=True)
class Waiting:
    """Steps that wait for their time, for one reason."""

    stage: str
    reason: str
    threads: int
    until: datetime


async def stages(c: Connection, run: str, waiting: list[Waiting]) -> list[Stage]:
    """The stages in their order. Counts are of this moment."""
    asked = await c.fetch(
        "select state->>'kind' as stage, count(*) as n from thread where run = $1 and phase = 'waiting' group by 1",
        run,
    )
    flying = await c.fetch(
        """
        select case when a.role = 'judge' then 'judge' else 'generate' end as stage, count(*) as n
        from model_call m join model_attempt a on a.step_key = m.step_key and a.attempt = m.attempts
        where m.run = $1 and m.state = 'started' group by 1
        """,
        run,
    )
    open_steps = {row["stage"]: row["n"] for row in asked}
    in_flight = {row["stage"]: row["n"] for row in flying}
    return [
        Stage(
            stage=stage,
            queued=_steps(max(0, open_steps.get(stage, 0) - in_flight.get(stage, 0))),
            in_flight=Counted(
                value=in_flight.get(stage, 0), unit="calls", scope="this run, now", of=None
            ),
            deferred=_steps(sum(w.threads for w in waiting if w.stage == stage)),
        )
        for stage in _STAGES
    ]


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
