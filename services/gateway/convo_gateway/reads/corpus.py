"""Conversations in lists and next to each other: filtered by one narrow table, shown from another, never with text."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime

import asyncpg
import orjson

from convo_events.store import Connection
from convo_gateway.reads.conversation_filter import Where, where
from convo_gateway.shapes.conversation_filter import ConversationFilter, ConversationSort
from convo_gateway.shapes.conversations import Beside, ConversationSummary

SortKey = str | int | float | datetime | None
"""What a conversation is sorted by; None where it has no such number."""

MOST_MS = 15_000
WALK_MS = 400
FEW = 2_000
"""Where fewer match, a scan of all finds them sooner than a walk along the order fills a page."""
FEW_WITH_WORDS = 5_000
"""The same where each step of the walk has to look up words."""
SORTED_BY: Mapping[str, tuple[str, type]] = {
    "created": ("created_at", datetime),
    "score": ("score", float),
    "cost": ("cost_micro", int),
    "turns": ("turns", int),
    "words": ("words", int),
}
"""Order to its column, which has an index together with the id, and the column's type."""
OF_CORPUS = ("config", "mode", "language")
"""Fields of a summary that are the run's."""
COLUMNS = ", ".join(
    f"k.{name}" if name in OF_CORPUS else f"v.{name}" for name in ConversationSummary.model_fields
)


async def plan_each_time(c: Connection) -> None:
    """Plan the questions of this transaction for what they ask, and give them up when they take too long."""
    await c.execute(
        f"set local plan_cache_mode = force_custom_plan; set local statement_timeout = {MOST_MS}"
    )


def column_of(sort: ConversationSort) -> tuple[str, type]:
    """Column of table ``corpus`` that an order goes by, and its type."""
    return SORTED_BY[sort.lstrip("-")]


async def page_of_conversations(
    c: Connection,
    wanted: ConversationFilter,
    sort: ConversationSort,
    *,
    limit: int,
    after: tuple[SortKey, str] | None,
) -> list[tuple[ConversationSummary, SortKey]]:
    """Conversations in order, each with what it is sorted by; ``after`` is key and id of the last one before."""
    places = await _walk(c, wanted, sort, after, limit=limit)
    rows = await c.fetch(
        f"select {COLUMNS} from corpus k join conversation v on v.id = k.id where k.id = any($1)",
        [name for name, _ in places],
    )
    known = {row["id"]: ConversationSummary(**dict(row)) for row in rows}
    return [(known[name], key) for name, key in places if name in known]


async def beside(
    c: Connection, conversation: str, wanted: ConversationFilter, sort: ConversationSort
) -> Beside | None:
    """The neighbours of a conversation in a list, whether it is in that list or not; None where there is none."""
    column, _ = column_of(sort)
    row = await c.fetchrow(f"select {column} as key from corpus where id = $1", conversation)
    if row is None:
        return None
    place = (row["key"], conversation)
    before = await _walk(c, wanted, sort, place, limit=1, back=True)
    after = await _walk(c, wanted, sort, place, limit=1)
    return Beside(
        previous=before[0][0] if before else None,
        next=after[0][0] if after else None,
    )


async def _walk(
    c: Connection,
    wanted: ConversationFilter,
    sort: ConversationSort,
    place: tuple[SortKey, str] | None,
    *,
    limit: int,
    back: bool = False,
) -> list[tuple[str, SortKey]]:
    """Ids with their keys from a place on, or back from it: those with the number first, then those without."""
    column, _ = column_of(sort)
    descending = sort.startswith("-") != back
    parts = [True, False] if column != "created_at" else [True]
    if back:
        parts.reverse()
    if place is not None:
        parts = parts[parts.index(place[0] is not None) :]
    found: list[tuple[str, SortKey]] = []
    for at, numbered in enumerate(parts):
        chosen = where(wanted)
        if place is not None and at == 0:
            _beyond(chosen, column, place, descending)
        if len(parts) > 1 or column != "created_at":
            chosen.add(f"{column} is {'not ' if numbered else ''}null")
        way = "desc" if descending else "asc"
        order = f"key {way}, id {way}" if numbered else f"id {way}"
        few = await _are_few(c, chosen, FEW_WITH_WORDS if wanted.text else FEW)
        rows = await _in_order(c, column, chosen, order, limit - len(found), few)
        found += _places(rows)
        if len(found) == limit:
            break
    return found


async def _in_order(
    c: Connection, column: str, chosen: Where, order: str, limit: int, few: bool
) -> list[asyncpg.Record]:
    """The first rows in an order.

    To go along the order until a page is full is fast where many match, and takes for ever where Postgres only believes
    that many do. So it is tried for a moment; then all that match are found and sorted.
    """
    table = f"select id, {column} as key from corpus {chosen.sql}"
    end = f"order by {order} limit {chosen.hole(limit)}"
    if not few:
        with suppress(asyncpg.QueryCanceledError):
            async with c.transaction():
                await c.execute(f"set local statement_timeout = {WALK_MS}")
                return list(
                    await c.fetch(f"select id, key from ({table}) k {end}", *chosen.arguments)
                )
    return list(await c.fetch(f"select id, key from ({table} offset 0) k {end}", *chosen.arguments))


async def _are_few(c: Connection, chosen: Where, few: int) -> bool:
    """Whether Postgres believes the conversations to be so few that finding them all is the faster way."""
    plan = await c.fetchval(
        f"explain (format json) select from corpus {chosen.sql}", *chosen.arguments
    )
    return bool(orjson.loads(plan)[0]["Plan"]["Plan Rows"] < few)


def _beyond(chosen: Where, column: str, place: tuple[SortKey, str], descending: bool) -> None:
    side = "<" if descending else ">"
    key, last = place
    if key is None:
        chosen.add(f"id {side} {{}}", last)
    else:
        chosen.add(f"({column}, id) {side} ({{}}, {{}})", key, last)


def _places(rows: Sequence[asyncpg.Record]) -> list[tuple[str, SortKey]]:
    return [(row["id"], row["key"]) for row in rows]
