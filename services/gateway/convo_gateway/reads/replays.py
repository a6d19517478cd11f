"""Replays, what flips in them, and verdict sets."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg
import orjson

from convo_events.errors import NotFound
from convo_events.replays import ReplayCounts, ReplayStatus, StatusCounts
from convo_events.store import Connection
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.replays import Flip, Replay, ReplayResult, VerdictSet

_REPLAY = """
select r.id, r.run, r.changes, r.notes, r.created_at, coalesce(w.state, 'waiting') as state,
  coalesce(w.phase, '') as phase, coalesce(w.looked_at, 0) as looked_at, coalesce(w.total, 0) as total,
  w.counts, coalesce(w.problem, '') as problem, w.began_at, w.ended_at, s.name as verdict_set
from replay r left join replay_work w on w.replay = r.id left join verdict_set s on s.id = r.id
"""
_FLIP = """
c.preview, c.score, {f}.status, {f}.reason, {f}.layer, {f}.detail, c.detail as was_detail
"""


async def replays_of(c: Connection, run: str) -> list[Replay]:
    """The replays of a run that are still known, newest first."""
    rows = await c.fetch(f"{_REPLAY} where r.run = $1 order by r.created_at desc, r.id desc", run)
    return [replay_of(row) for row in rows]


async def existing_replay(c: Connection, run: str, replay: str) -> asyncpg.Record:
    """One replay.

    Raises:
        NotFound: there is none, or it was forgotten.
    """
    row = await c.fetchrow(f"{_REPLAY} where r.run = $1 and r.id = $2", run, replay)
    if row is None:
        raise NotFound(f"Run {run} has no replay {replay}; the last ones of a run are kept.")
    return row


def replay_of(row: asyncpg.Record) -> Replay:
    """A row as the API shows it."""
    counts = row["counts"] and ReplayCounts.model_validate_json(row["counts"])
    fields = {name: row[name] for name in Replay.model_fields if name in row}
    fields |= {"changes": orjson.loads(row["changes"])}
    return Replay(**fields, result=_result(counts) if counts else None)


def _result(counts: ReplayCounts) -> ReplayResult:
    return ReplayResult(
        population=_population(counts.before),
        before=counts.before,
        after=counts.after,
        reasons=counts.reasons,
        flips=counts.flips,
        flipped=counts.flipped,
    )


def _population(counts: StatusCounts) -> Counted:
    """All conversations that had a verdict."""
    settled = counts.accepted + counts.rejected + counts.failed + counts.unjudged
    return Counted(
        value=settled, unit="conversations", scope="this run, with a verdict", of=settled
    )


@dataclass(frozen=True, slots=True)
class FlipFilter:
    """Which flips are wanted; None is any."""

    was: ReplayStatus | None = None
    status: ReplayStatus | None = None
    was_reason: str | None = None
    reason: str | None = None

    def where(
        self, first: int, was_status: str, was_reason: str, flip: str
    ) -> tuple[str, list[object]]:
        """A condition, with values from ``$first`` on."""
        wanted = {
            was_status: self.was,
            f"{flip}.status": self.status,
            was_reason: self.was_reason,
            f"{flip}.reason": self.reason,
        }
        given = [(column, value) for column, value in wanted.items() if value is not None]
        parts = [f"and {column} = ${at}" for at, (column, _) in enumerate(given, first)]
        return " ".join(parts), [value for _, value in given]


async def flips_of(
    c: Connection, replay: str, wanted: FlipFilter, *, limit: int, after: Sequence[object] | None
) -> list[tuple[Flip, list[str | int]]]:
    """Flips of a replay behind a place, each with its own place, in the order of settling."""
    where, values = wanted.where(5, "f.was_status", "f.was_reason", "f")
    rows = await c.fetch(
        f"""
        select f.settled_seq, f.conversation, f.was_status, f.was_reason, f.was_layer, {_FLIP.format(f="f")}
        from replay_flip f join conversation c on c.id = f.conversation
        where f.replay = $1 and (f.settled_seq, f.conversation) > ($2, $3) {where}
        order by f.settled_seq, f.conversation limit $4
        """,
        *(replay, *(after or (-1, "")), limit, *values),
    )
    return [(_flip(row), [row["settled_seq"], row["conversation"]]) for row in rows]


async def flips_of_set(
    c: Connection,
    verdict_set: str,
    wanted: FlipFilter,
    *,
    limit: int,
    after: Sequence[object] | None,
) -> list[tuple[Flip, list[str | int]]]:
    """The same of a verdict set, in the order of their ids."""
    where, values = wanted.where(4, "c.status", "c.reason", "f")
    rows = await c.fetch(
        f"""
        select f.conversation, c.status as was_status, c.reason as was_reason, c.layer as was_layer,
          {_FLIP.format(f="f")}
        from verdict_set_flip f join conversation c on c.id = f.conversation
        where f.set = $1 and f.conversation > $2 {where} order by f.conversation limit $3
        """,
        *(verdict_set, *(after or ("",)), limit, *values),
    )
    return [(_flip(row), [row["conversation"]]) for row in rows]


def _flip(row: asyncpg.Record) -> Flip:
    return Flip(**{name: row[name] for name in Flip.model_fields})


_SET = "select id, run, name, changes, created_at, counts from verdict_set where run = $1"


async def verdict_sets_of(c: Connection, run: str) -> list[VerdictSet]:
    """All verdict sets of a run, by name."""
    return [_set(row) for row in await c.fetch(f"{_SET} order by name", run)]


async def verdict_set_named(c: Connection, run: str, name: str) -> VerdictSet:
    """One verdict set.

    Raises:
        NotFound: there is none of that name.
    """
    row = await c.fetchrow(f"{_SET} and name = $2", run, name)
    if row is None:
        raise NotFound(f"Run {run} has no verdict set {name}.")
    return _set(row)


def _set(row: asyncpg.Record) -> VerdictSet:
    return VerdictSet(
        id=row["id"],
        run=row["run"],
        name=row["name"],
        changes=orjson.loads(row["changes"]),
        created_at=row["created_at"],
        result=_result(ReplayCounts.model_validate_json(row["counts"])),
    )
