"""Schema and streams are brought to this version once, whoever asks and however often."""

import asyncio
import json
from collections.abc import AsyncIterator

import asyncpg
import pytest

from convo_events.codec import encode
from convo_events.errors import Misconfigured
from convo_events.migrate import main, migrate, migrate_database, migrations
from convo_events.outcomes import Generated
from convo_events.service import check_schema
from convo_events.settings import Settings
from convo_gateway.stack.infrastructure import Infrastructure
from tests.events.examples import ENVELOPE, EXAMPLES
from tests.gateway.read_model import ReadModel

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
NAMES = [name for _, name, _ in migrations()]


@pytest.fixture
def url(log_server: Infrastructure) -> str:
    return log_server.create_database()


@pytest.fixture
async def connection(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def tables(connection: asyncpg.Connection) -> set[str]:
    rows = await connection.fetch("select tablename from pg_tables where schemaname = 'public'")
    return {row["tablename"] for row in rows}


def test_migrations_are_numbered_without_gaps() -> None:
    assert [version for version, _, _ in migrations()] == list(range(1, len(NAMES) + 1))


async def test_it_is_done_once(connection: asyncpg.Connection) -> None:
    assert await migrate_database(connection) == NAMES
    made = await tables(connection)
    assert {"run_control", "model_call", "event", "run_view", "schema_migration"} <= made

    assert await migrate_database(connection) == []
    assert await tables(connection) == made


async def test_twice_at_once_is_once(url: str) -> None:
    connections = [await asyncpg.connect(url) for _ in range(3)]
    try:
        applied = await asyncio.gather(*map(migrate_database, connections))
    finally:
        for connection in connections:
            await connection.close()

    assert sorted(applied) == [[], [], NAMES]


async def test_only_what_is_missing_is_applied(connection: asyncpg.Connection) -> None:
    await migrate_database(connection)
    await connection.execute("drop table model_share, model_limit")
    await connection.execute("delete from schema_migration where name like '%limits%'")

    assert await migrate_database(connection) == ["0003_limits.sql"]


async def test_a_newer_database_is_refused_and_left_alone(connection: asyncpg.Connection) -> None:
    await migrate_database(connection)
    await connection.execute("insert into schema_migration (version, name) values (99, 'later')")

    with pytest.raises(Misconfigured, match=r"schema 99.*start a newer convo"):
        await migrate_database(connection)

    assert await connection.fetchval("select max(version) from schema_migration") == 99


async def test_a_broken_migration_leaves_nothing_behind(connection: asyncpg.Connection) -> None:
    await connection.execute("create table run_view (mine integer)")
    with pytest.raises(asyncpg.DuplicateTableError):
        await migrate_database(connection)

    assert await tables(connection) == {"run_view"}


async def test_services_refuse_any_other_schema(url: str, connection: asyncpg.Connection) -> None:
    async with asyncpg.create_pool(url, min_size=1, max_size=1) as pool:
        with pytest.raises(Misconfigured, match=r"schema 0.*run python -m convo_events\.migrate"):
            await check_schema(pool)
        await migrate_database(connection)
        await check_schema(pool)
        await connection.execute("insert into schema_migration values (99, 'later')")
        with pytest.raises(Misconfigured, match="schema 99"):
            await check_schema(pool)


async def test_database_and_streams_twice_at_once(log_server: Infrastructure, url: str) -> None:
    settings = Settings.from_env(log_server.env("migrator", database_url=url))

    applied = await asyncio.gather(migrate(settings), migrate(settings))

    assert sorted(applied) == [[], NAMES]


async def test_the_program_says_what_it_did_or_what_is_wrong(
    log_server: Infrastructure,
    url: str,
    connection: asyncpg.Connection,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in log_server.env("migrator", database_url=url).items():
        monkeypatch.setenv(name, value)

    async def program() -> tuple[int, str]:
        code = await asyncio.to_thread(main)
        return code, capsys.readouterr().err.strip()

    assert await program() == (0, f"migrate: {', '.join(NAMES)}")
    assert await program() == (0, "migrate: nothing to do")
    await connection.execute("insert into schema_migration values (99, 'later')")
    code, said = await program()
    assert code == 1
    assert said.startswith("migrate: the database has schema 99")
    assert "\n" not in said


async def test_origins_of_what_was_folded_before_are_found_in_the_archive(
    url: str, connection: asyncpg.Connection
) -> None:
    schemas = {version: sql for version, _, sql in migrations()}
    for version in range(1, 16):
        await connection.execute(schemas[version])
    example = next(one for one in EXAMPLES if isinstance(one, Generated))
    assert example.origin is not None
    origin = example.origin.model_copy(update={"left_out": ()})
    for run, mode in (("run-read", "import"), ("run-made", "dialogue")):
        await ReadModel(url).run(run, mode=mode)
        for seq, late in ((1, False), (2, True), (3, False)):
            event = example.model_copy(
                update={
                    "run": run,
                    "conversation": seq,
                    "origin": origin if seq < 3 else None,
                }
            )
            row = (seq, f"{run}-{seq}", run, 3, event.type, late, encode(ENVELOPE, event).decode())
            columns = "seq, id, run, thread, type, late, body"
            await connection.execute(
                f"insert into event ({columns}) values ($1, $2, $3, $4, $5, $6, $7)", *row
            )
    await connection.execute(schemas[16])
    (found,) = await connection.fetch("select * from origin")
    assert (found["conversation"], found["source"], found["row"]) == (
        "run-read.3.1",
        origin.source,
        17,
    )
    assert json.loads(found["metadata"]) == origin.metadata
    assert json.loads(found["left_out"]) == []
