"""An empty database with the whole schema in it, for one test after the other."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from convo_events.migrate import migrate_database
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure

_KEPT = ("schema_migration", "catalog_version", "catalog_object")
_urls: dict[str, str] = {}


async def empty_database(infrastructure: Infrastructure) -> str:
    """URL of a migrated database without rows. One serves all tests: making many is slow."""
    url = _urls.get(infrastructure.nats_url)
    if url is None:
        url = _urls[infrastructure.nats_url] = infrastructure.create_database()
    connection = await asyncpg.connect(url)
    try:
        await migrate_database(connection)
        tables = await connection.fetch(
            "select tablename from pg_tables where schemaname = 'public' and tablename <> all($1)",
            _KEPT,
        )
        await connection.execute("; ".join(f"delete from {row['tablename']}" for row in tables))
    finally:
        await connection.close()
    return url


@asynccontextmanager
async def migrated(infrastructure: Infrastructure, *, most: int = 8) -> AsyncIterator[Pool]:
    """A pool on the empty database."""
    url = await empty_database(infrastructure)
    async with asyncpg.create_pool(url, min_size=1, max_size=most) as pool:
        yield pool
