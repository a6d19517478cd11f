"""What steps start from: turns in both texts, and the memory that a conversation began with."""

from collections.abc import AsyncIterator

import pytest

from convo_events.conversations import Turn
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models.memories import Memories
from convo_models.transcripts import Transcripts
from tests.databases import migrated

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


async def remember(pool: Pool, run: str, thread: int, number: int, body: str) -> None:
    await pool.execute(
        "insert into memory (conversation, run, thread, number, body, cut) values ($1, $2, $3, $4, $5, false)",
        f"{run}.{thread}.{number}",
        run,
        thread,
        number,
        body,
    )


async def test_a_conversation_starts_from_the_latest_memory_before_it(pool: Pool) -> None:
    for number, body in ((0, "first"), (3, "fourth")):
        await remember(pool, "run-a", 1, number, body)
    await remember(pool, "run-a", 2, 0, "of another thread")
    await remember(pool, "run-b", 1, 0, "of another run")
    memories = Memories(pool)
    found = [await memories.before("run-a", 1, number) for number in range(6)]
    assert found == ["", "first", "first", "first", "fourth", "fourth"]
    assert await memories.before("run-a", 7, 3) == ""


async def test_what_a_conversation_started_from_stands(pool: Pool) -> None:
    memories = Memories(pool)
    assert await memories.before("run-a", 0, 2) == ""
    await remember(pool, "run-a", 0, 0, "too late for those who asked")
    assert await memories.before("run-a", 0, 2) == ""


async def test_a_step_that_comes_again_after_the_roughening_reads_what_it_read_before(
    pool: Pool,
) -> None:
    await pool.executemany(
        "insert into turn (conversation, number, role, body, raw, finish) values ('c', $1, $2, $3, $4, 'stop')",
        [(0, "user", "hi there", "Hi there."), (1, "assistant", "Hello.", None)],
    )
    found = await Transcripts(pool).get("c")
    assert found.turns == (
        Turn(role="user", text="hi there"),
        Turn(role="assistant", text="Hello."),
    )
    assert [turn.text for turn in found.generated] == ["Hi there.", "Hello."]
    assert (await Transcripts(pool).get("none")).generated == ()
