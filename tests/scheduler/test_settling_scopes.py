"""The serial point over several runs: what a scope holds, and that it holds while runs race."""

import asyncio
import random
from collections.abc import AsyncIterator
from itertools import combinations

import pytest

from convo_events import ids
from convo_events.masking import mask_of
from convo_events.similarity import jaccard, shingles
from convo_events.store import Pool
from convo_events.threads import ThreadState
from convo_gateway.stack.infrastructure import Infrastructure
from convo_scheduler.settling import Settling
from tests.databases import migrated
from tests.scheduler.accepting import LIMIT, Runs, frozen

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
BOATS = "we sanded the old hull for three long days before the varnish went on under the shed roof"
NEAR = BOATS + " again"
TOPICS = (
    "boats sails harbour rope tide keel mast wind",
    "soup bread oven salt onion pepper dough plate",
)


@pytest.fixture
async def runs(infrastructure: Infrastructure) -> AsyncIterator[Runs]:
    async with migrated(infrastructure) as pool:
        yield Runs(pool, Settling(pool))


@pytest.mark.parametrize("folded", [True, False])
@pytest.mark.parametrize(
    ("scope", "config", "sample", "found"),
    [
        ("run", "one", False, False),
        ("config", "one", False, True),
        ("config", "two", False, False),
        ("everything", "two", False, True),
        ("everything", "one", True, False),
    ],
)
async def test_a_scope_holds_what_its_name_says(
    runs: Runs, scope: str, config: str, sample: bool, found: bool, folded: bool
) -> None:
    await runs.plan("run-a", frozen("run", config, sample=sample))
    await runs.plan("run-b", frozen(scope, "one"))
    first = await runs.candidate("run-a", 1, BOATS)
    if folded:
        await runs.fold("run-a", 1, BOATS)
    else:
        runs.accepted(first, 90)

    near = await runs.near(await runs.candidate("run-b", 1, NEAR))
    assert near == ({"run-b.1.0": "run-a.1.0"} if found else {})


async def test_a_run_that_paused_keeps_what_it_accepted_until_it_is_folded(runs: Runs) -> None:
    await runs.plan("run-a", frozen("everything"))
    await runs.plan("run-b", frozen("everything"))
    runs.accepted(await runs.candidate("run-a", 1, BOATS), 90)
    runs.settling.folded(50)

    assert await runs.near(await runs.candidate("run-b", 1, NEAR)) == {"run-b.1.0": "run-a.1.0"}


def texts(count: int) -> list[str]:
    """Texts of which many are near to an earlier one: some words of it are others."""
    rng = random.Random(11)
    made: list[list[str]] = []
    for at in range(count):
        if made and rng.random() < 0.5:
            source = rng.choice(made)
            share = rng.choice((0.0, 0.02, 0.05, 0.1))
            made.append([f"w{rng.randrange(900)}" if rng.random() < share else w for w in source])
        else:
            common = TOPICS[at % 2].split()
            made.append([rng.choice(common) + str(rng.randrange(40)) for _ in range(80)])
    return [" ".join(words) for words in made]


async def settle(runs: Runs, pool: Pool, run: str, told: list[str], rng: random.Random) -> None:
    """Settle in batches, as the scheduler does, with the fold somewhere behind."""
    waiting = [await runs.candidate(run, at, text) for at, text in enumerate(told)]
    behind: list[ThreadState] = []
    while waiting:
        size = rng.randint(1, 12)
        batch, waiting = waiting[:size], waiting[size:]
        async with runs.settling.turn:
            near = await runs.near(*batch)
            await asyncio.sleep(0)
            for state in batch:
                if ids.conversation_id(run, state.thread, 0) not in near:
                    runs.accepted(state, 10**9)
                    behind.append(state)
        if rng.random() < 0.5:
            for state in behind:
                await runs.fold(run, state.thread, told[state.thread])
            behind = []


@pytest.mark.parametrize("scope", ["everything", "config"])
async def test_d08_no_two_that_are_accepted_are_near_though_runs_race(
    runs: Runs, scope: str
) -> None:
    """Two runs settle at once what is near within and between them; then every pair is compared."""
    told = texts(160)
    for run in ("run-a", "run-b"):
        await runs.plan(run, frozen(scope))
    await asyncio.gather(
        settle(runs, runs.pool, "run-a", told[::2], random.Random(1)),
        settle(runs, runs.pool, "run-b", told[1::2], random.Random(2)),
    )
    stay = runs.settling.unfolded
    mask = mask_of(runs.snapshots["run-a"])
    rows = await runs.pool.fetch("select conversation, body from turn")
    sets = {row["conversation"]: shingles([row["body"]], mask) for row in rows}
    assert 40 < len(stay) < 130
    for one, other in combinations(sorted(stay), 2):
        assert jaccard(sets[one], sets[other]) <= LIMIT, f"{one} and {other}"
    for gone in sets.keys() - stay:
        assert any(jaccard(sets[gone], sets[one]) > LIMIT for one in stay), gone
