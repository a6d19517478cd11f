"""What a run masks because most conversations of its prompt set have it: found before the start, and frozen."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from convo_events.masking import FEWEST, mask_of
from convo_events.similarity import shingles
from convo_events.snapshot import Snapshot
from convo_events.store import Pool
from convo_gateway.reads.earlier_text import with_common_text
from convo_gateway.stack.infrastructure import Infrastructure
from tests.databases import empty_database
from tests.gateway import objects
from tests.gateway.read_model import ReadModel
from tests.journeys.configs import snapshot

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
GREETING = "thank you for calling the bakery on main street"
FEW = "we close a little earlier on sundays in winter"


@pytest.fixture
async def model(infrastructure: Infrastructure) -> ReadModel:
    """A read model beside a catalog in which config ``bakery`` has prompt set ``calls``."""
    url = await empty_database(infrastructure)
    await objects.add(url, "run-configs", objects.config("bakery", prompt_set="calls"))
    return ReadModel(url)


@pytest.fixture
async def pool(model: ReadModel) -> AsyncIterator[Pool]:
    async with asyncpg.create_pool(model.url, min_size=1, max_size=2) as pool:
        yield pool


def wanted(prompt_set: str = "calls") -> Snapshot:
    made = snapshot(9, threads=9)
    named = made.prompt_set.model_copy(update={"name": prompt_set})
    return made.model_copy(update={"prompt_set": named})


async def accept(
    model: ReadModel, pool: Pool, run: str, count: int, kind: str = "generation"
) -> None:
    """A run of config ``bakery`` in which two thirds of the conversations begin with the greeting."""
    version = await pool.fetchval("select latest from catalog_object where name = 'bakery'")
    await model.run(
        run, config="bakery", config_version=version, kind=kind, target=99, accepted=count
    )
    first = await model.conversation(run, 0)
    await pool.execute(
        "insert into conversation select (jsonb_populate_record(c, jsonb_build_object("
        "'id', c.run || '.' || n || '.0', 'thread', n))).*"
        " from conversation c, generate_series(1, $2) n where c.id = $1",
        first,
        count - 1,
    )
    await pool.executemany(
        "insert into turn (conversation, number, role, body, finish) values ($1, $2, 'user', $3, 'stop')",
        [
            (f"{run}.{at}.0", number, text)
            for at in range(count)
            for number, text in enumerate((GREETING if at % 3 else FEW, f"loaf {at}, {at} rolls"))
        ],
    )


async def masked(pool: Pool, before: Snapshot) -> Snapshot:
    async with pool.acquire() as c:
        return await with_common_text(c, before)


async def test_what_most_of_the_earlier_conversations_share_is_frozen(
    model: ReadModel, pool: Pool
) -> None:
    await accept(model, pool, "run-a", FEWEST + 4)
    plain = wanted()
    after = await masked(pool, plain)

    assert mask_of(after) - mask_of(plain) == shingles([GREETING])
    assert after.hash() != plain.hash()
    assert Snapshot.model_validate_json(after.body()) == after
    assert mask_of(after) == mask_of(await masked(pool, plain)), "the same ones, the same mask"


async def test_without_enough_history_a_snapshot_is_as_it_was(model: ReadModel, pool: Pool) -> None:
    await accept(model, pool, "run-a", FEWEST - 1)
    await accept(model, pool, "run-sample", FEWEST, kind="sample")
    plain = wanted()
    assert await masked(pool, plain) is plain
    assert b"common" not in plain.body()

    await accept(model, pool, "run-b", 1)
    assert (await masked(pool, plain)).common
    assert await masked(pool, wanted("other")) == wanted("other")
