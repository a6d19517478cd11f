"""What a run recorded, read in pages in the order of settling: only what a replay can change."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import asyncpg
import orjson

from convo_events.conversations import Hit
from convo_events.reasons import Layer
from convo_events.replays import ReplayStatus
from convo_events.store import Pool, outage_named
from convo_filters.replay.changes import Changes
from convo_filters.replay.redecide import COPY, NEAR, Record, Verdict
from convo_filters.replay.tally import Ending

PAGE = 1_000
"""Conversations that are read and decided in one go."""
_ENDINGS = """
select status, reason, layer, count(*) as n, max(settled_seq) as until from conversation
where run = $1 and settled_seq is not null and status in ('accepted', 'rejected', 'failed')
group by status, reason, layer
"""
_SETTLED = """
from conversation where run = $1 and settled_seq is not null and settled_seq <= $2
and status in ('accepted', 'rejected', 'failed')
"""
_COLUMNS = """
select id, thread, number, status, reason, layer, hit, also, detail, score, words, planned_turns, settled_seq
"""
_ACCEPTED = f"select id, thread, number, settled_seq {_SETTLED} and status = 'accepted'"


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled conversation without its text."""

    id: str
    thread: int
    number: int
    planned_turns: int
    settled_seq: int
    record: Record


@dataclass(frozen=True, slots=True)
class Place:
    """Where an accepted conversation stands in its run."""

    id: str
    thread: int
    number: int
    settled_seq: int


class Run:
    """What a run has settled up to a moment; what comes later is not part of the replay."""

    def __init__(self, pool: Pool, run: str, endings: dict[Ending, int], until: int) -> None:
        """Take what ``read`` found."""
        self._pool, self._run, self._until = pool, run, until
        self.endings = endings
        """How many conversations end in which way."""

    @classmethod
    async def read(cls, pool: Pool, run: str) -> "Run":
        """The run as it is now.

        Raises:
            Unavailable: when Postgres is away.
        """
        async with outage_named():
            rows = await pool.fetch(_ENDINGS, run)
        endings = {(r["status"], r["reason"], r["layer"]): int(r["n"]) for r in rows}
        return cls(pool, run, endings, max((r["until"] for r in rows), default=0))

    async def count(self, changes: Changes) -> int:
        """How many conversations the changes can reach without their neighbours.

        Raises:
            Unavailable: when Postgres is away.
        """
        where, values = reached(changes)
        sql = f"select count(*) {_SETTLED} and {where}"
        async with outage_named():
            return int(await self._pool.fetchval(sql, self._run, self._until, *values) or 0)

    async def pages(self, changes: Changes) -> AsyncIterator[list[Settled]]:
        """Those, in the order of settling, a page at a time.

        Raises:
            Unavailable: when Postgres is away.
        """
        where, values = reached(changes)
        async for rows in self._pages(f"{_COLUMNS} {_SETTLED} and {where}", values):
            yield [_settled(row) for row in rows]

    async def accepted(self) -> AsyncIterator[list[Place]]:
        """Everything that the run accepted, in the order of settling, a page at a time.

        Raises:
            Unavailable: when Postgres is away.
        """
        async for rows in self._pages(_ACCEPTED, ()):
            yield [Place(*row) for row in rows]

    async def _pages(
        self, sql: str, values: Sequence[object]
    ) -> AsyncIterator[list[asyncpg.Record]]:
        first = 3 + len(values)
        after = f"and (settled_seq, id) > (${first}, ${first + 1})"
        paged = f"{sql} {after} order by settled_seq, id limit {PAGE}"
        place: tuple[int, str] = (-1, "")
        while True:
            async with outage_named():
                rows = await self._pool.fetch(paged, self._run, self._until, *values, *place)
            if rows:
                yield rows
            if len(rows) < PAGE:
                return
            place = (rows[-1]["settled_seq"], rows[-1]["id"])


def reached(changes: Changes) -> tuple[str, list[object]]:
    """A condition for conversations that changes can reach by themselves, and its values from ``$3`` on.

    Those who lose a neighbour are always among them, and those whom the judge failed. Accepted ones that get a new
    neighbour are found by comparing.
    """
    if changes.reads_turns or changes.near.is_stricter:
        return "true", []
    reasons = {NEAR, *changes.off} | ({COPY} if changes.copies.was != changes.copies.now else set())
    where, values = "reason = any($3)", list[object]([sorted(reasons)])
    if changes.near.now is not None:
        where = f"({where} or (status = 'failed' and words > 0))"
    if changes.judges_anew:
        judged = f"(status = 'accepted' or layer = {int(Layer.JUDGE)})"
        was, now = changes.threshold.was, changes.threshold.now
        if was is None or now is None:
            judged = f"({judged} or reason like 'judge%')"
        elif not changes.reads_samples:
            judged = f"({judged} and score >= $4 and score < $5)"
            values += [min(was, now), max(was, now)]
        where = f"({where} or {judged})"
    return where, values


def _settled(row: asyncpg.Record) -> Settled:
    name, thread, number, status, reason, layer, hit, also, detail, score, words, planned, seq = row
    verdict = Verdict(cast(ReplayStatus, status), reason, layer, detail)
    hits = tuple(_hits([orjson.loads(hit), *orjson.loads(also)])) if hit is not None else ()
    record = Record(verdict, hits, score, status != "failed" or words > 0)
    return Settled(name, thread, number, planned, seq, record)


def _hits(found: Iterable[dict[str, object]]) -> Iterable[Hit]:
    """Findings of layers 1 and 2."""
    for fields in found:
        if fields["layer"] in (Layer.MECHANICAL, Layer.DIVERSITY):
            yield Hit.model_validate(fields)
