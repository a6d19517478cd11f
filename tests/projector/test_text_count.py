"""The text of accepted conversations is counted once each, in order, and the same again by a rebuild."""

from collections.abc import AsyncIterator

import orjson
import pytest

from convo_events.accepted_text import AcceptedText
from convo_events.cardinality import STANDARD_ERROR
from convo_events.distinct import distinct_n, gram_hashes
from convo_events.errors import Unavailable
from convo_events.settings import Settings
from convo_events.store import Pool
from convo_events.words import words
from convo_gateway.stack.infrastructure import Infrastructure
from convo_projector import text_count
from convo_projector.distribution_rows import stored
from convo_projector.distributions import SAMPLE, Distribution
from convo_projector.rebuild import rebuild
from convo_projector.text_count import TextCount
from tests.databases import empty_database, migrated
from tests.histories import history
from tests.journeys.configs import snapshot
from tests.projector.folding import fold_all, opened

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
RUN = "run-t"
ROW = "select (to_jsonb(t) - 'position')::text from run_distribution t where run = $1"


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


def said(number: int) -> tuple[str, str]:
    """A conversation that begins like one in three others and then differs."""
    begin = ("Hello can you", "I would like", "Quick question about")[number % 3]
    return f"{begin} thing{number} thing{number + 1}", f"Sure thing{number}, " + "well " * (
        number % 30
    )


async def accept(pool: Pool, first: int, last: int, run: str = RUN) -> None:
    """Put accepted conversations into archive and text, as the fold does."""
    events, turns = [], []
    for number in range(first, last):
        event = {"type": "conversation.accepted", "run": run, "thread": 0, "conversation": number}
        body = orjson.dumps({"event": event}).decode()
        events.append((number, f"{run}:{number}", run, event["type"], body))
        for at, (role, text) in enumerate(zip(("user", "assistant"), said(number), strict=True)):
            turns.append((f"{run}.0.{number}", at, role, text))
    await pool.executemany(
        "insert into event (seq, id, run, thread, type, late, body) values ($1, $2, $3, 0, $4, false, $5)",
        events,
    )
    await pool.executemany(
        "insert into turn (conversation, number, role, body, finish) values ($1, $2, $3, $4, 'stop')",
        turns,
    )


async def test_all_and_the_last_hundred_are_counted(pool: Pool) -> None:
    await accept(pool, 0, 160)
    await TextCount(pool).catch_up(10**9)

    row = await pool.fetchrow("select * from run_distribution where run = $1", RUN)
    assert row is not None
    assert (row["accepted"], row["window_size"]) == (160, 100)
    assert row["distinct3"] == distinct_n([said(at) for at in range(60, 160)])
    counted, _ = await stored_of(pool)
    every = [[words(turn) for turn in said(at)] for at in range(160)]
    for n, total, sketch in zip((1, 2, 3), row["grams"], counted.sketches, strict=True):
        hashes = [found for tokens in every for found in gram_hashes(tokens, n)]
        assert total == len(hashes)
        assert sketch.estimate() == pytest.approx(len(set(hashes)), rel=3 * STANDARD_ERROR)
    begins = {one.phrase: one.at_least for one in counted.openings["user"].top(3)}
    assert begins == {"hello can you": 54, "i would like": 53, "quick question about": 53}
    assert counted.lengths["assistant"].turns == 160
    assert counted.lengths["assistant"].longest == 31
    assert len(set(counted.sample)) == SAMPLE


async def stored_of(pool: Pool) -> tuple[Distribution, int]:
    async with pool.acquire() as c:
        return await stored(c, RUN)


async def test_stops_and_batches_change_nothing(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await accept(pool, 0, 130)
    await accept(pool, 0, 3, run="run-other")
    whole = TextCount(pool)
    await whole.catch_up(10**9)
    expected = await pool.fetchval(ROW, RUN)
    await pool.execute("delete from run_distribution; delete from distribution_cursor")

    monkeypatch.setattr(text_count, "BATCH", 7)
    monkeypatch.setattr(text_count, "KEPT_HASHES", 0)
    while await TextCount(pool).count():
        pass
    assert await pool.fetchval(ROW, RUN) == expected
    assert await pool.fetchval("select accepted from run_distribution where run = 'run-other'") == 3


async def test_what_somebody_else_counted_is_not_counted_twice(pool: Pool) -> None:
    one, other = TextCount(pool), TextCount(pool)
    await accept(pool, 0, 5)
    assert await one.count() == 5
    await accept(pool, 5, 9)
    assert await other.count() == 4
    await accept(pool, 9, 10)
    assert (await one.count(), await one.count()) == (1, 0)
    assert await pool.fetchval("select accepted from run_distribution") == 10
    window = await pool.fetchval("select distinct3 from run_distribution")
    assert window == distinct_n([said(at) for at in range(10)])


async def test_a_count_that_fails_leaves_everything_as_it_was(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await accept(pool, 0, 4)
    counting = TextCount(pool)

    def refuse(self: Distribution, text: AcceptedText) -> None:
        raise Unavailable("away", part="postgres")

    with monkeypatch.context() as trouble:
        trouble.setattr(Distribution, "add", refuse)
        with pytest.raises(Unavailable):
            await counting.count()
    assert await pool.fetchval("select count(*) from run_distribution") == 0
    assert await counting.count() == 4


async def test_i8_texts_are_counted_the_same_by_a_rebuild(
    pool: Pool, infrastructure: Infrastructure
) -> None:
    settings = Settings.from_env(
        infrastructure.env("migrator", database_url=await empty_database(infrastructure))
    )
    found = history(snapshot(12, threads=3, turns=2, retries=1), 5, 150)
    await fold_all(await opened(pool), found.log)
    counting = TextCount(pool)
    await counting.catch_up(10**9)
    assert await rebuild(settings, "archive") == []

    await pool.execute("update run_distribution set accepted = accepted - 1")
    assert {one.table for one in await rebuild(settings, "archive")} == {"run_distribution"}


async def test_memory_does_not_grow_with_the_run(pool: Pool) -> None:
    await accept(pool, 0, 120)
    counting = TextCount(pool)
    await counting.catch_up(10**9)
    sizes = [await pool.fetchval("select pg_column_size(t.*) from run_distribution t")]
    await accept(pool, 120, 400)
    await counting.catch_up(10**9)
    sizes.append(await pool.fetchval("select pg_column_size(t.*) from run_distribution t"))
    assert sizes[1] < sizes[0] + 4_000
