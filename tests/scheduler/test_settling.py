"""The serial point of a run: who was first stays, who is too near to it does not."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from convo_events import ids
from convo_events.similarity import encode_signature, shingles, signature, template_mask
from convo_events.store import Pool
from convo_events.threads import ThreadState
from convo_gateway.stack.infrastructure import Infrastructure
from convo_scheduler.settling import Settling
from tests.databases import migrated
from tests.journeys.configs import snapshot

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
LIMIT = 0.7
SNAPSHOT = snapshot(9, threads=9, near_duplicate=LIMIT)
MASK = template_mask(SNAPSHOT.prompt_set, SNAPSHOT.pools)
BOATS = "we sanded the old hull for three long days before the varnish went on under the shed roof"
NEAR = BOATS + " again"
SOUPS = (
    "my grandmother boils the bones all night and skims the fat away at dawn with a wooden spoon"
)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


def name(thread: int) -> str:
    return ids.conversation_id("run-a", thread, 0)


def bands(text: str) -> tuple[int, ...]:
    return signature(shingles([text], MASK), LIMIT, "run-a")


async def candidate(pool: Pool, thread: int, text: str) -> ThreadState:
    """A candidate whose turns are folded."""
    await pool.execute("insert into turn values ($1, 0, 'user', $2, 'stop')", name(thread), text)
    return ThreadState(
        run="run-a",
        thread=thread,
        conversation=0,
        step=4,
        kind="judge",
        turn=2,
        emit=1,
        epoch=1,
        phase="due",
        signature=encode_signature(bands(text)),
    )


async def fold_accepted(pool: Pool, thread: int, text: str) -> None:
    await pool.execute(
        "insert into accepted_signature (conversation, run, bands) values ($1, 'run-a', $2)",
        name(thread),
        list(bands(text)),
    )


async def near(settling: Settling, *candidates: ThreadState) -> dict[str, str]:
    found = await settling.neighbours(list(candidates), SNAPSHOT, "hash")
    assert all(LIMIT < (hit.similarity or 0) <= 1 for hit in found.values())
    assert all(hit.excerpt for hit in found.values()), "D05: the shared words are shown"
    return {who: hit.neighbour or "" for who, hit in found.items()}


async def test_of_two_that_are_too_near_the_earlier_wins(pool: Pool) -> None:
    first, other = await candidate(pool, 1, BOATS), await candidate(pool, 2, SOUPS)
    second = await candidate(pool, 3, NEAR)

    assert await near(Settling(pool), first, other, second) == {name(3): name(1)}
    assert await near(Settling(pool), second, other, first) == {name(1): name(3)}


async def test_a_rejected_candidate_takes_nobody_with_it(pool: Pool) -> None:
    """The middle one is near to both sides, which are far enough from each other."""
    words = BOATS.split()
    left, right = " ".join(words[:-3]), " ".join(words[3:])
    one, middle, two = (
        await candidate(pool, 1, left),
        await candidate(pool, 2, BOATS),
        await candidate(pool, 3, right),
    )
    assert await near(Settling(pool), one, middle, two) == {name(2): name(1)}
    assert await near(Settling(pool), middle, one, two) == {name(1): name(2), name(3): name(2)}


async def test_what_the_index_has_counts(pool: Pool) -> None:
    await candidate(pool, 1, BOATS)
    await fold_accepted(pool, 1, BOATS)

    assert await near(Settling(pool), await candidate(pool, 2, NEAR)) == {name(2): name(1)}


async def test_what_is_accepted_and_not_folded_yet_counts(pool: Pool) -> None:
    settling = Settling(pool)
    settling.accepted(await candidate(pool, 1, BOATS), 90)
    second = await candidate(pool, 2, NEAR)
    assert await near(settling, second) == {name(2): name(1)}
    settling.folded("run-a", 89)
    assert await near(settling, second) == {name(2): name(1)}

    settling.folded("run-a", 90)
    assert await near(settling, second) == {}
    await fold_accepted(pool, 1, BOATS)
    assert await near(settling, second) == {name(2): name(1)}


async def test_the_memory_of_a_run_ends_with_it(pool: Pool) -> None:
    settling = Settling(pool)
    settling.accepted(await candidate(pool, 1, BOATS), 90)
    settling.forget("run-a")
    settling.folded("run-a", 100)

    assert await near(settling, await candidate(pool, 2, NEAR)) == {}


async def test_a_candidate_is_not_near_to_itself(pool: Pool) -> None:
    """Its acceptance may be in the log already, when the answer to an append was lost."""
    settling = Settling(pool)
    first = await candidate(pool, 1, BOATS)
    settling.accepted(first, 90)
    await fold_accepted(pool, 1, BOATS)

    assert await near(settling, first) == {}


async def test_where_layer_two_is_off_nothing_is_near(pool: Pool) -> None:
    first, second = await candidate(pool, 1, BOATS), await candidate(pool, 2, BOATS)
    off = snapshot(9, threads=9, near_duplicate=None)
    assert await Settling(pool).neighbours([first, second], off, "off") == {}

    bare = [replace(state, signature="") for state in (first, second)]
    assert await near(Settling(pool), *bare) == {}


async def test_other_runs_are_not_looked_at(pool: Pool) -> None:
    await candidate(pool, 1, BOATS)
    await pool.execute(
        "insert into accepted_signature (conversation, run, bands) values ($1, 'run-b', $2)",
        name(1),
        list(bands(BOATS)),
    )
    assert await near(Settling(pool), await candidate(pool, 2, NEAR)) == {}
