"""Frozen inputs by content."""

from convo_events.store import Connection


async def snapshot_body(c: Connection, content: str) -> bytes | None:
    """Canonical JSON of what was frozen under that hash; None where there is none."""
    body: bytes | None = await c.fetchval("select body from snapshot where hash = $1", content)
    return body
