"""The serial point: who was first stays, who is too near to it does not. Numbers in names are public faults."""

from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import permutations

import pytest

from convo_events import ids
from convo_events.similarity import jaccard, shingles
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_scheduler.settling import Settling
from tests.databases import migrated
from tests.journeys.configs import snapshot
from tests.scheduler.accepting import LIMIT, Runs, frozen

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
BOATS = "we sanded the old hull for three long days before the varnish went on under the shed roof"
NEAR = BOATS + " again"
SOUPS = (
    "my grandmother boils the bones all night and skims the fat away at dawn with a wooden spoon"
)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


@pytest.fixture
async def runs(pool: Pool) -> Runs:
    made = Runs(pool, Settling(pool))
    await made.plan("run-a", frozen())
    return made


def name(thread: int, run: str = "run-a") -> str:
    return ids.conversation_id(run, thread, 0)


async def test_of_two_that_are_too_near_the_earlier_wins(runs: Runs) -> None:
    first = await runs.candidate("run-a", 1, BOATS)
    other = await runs.candidate("run-a", 2, SOUPS)
    second = await runs.candidate("run-a", 3, NEAR)

    assert await runs.near(first, other, second) == {name(3): name(1)}
    assert await runs.near(second, other, first) == {name(1): name(3)}


async def test_d02_a_rejected_candidate_takes_nobody_with_it(runs: Runs) -> None:
    """The middle one is near to both sides, which are far enough from each other."""
    words = BOATS.split()
    one = await runs.candidate("run-a", 1, " ".join(words[:-3]))
    middle = await runs.candidate("run-a", 2, BOATS)
    two = await runs.candidate("run-a", 3, " ".join(words[3:]))
    assert await runs.near(one, middle, two) == {name(2): name(1)}
    assert await runs.near(middle, one, two) == {name(1): name(2), name(3): name(2)}


async def test_d08_in_any_order_the_first_stays_and_every_other_is_near_to_one_that_stays(
    runs: Runs,
) -> None:
    words = BOATS.split()
    texts = [" ".join(words[at : at + 15]) for at in range(4)] + [SOUPS]
    states = [await runs.candidate("run-a", at, text) for at, text in enumerate(texts)]
    sets = {name(at): shingles([text]) for at, text in enumerate(texts)}
    for order in permutations(states):
        near = await runs.near(*order)
        stay = [n for n in map(name, (s.thread for s in order)) if n not in near]
        assert stay[0] == name(order[0].thread)
        assert all(jaccard(sets[a], sets[b]) <= LIMIT for a in stay for b in stay if a != b)
        assert all(n in stay and jaccard(sets[who], sets[n]) > LIMIT for who, n in near.items())


async def test_what_the_index_has_counts(runs: Runs) -> None:
    await runs.candidate("run-a", 1, BOATS)
    await runs.fold("run-a", 1, BOATS)

    assert await runs.near(await runs.candidate("run-a", 2, NEAR)) == {name(2): name(1)}


async def test_what_is_accepted_and_not_folded_yet_counts(runs: Runs) -> None:
    runs.accepted(await runs.candidate("run-a", 1, BOATS), 90)
    second = await runs.candidate("run-a", 2, NEAR)
    assert await runs.near(second) == {name(2): name(1)}
    runs.settling.folded(89)
    assert await runs.near(second) == {name(2): name(1)}

    runs.settling.folded(90)
    assert await runs.near(second) == {}
    await runs.fold("run-a", 1, BOATS)
    assert await runs.near(second) == {name(2): name(1)}


async def test_a_candidate_is_not_near_to_itself(runs: Runs) -> None:
    """Its acceptance may be in the log already, when the answer to an append was lost."""
    first = await runs.candidate("run-a", 1, BOATS)
    runs.accepted(first, 90)
    await runs.fold("run-a", 1, BOATS)

    assert await runs.near(first) == {}


async def test_where_layer_two_is_off_nothing_is_near(runs: Runs) -> None:
    first = await runs.candidate("run-a", 1, BOATS)
    second = await runs.candidate("run-a", 2, BOATS)
    off = snapshot(9, threads=9, near_duplicate=None)
    assert await runs.settling.neighbours([first, second], off, "off") == {}

    bare = [replace(state, signature="", fingerprint="") for state in (first, second)]
    assert await runs.near(*bare) == {}


async def test_a_look_that_is_old_is_made_again(runs: Runs, pool: Pool) -> None:
    """More was accepted since than is read for all together: the near one is far behind the newest."""
    await runs.candidate("run-a", 1, BOATS)
    await runs.fold("run-a", 1, BOATS)
    for thread in range(10, 14):
        await runs.fold("run-a", thread, f"{SOUPS} number {thread} and {thread * 7} more")
    late = await runs.candidate("run-a", 2, NEAR, looked_at=0)

    short = Runs(pool, Settling(pool, recent=2), runs.snapshots)
    assert await short.near(late) == {name(2): name(1)}
    end = await pool.fetchval("select max(position) from accepted_signature")
    fresh = replace(late, looked_at=end)
    assert await short.near(fresh) == {}, "the filters have looked at it"


async def test_what_an_earlier_convo_accepted_is_compared_by_its_words(
    runs: Runs, pool: Pool
) -> None:
    await runs.candidate("run-a", 1, BOATS)
    await runs.fold("run-a", 1, BOATS)
    await pool.execute("update accepted_signature set corpus = '{}', sample = '{}'")

    assert await runs.near(await runs.candidate("run-a", 2, NEAR)) == {name(2): name(1)}
