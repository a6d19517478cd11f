"""Reviews of conversations, from the fold."""

from collections.abc import Sequence

import asyncpg
import orjson
from pydantic import TypeAdapter

from convo_events.reviews import Edit
from convo_events.store import Connection
from convo_gateway.shapes.reviews import Reviews, ReviewShown

MOST_HISTORY = 100
_EDITS = TypeAdapter(tuple[Edit, ...])


async def reviews_of(c: Connection, conversation: str) -> Reviews:
    """What people said of a conversation, newest first."""
    rows = await c.fetch(
        """
        select version, reviewer, decision, reason, note, edits, at
        from review where conversation = $1 order by version desc limit $2
        """,
        conversation,
        MOST_HISTORY,
    )
    history = [_shown(row) for row in rows]
    latest = history[0] if history else None
    return Reviews(
        conversation=conversation,
        version=latest.version if latest else 0,
        latest=latest,
        history=history,
    )


async def edits_at(
    c: Connection, places: Sequence[tuple[str, int]]
) -> dict[str, tuple[int, tuple[Edit, ...]]]:
    """Conversation to its version and edits, for each that has a review of the version named."""
    rows = await c.fetch(
        """
        select r.conversation, r.version, r.edits from review r
        join unnest($1::text[], $2::int[]) as x (conversation, version)
          on r.conversation = x.conversation and r.version = x.version
        """,
        [conversation for conversation, _ in places],
        [version for _, version in places],
    )
    return {
        row["conversation"]: (row["version"], _EDITS.validate_json(row["edits"])) for row in rows
    }


async def places_of(c: Connection, conversations: Sequence[str]) -> dict[str, asyncpg.Record]:
    """Run, thread and number of each conversation that there is."""
    rows = await c.fetch(
        "select id, run, thread, number from conversation where id = any($1)", list(conversations)
    )
    return {row["id"]: row for row in rows}


async def turns_of(c: Connection, conversation: str) -> list[asyncpg.Record]:
    """Role, text and finish of every turn, oldest first."""
    return list(
        await c.fetch(
            "select role, body, finish from turn where conversation = $1 order by number",
            conversation,
        )
    )


def _shown(row: asyncpg.Record) -> ReviewShown:
    return ReviewShown.model_validate(dict(row) | {"edits": orjson.loads(row["edits"])})
