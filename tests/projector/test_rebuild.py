"""The read model made again equals the live one, row by row, and a row that differs is found."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from nats.aio.client import Client

from convo_events.bus import connect
from convo_events.codec import Event
from convo_events.log import Letter, LogPublisher, letter
from convo_events.outcomes import Generated, Origin
from convo_events.settings import Settings
from convo_events.store import Pool
from convo_events.streams import check_log, create_streams
from convo_events.subjects import DEAD_STREAM, LOG_STREAM
from convo_gateway.stack.infrastructure import Infrastructure
from convo_projector.fold import Fold
from convo_projector.rebuild import Difference, fold_log, main, rebuild
from tests.databases import empty_database, migrated
from tests.histories import envelope, history
from tests.journeys.configs import snapshot
from tests.projector.folding import fold_all, opened, tables

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
SNAPSHOT = snapshot(5, threads=2, turns=2, retries=1)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


@pytest.fixture
async def settings(infrastructure: Infrastructure) -> Settings:
    url = await empty_database(infrastructure)
    return Settings.from_env(infrastructure.env("migrator", database_url=url))


async def test_i8_a_rebuild_from_the_archive_equals_the_live_tables(
    pool: Pool, settings: Settings
) -> None:
    for seed, cancel in ((1, False), (2, True)):
        fold = await opened(pool, f"log-{seed}")
        log = history(SNAPSHOT, seed, 150, run=f"run-{seed}", cancel=cancel).log
        await fold_all(fold, [(name, read(event)) for name, event in log], (7, 30))
    assert await pool.fetchval("select metadata ->> 'system' from origin limit 1") == "Be \ufffd."
    before = await tables(pool)

    assert await rebuild(settings, "archive") == []
    assert await tables(pool) == before
    assert await pool.fetchval("select to_regnamespace('rebuilt')") is None


def read(event: Event) -> Event:
    """The event of a first turn as if the turn had been read."""
    if not isinstance(event, Generated) or event.first_turn:
        return event
    origin = Origin(source="imp-1", row=event.thread + 1, metadata={"system": "Be \0."})
    return event.model_copy(update={"origin": origin})


async def test_the_rebuilt_tables_are_kept_where_asked(pool: Pool, settings: Settings) -> None:
    await fold_all(await opened(pool), history(SNAPSHOT, 1, 50).log)

    assert await rebuild(settings, "archive", keep=True) == []
    assert await tables(pool, "rebuilt") == await tables(pool)
    assert await rebuild(settings, "archive") == []


@pytest.mark.parametrize(
    ("damage", "table", "rows"),
    [
        ("update run_view set accepted = accepted - 1", "run_view", 2),
        ("delete from conversation where number = 0 and thread = 0", "conversation", 1),
        ("update turn set body = body || '!' where number = 1", "turn", 10),
        ("update run_cost set cost_micro = cost_micro + 1", "run_cost", None),
        (
            "update thread set state = jsonb_set(state, '{tries}', '9') where thread = 1",
            "thread",
            2,
        ),
        ("insert into fence (leader) values (5)", "fence", 1),
    ],
)
async def test_what_differs_is_named(
    pool: Pool, settings: Settings, damage: str, table: str, rows: int | None
) -> None:
    await fold_all(await opened(pool), history(SNAPSHOT, 8, 0).log)
    await pool.execute(damage)

    found = await rebuild(settings, "archive")

    assert {difference.table for difference in found} == {table}
    assert rows is None or len(found) == rows
    assert str(Difference("turn", "public", "{}")) == "turn: only in public: {}"


async def test_an_empty_archive_is_rebuilt_empty(pool: Pool, settings: Settings) -> None:
    await opened(pool)
    assert await rebuild(settings, "archive") == []


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    """NATS with streams, for one test."""
    broker = await connect(settings)
    try:
        await create_streams(broker.connection)
        yield broker.connection
        for name in (LOG_STREAM, DEAD_STREAM):
            await broker.connection.jetstream().delete_stream(name)
    finally:
        await broker.stop()


async def test_i8_a_rebuild_from_the_log_equals_archive_and_live_tables(
    infrastructure: Infrastructure,
    pool: Pool,
    settings: Settings,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    created = await check_log(client, settings.nats_monitor_url)
    found = history(SNAPSHOT, 9, 150)
    letters = [letter(envelope(key, n), e) for n, (key, e) in enumerate(found.log)]
    letters.insert(3, Letter("convo.ev.out.run-h.0", b"poison"))
    last = await LogPublisher(client).append(letters)
    fold = Fold(pool, created)
    await fold.open()
    await fold_log(settings, fold, last)
    assert fold.position == last

    assert await rebuild(settings, "log") == []
    assert await rebuild(settings, "archive") == []

    for name, value in infrastructure.env("migrator", database_url=settings.dsn()).items():
        monkeypatch.setenv(name, value)
    assert await asyncio.to_thread(main, ["--from", "log", "--check"]) == 0
    assert capsys.readouterr().err == "rebuild from the log: equal to the live tables\n"
    await pool.execute("update run_view set name = 'another'")
    assert await asyncio.to_thread(main, ["--from", "archive", "--check"]) == 1
    said = capsys.readouterr()
    assert said.err == "rebuild from the archive: 2 rows differ\n"
    assert said.out.startswith("run_view: only in public: {")
    monkeypatch.delenv("CONVO_NATS_URL")
    assert await asyncio.to_thread(main, ["--from", "archive", "--check"]) == 2
