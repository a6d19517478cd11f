"""Where conversations come from that were made elsewhere."""

from collections.abc import Sequence

import orjson

from convo_events.store import Connection
from convo_gateway.shapes.conversations import OriginShown


async def origins_of(c: Connection, conversations: Sequence[str]) -> dict[str, dict[str, object]]:
    """Source, row, metadata and what was left out of those that were made elsewhere, by conversation."""
    rows = await c.fetch(
        "select conversation, source, row, metadata, left_out from origin where conversation = any($1)",
        conversations,
    )
    kept = ("metadata", "left_out")
    return {
        row["conversation"]: {**row, **{part: orjson.loads(row[part]) for part in kept}}
        for row in rows
    }


async def origin_of(c: Connection, conversation: str, snapshot: str) -> OriginShown | None:
    """The row of a file that a conversation was; None where it was made here.

    Args:
        c: a connection.
        conversation: its id.
        snapshot: hash of what its run froze, which has the name of the file.
    """
    row = await c.fetchrow(
        "select source, row, metadata, left_out, exists (select from import_source where id = source) as is_there"
        " from origin where conversation = $1",
        conversation,
    )
    if row is None:
        return None
    name = await c.fetchval(
        "select convert_from(body, 'UTF8')::json #>> '{source,name}' from snapshot where hash = $1",
        snapshot,
    )
    kept = {part: orjson.loads(row[part]) for part in ("metadata", "left_out")}
    return OriginShown.model_validate({**row, **kept, "name": name})
