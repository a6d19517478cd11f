"""What a run recorded, read in pages in the order of settling, and what was said."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import asyncpg
import orjson

from convo_events.conversations import Hit, Turn
from convo_events.reasons import Layer
from convo_events.replays import ReplayStatus
from convo_events.store import Pool, outage_named
from convo_filters.replay.redecide import Record, Verdict

PAGE = 1_000
"""Conversations that are read and decided in one go."""

_SETTLED = ("accepted", "rejected", "failed")
_PAGE = """
select id, thread, number, status, reason, layer, hit, also, detail, score, words, planned_turns, settled_seq
from conversation
where run = $1 and settled_seq is not null and status = any($2) and (settled_seq, id) > ($3, $4)
order by settled_seq, id limit $5
"""
_TURNS = """
select conversation, role, body, finish from turn where conversation = any($1) order by conversation, number
"""


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
class Said:
    """The turns of a conversation, and why the model stopped in each."""

    turns: tuple[Turn, ...]
    finishes: tuple[str, ...]

    @property
    def bodies(self) -> list[str]:
        """What was said, oldest first."""
        return [turn.text for turn in self.turns]


NOTHING = Said((), ())


async def count_settled(pool: Pool, run: str) -> int:
    """How many conversations of a run have a verdict.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        sql = "select accepted + rejected + failed from run_view where run = $1"
        return int(await pool.fetchval(sql, run) or 0)


async def settled_pages(pool: Pool, run: str) -> AsyncIterator[list[Settled]]:
    """Every settled conversation of a run, in the order of settling, a page at a time.

    Raises:
        Unavailable: when Postgres is away.
    """
    place: tuple[int, str] = (-1, "")
    while True:
        async with outage_named():
            rows = await pool.fetch(_PAGE, run, _SETTLED, *place, PAGE)
        if rows:
            yield [_settled(row) for row in rows]
        if len(rows) < PAGE:
            return
        place = (rows[-1]["settled_seq"], rows[-1]["id"])


async def said_in(pool: Pool, conversations: Sequence[str]) -> dict[str, Said]:
    """The turns of some conversations by id; one without turns is missing.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        rows = await pool.fetch(_TURNS, list(conversations))
    turns: dict[str, tuple[list[Turn], list[str]]] = {}
    for name, role, body, finish in rows:
        texts, finishes = turns.setdefault(name, ([], []))
        texts.append(Turn.model_construct(role=role, text=body))
        finishes.append(finish)
    return {name: Said(tuple(said), tuple(ends)) for name, (said, ends) in turns.items()}


async def stored_bands(pool: Pool, conversations: Sequence[str]) -> dict[str, list[int]]:
    """The band hashes of accepted conversations by id, as the index has them.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        rows = await pool.fetch(
            "select conversation, bands from accepted_signature where conversation = any($1)",
            list(conversations),
        )
    return {row["conversation"]: row["bands"] for row in rows}


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
