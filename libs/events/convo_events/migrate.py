"""Bring the database to this version's schema and NATS to its streams: ``python -m convo_events.migrate``.

Safe to run again and safe to run twice at once. Only this program creates streams and tables.
"""

import asyncio
import os
import sys
from importlib import resources

import asyncpg
import nats.errors
import nats.js.errors

from convo_events.bus import connect
from convo_events.errors import ConvoError, Misconfigured
from convo_events.settings import Settings
from convo_events.streams import create_streams

_LOCK = 7_203_511
"""Advisory lock of migrations; any number that nothing else takes."""


def migrations() -> list[tuple[int, str, str]]:
    """(version, name, SQL) of every schema file, oldest first."""
    files = [f for f in resources.files("convo_events.schema").iterdir() if f.name.endswith(".sql")]
    return sorted((int(f.name.split("_", 1)[0]), f.name, f.read_text()) for f in files)


async def migrate_database(connection: asyncpg.Connection) -> list[str]:
    """Names of the migrations that were applied now, oldest first.

    Raises:
        Misconfigured: when the database is newer than this program.
    """
    applied: list[str] = []
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
        await connection.execute(
            "create table if not exists schema_migration ("
            "version integer primary key, name text not null, applied_at timestamptz not null default now())"
        )
        rows = await connection.fetch("select version from schema_migration")
        done = {int(row["version"]) for row in rows}
        known = migrations()
        if done - {version for version, _, _ in known}:
            raise Misconfigured(
                f"the database has schema {max(done)}, this program knows up to {known[-1][0]}: "
                "start a newer convo, or restore an older database"
            )
        for version, name, sql in known:
            if version not in done:
                await connection.execute(sql)
                await connection.execute(
                    "insert into schema_migration (version, name) values ($1, $2)", version, name
                )
                applied.append(name)
    return applied


async def migrate(settings: Settings) -> list[str]:
    """Do all of it; the names of the migrations applied now."""
    connection = await asyncpg.connect(settings.dsn(), timeout=30)
    try:
        applied = await migrate_database(connection)
    finally:
        await connection.close()
    broker = await connect(settings)
    try:
        await create_streams(broker.connection, ack_wait_s=settings.ack_wait_s)
    finally:
        await broker.stop()
    return applied


def main() -> int:
    """Exit code 0, or 1 with one line that says what is wrong."""
    try:
        applied = asyncio.run(migrate(Settings.from_env(os.environ)))
    except (
        ConvoError,
        OSError,
        asyncpg.PostgresError,
        nats.errors.Error,
        nats.js.errors.Error,
    ) as error:
        sys.stderr.write(f"migrate: {error}\n")
        return 1
    sys.stderr.write(f"migrate: {', '.join(applied) or 'nothing to do'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
