"""The text of some accepted conversations, and what the projector has counted of all of them."""

from collections.abc import Sequence

import asyncpg

from convo_events.accepted_text import AcceptedText
from convo_events.conversations import Role
from convo_events.store import Connection


async def last_accepted(c: Connection, run: str, most: int) -> list[AcceptedText]:
    """The last accepted conversations by the order of their verdicts, oldest first."""
    rows = await c.fetch(
        "select id from conversation where run = $1 and status = 'accepted'"
        " order by settled_seq desc limit $2",
        run,
        most,
    )
    return await texts_of(c, [row["id"] for row in reversed(rows)])


async def texts_of(c: Connection, conversations: Sequence[str]) -> list[AcceptedText]:
    """The text of each of them, in their order."""
    rows = await c.fetch(
        "select conversation, role, body from turn where conversation = any($1) order by conversation, number",
        list(conversations),
    )
    turns: dict[str, list[tuple[Role, str]]] = {name: [] for name in conversations}
    for row in rows:
        turns[row["conversation"]].append((row["role"], row["body"]))
    return [AcceptedText(name, said) for name, said in turns.items()]


async def counted_of(c: Connection, run: str) -> asyncpg.Record | None:
    """What is counted of all accepted conversations of a run; None where nothing is yet."""
    return await c.fetchrow("select * from run_distribution where run = $1", run)
