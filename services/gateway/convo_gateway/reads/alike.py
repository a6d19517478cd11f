"""What a conversation was too near to, and turns of both; never more than a page of each."""

import orjson
from pydantic import TypeAdapter

from convo_events.conversations import Hit, Role
from convo_events.store import Connection

MOST_CHARACTERS = 8_000
"""Of one turn."""
_HITS = TypeAdapter(list[Hit])

Piece = tuple[int, Role, str, bool]
"""Number, role, text as far as it is read, and whether there is more of it."""


async def near_hits(c: Connection, conversation: str) -> tuple[str, list[Hit]] | None:
    """Hash of what its run froze, and the hits that name a neighbour, in precedence order; None where there is none."""
    row = await c.fetchrow(
        """
        select r.snapshot, v.hit, v.also from conversation v join run_view r on r.run = v.run where v.id = $1
        """,
        conversation,
    )
    if row is None:
        return None
    recorded = [orjson.loads(row["hit"])] if row["hit"] else []
    hits = _HITS.validate_python([*recorded, *orjson.loads(row["also"])])
    return row["snapshot"], [hit for hit in hits if hit.neighbour is not None]


async def run_and_turns(c: Connection, conversation: str) -> tuple[str, int] | None:
    """Run of a conversation and how many turns it has; None where there is none."""
    row = await c.fetchrow("select run, turns from conversation where id = $1", conversation)
    return (row["run"], row["turns"]) if row else None


async def pieces(c: Connection, conversation: str, *, first: int, most: int) -> list[Piece]:
    """Turns from number ``first`` on, each as far as a page shows it."""
    rows = await c.fetch(
        """
        select number, role, left(body, $4) as body, length(body) > $4 as cut
        from turn where conversation = $1 and number >= $2 order by number limit $3
        """,
        conversation,
        first,
        most,
        MOST_CHARACTERS,
    )
    return [(row["number"], row["role"], row["body"], row["cut"]) for row in rows]
