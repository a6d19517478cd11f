"""Frozen inputs by content. Sole writer of table ``snapshot``."""

from convo_events.snapshot import Snapshot
from convo_events.store import Connection


async def snapshot_body(c: Connection, content: str) -> bytes | None:
    """Canonical JSON of what was frozen under that hash; None where there is none."""
    body: bytes | None = await c.fetchval("select body from snapshot where hash = $1", content)
    return body


async def keep_snapshot(c: Connection, snapshot: Snapshot) -> str:
    """Keep what a run froze; its hash."""
    content = snapshot.hash()
    await c.execute(
        "insert into snapshot (hash, body) values ($1, $2) on conflict (hash) do nothing",
        content,
        snapshot.body(),
    )
    return content
