"""Repair of the ledger: calls whose worker died, and outcomes that may not have reached the log.

Belongs to the ledger, whose tables it writes; the projector's process runs it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from convo_events import ids
from convo_events.clock import iso, now
from convo_events.codec import encode
from convo_events.envelope import Envelope
from convo_events.log import Letter, stored_letter
from convo_events.outcomes import CallLost
from convo_events.store import Connection, Pool, outage_named
from convo_events.subjects import subject_of
from convo_events.usage import Call
from convo_models import budgets
from convo_models.claim import ClaimToken
from convo_models.ledger_rows import Settlement, settle


@dataclass(frozen=True, slots=True)
class Lost:
    """A call that was in flight when its worker died, as it is now booked."""

    letter: Letter
    worst_micro: int | None


async def reap(pool: Pool, producer: str, *, most: int = 500) -> list[Lost]:
    """Book every call whose lease ran out as unknown at its worst case; the events to append.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named(), pool.acquire() as c, c.transaction():
        expired = await c.fetch(
            "select step_key from model_call where state = 'started'"
            " and lease_until <= clock_timestamp() order by lease_until limit $1",
            most,
        )
        await budgets.lock_of_calls(c, [row["step_key"] for row in expired])
        rows = await c.fetch(
            "select a.* from model_call c"
            " join model_attempt a on a.step_key = c.step_key and a.attempt = c.attempts"
            " where c.step_key = any($1) and c.state = 'started' and c.lease_until <= clock_timestamp()"
            " order by c.run, c.thread, c.step for update of c skip locked",
            [row["step_key"] for row in expired],
        )
        lost: list[Lost] = []
        settlements: list[Settlement] = []
        for row in rows:
            call = Call(
                role=row["role"],
                backend=row["backend"],
                model=row["model"],
                attempt=row["attempt"],
                step_key=row["step_key"],
                cost_micro=row["worst_micro"],
                basis="unpriced" if row["worst_micro"] is None else "worst_case",
                error="lost",
            )
            event = CallLost(
                run=row["run"],
                thread=row["thread"],
                conversation=row["conversation"],
                step=row["step"],
                call=call,
            )
            event_id = ids.call_event_id(row["step_key"], row["attempt"], "lost")
            body = encode(Envelope(event_id, iso(now()), producer), event)
            token = ClaimToken(row["step_key"], row["attempt"], row["attempt"], 0.0, 0.0)
            settlements.append(Settlement(token, "deferred", call, event_id, body.decode()))
            lost.append(Lost(Letter(subject_of(event), body), row["worst_micro"]))
        if settlements:
            await settle(c, settlements, owner=None)
    return lost


async def unfolded(
    pool: Pool, after: datetime, *, older_than_s: float = 60, most: int = 500
) -> tuple[list[Letter], datetime]:
    """Outcomes that were booked but are not in the archive, and the time up to which all was looked at.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named(), pool.acquire() as c:
        until: datetime = await c.fetchval(
            "select clock_timestamp() - $1::interval", timedelta(seconds=older_than_s)
        )
        rows = await c.fetch(
            "select a.event, a.ended_at from model_attempt a"
            " where a.event_id is not null and a.ended_at > $1 and a.ended_at <= $2"
            " and not exists (select from event e where e.id = a.event_id)"
            " order by a.ended_at fetch first $3 rows with ties",
            after,
            until,
            most,
        )
    letters = [stored_letter(row["event"]) for row in rows]
    looked_at = rows[-1]["ended_at"] if len(rows) >= most else max(until, after)
    return letters, looked_at


async def in_flight(c: Connection, run: str) -> int:
    """Calls of a run that are claimed and not settled."""
    return int(
        await c.fetchval(
            "select count(*) from model_call where run = $1 and state = 'started'", run
        )
    )
