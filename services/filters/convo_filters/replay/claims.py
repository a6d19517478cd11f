"""Replays that somebody wishes: taken under a lease by one replica at a time, and written only by who holds it."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import asyncpg
import orjson

from convo_events.replays import ReplayCounts, VerdictSettings
from convo_events.store import Connection, Pool, outage_named
from convo_filters.replay.redecide import Verdict

LEASE_S = 15.0
"""How long a replay is held without a sign of progress."""
MOST_TRIES = 4
"""Holders that may end without an end of the replay, before it counts as failed."""

_WAITING = """
select r.id from replay r left join replay_work w on w.replay = r.id
where w.replay is null or (w.state = 'running' and w.lease_until < clock_timestamp())
order by r.created_at limit 1
"""
_TAKE = """
insert into replay_work as w (replay, state, owner, fence, lease_until)
values ($1, 'running', $2, 1, clock_timestamp() + $3 * interval '1 second')
on conflict (replay) do update set owner = excluded.owner, fence = w.fence + 1, lease_until = excluded.lease_until,
  phase = '', looked_at = 0, total = 0, began_at = clock_timestamp()
  where w.state = 'running' and w.lease_until < clock_timestamp()
returning fence
"""
_PROGRESS = """
update replay_work set phase = $3, looked_at = $4, total = $5,
  lease_until = clock_timestamp() + $6 * interval '1 second'
where replay = $1 and fence = $2 and state = 'running' returning 1
"""
_END = """
update replay_work set state = $3, counts = $4, problem = $5, ended_at = clock_timestamp()
where replay = $1 and fence = $2 and state = 'running' returning 1
"""
_FLIPS = """
insert into replay_flip
  (replay, settled_seq, conversation, was_status, was_reason, was_layer, status, reason, layer, detail)
select $1, * from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::smallint[],
  $7::text[], $8::text[], $9::smallint[], $10::text[])
"""


class Superseded(Exception):
    """The replay was cancelled, or another replica holds it: whatever is under way here is void."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A conversation whose verdict differs from the record."""

    settled_seq: int
    conversation: str
    was: Verdict
    now: Verdict


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a replay is."""

    phase: str
    """``reading`` what is recorded, or ``comparing`` conversations with each other."""
    looked_at: int
    """Conversations of the phase that are through."""
    total: int


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on one replay."""

    replay: str
    fence: int
    """Rises with each holder; nobody else's writes count."""


async def take(pool: Pool, owner: str) -> Claim | None:
    """The oldest replay that nobody holds; None where there is none. What an earlier holder found is dropped.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        replay = await pool.fetchval(_WAITING)
    if replay is None:
        return None
    async with outage_named(), pool.acquire() as c, c.transaction():
        try:
            async with c.transaction():
                fence = await c.fetchval(_TAKE, replay, owner, LEASE_S)
        except asyncpg.ForeignKeyViolationError:
            fence = None  # forgotten in this very moment
        if fence is None:
            return None
        await c.execute("delete from replay_flip where replay = $1", replay)
    claim = Claim(replay, int(fence))
    if claim.fence <= MOST_TRIES:
        return claim
    with suppress(Superseded):
        await fail(pool, claim, f"it was begun {MOST_TRIES} times and never came to an end")
    return None


async def wish(pool: Pool, claim: Claim) -> tuple[str, VerdictSettings]:
    """The run of a replay and the settings that are tried.

    Raises:
        Superseded: when it was cancelled.
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        row = await pool.fetchrow("select run, settings from replay where id = $1", claim.replay)
    if row is None:
        raise Superseded(claim.replay)
    return row["run"], VerdictSettings.model_validate_json(row["settings"])


async def write(pool: Pool, claim: Claim, progress: Progress, flips: Iterable[Flip] = ()) -> None:
    """Keep flips and progress together, and renew the lease.

    Raises:
        Superseded: when the replay was cancelled or another replica took it.
        Unavailable: when Postgres is away.
    """
    told = (progress.phase, progress.looked_at, progress.total, LEASE_S)
    async with outage_named(), pool.acquire() as c, c.transaction():
        # In the order in which forgetting a replay takes its locks, so that neither waits for the other in a circle.
        await c.execute("select from replay where id = $1 for key share", claim.replay)
        await _held(c, claim, _PROGRESS, *told)
        rows = [
            (
                *(flip.settled_seq, flip.conversation),
                *(flip.was.status, flip.was.reason, flip.was.layer),
                *(flip.now.status, flip.now.reason, flip.now.layer, flip.now.detail),
            )
            for flip in flips
        ]
        if rows:
            await c.execute(_FLIPS, claim.replay, *map(list, zip(*rows, strict=True)))


async def finish(pool: Pool, claim: Claim, counts: ReplayCounts) -> None:
    """Keep what the replay came to: from now on it is done.

    Raises:
        Superseded: when the replay was cancelled or another replica took it.
        Unavailable: when Postgres is away.
    """
    body = orjson.dumps(counts.model_dump(mode="json")).decode()
    async with outage_named(), pool.acquire() as c:
        await _held(c, claim, _END, "done", body, "")


async def fail(pool: Pool, claim: Claim, problem: str) -> None:
    """Keep why the replay cannot be done.

    Raises:
        Superseded: when the replay was cancelled or another replica took it.
        Unavailable: when Postgres is away.
    """
    async with outage_named(), pool.acquire() as c:
        await _held(c, claim, _END, "failed", None, problem[:1_000])


async def release(pool: Pool, claim: Claim) -> None:
    """Let anybody take a replay at once whose holder ended before it did.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        await pool.execute(
            "update replay_work set lease_until = clock_timestamp()"
            " where replay = $1 and fence = $2 and state = 'running'",
            claim.replay,
            claim.fence,
        )


async def _held(c: Connection, claim: Claim, sql: str, *values: object) -> None:
    if await c.fetchval(sql, claim.replay, claim.fence, *values) is None:
        raise Superseded(claim.replay)
