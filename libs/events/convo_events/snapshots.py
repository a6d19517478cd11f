"""Frozen inputs by their hash, kept in memory once read: they never change."""

import asyncio
from collections import OrderedDict

from convo_events.errors import NotFound
from convo_events.snapshot import Snapshot
from convo_events.store import Connection, Pool, outage_named

KEPT = 32


class Snapshots:
    """Reads snapshots, the last few from memory."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self._reading = asyncio.Lock()

    async def get(self, content_hash: str) -> Snapshot:
        """The snapshot with that hash.

        Raises:
            NotFound: when it was never stored.
            Unavailable: when Postgres is away.
        """
        found = self._kept.get(content_hash)
        if found is not None:
            self._kept.move_to_end(content_hash)
            return found
        async with self._reading:
            # Many steps of a new run ask at once: the first reads, the others find it.
            return self._kept.get(content_hash) or await self._read(content_hash)

    async def _read(self, content_hash: str) -> Snapshot:
        async with outage_named():
            body = await self._pool.fetchval(
                "select body from snapshot where hash = $1", content_hash
            )
        if body is None:
            raise NotFound(f"snapshot {content_hash} is not stored")
        snapshot = Snapshot.model_validate_json(body)
        self._kept[content_hash] = snapshot
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return snapshot


async def store_snapshot(c: Connection, snapshot: Snapshot) -> str:
    """Keep a snapshot under its hash; the hash."""
    content_hash = snapshot.hash()
    await c.execute(
        "insert into snapshot (hash, body) values ($1, $2) on conflict do nothing",
        content_hash,
        snapshot.body(),
    )
    return content_hash
