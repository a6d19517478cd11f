"""Services and servers die at random moments; the run ends all the same, and nothing is paid or counted twice."""

import asyncio
import random
import signal

import pytest

from convo_events.catalog import Memory, Roughening
from tests.fake_provider.client import FakeProvider
from tests.fake_provider.rules import Uniform
from tests.faults.invariants import check_all, rebuilds_agree
from tests.journeys import brought_in
from tests.journeys.configs import EVERY_OPTION, snapshot
from tests.journeys.pipeline import Pipeline, pipeline

NEVER_REACHED_MICRO = 1_000_000_000
"""A cap, so that every call is reserved; none of it may be left in the end."""
VICTIMS = (
    "generator-1",
    "generator-2",
    "judge-1",
    "filters-1",
    "scheduler",
    "projector",
    "nats",
    "postgres",
)


async def _kill_at_random(p: Pipeline, rng: random.Random, kills: int, pause_s: float) -> list[str]:
    killed = []
    for _ in range(kills):
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pause_s)
        victim = rng.choice(VICTIMS)
        try:
            p.stack.kill(victim, signal.SIGKILL)
        except (KeyError, ProcessLookupError):
            continue
        killed.append(victim)
    return killed


async def _all_were_read_as_they_are(p: Pipeline, run: str, count: int) -> None:
    """What was brought in is in the run once, turn by turn, and nobody was asked for it."""
    turns = await p.all(
        "select t.role, t.body from turn t join conversation c on c.id = t.conversation where c.run = $1",
        run,
    )
    expected = sorted(turn for number in range(count) for turn in brought_in.said(number))
    assert sorted((turn["role"], turn["body"]) for turn in turns) == expected
    assert await p.one("select count(*) from model_attempt where run = $1", run) == 0


async def _chaos(count: int, kills: int, seed: int, pause_s: float) -> None:
    rng = random.Random(seed)
    frozen = snapshot(count, threads=64, timeout_s=4, concurrency=32)
    returning = snapshot(
        count // 6,
        threads=12,
        timeout_s=4,
        concurrency=32,
        mode="sessions",
        memory=Memory(),
        roughen=Roughening(share=0.5),
        judging=EVERY_OPTION,
    )
    imported = brought_in.importing(count // 3, threads=16)
    with FakeProvider.start() as provider:
        provider.program(latency=Uniform(0.02, 0.2), accept_share=0.9)
        workers = {"generator": 2, "judge": 1, "filters": 1}
        async with pipeline(provider, workers=workers, environ={"CONVO_ACK_WAIT_S": "3"}) as p:
            await p.start("run-chaos", frozen, cap_micro=NEVER_REACHED_MICRO)
            await p.start("run-returning", returning)
            await brought_in.stage(p.pool, count // 3)
            await p.start("run-imported", imported)
            killed = await _kill_at_random(p, rng, kills, pause_s)
            view = await p.ended("run-chaos", 420)
            assert view["status"] == "completed", (view, killed)
            view = await p.ended("run-returning", 420)
            assert view["status"] == "completed", (view, killed)
            await check_all(p, "run-chaos", frozen)
            (budget,) = await p.all("select * from run_budget where run = 'run-chaos'")
            booked = await p.one(
                "select sum(cost_micro)::bigint from model_attempt where run = 'run-chaos'"
            )
            assert (budget["spent_micro"], budget["reserved_micro"]) == (booked, 0)
            await check_all(p, "run-returning", returning)
            view = await p.ended("run-imported", 420)
            assert view["status"] == "completed", (view, killed)
            await check_all(p, "run-imported", imported)
            await _all_were_read_as_they_are(p, "run-imported", imported.target)
            await rebuilds_agree(p)


@pytest.mark.connected
def test_I1_to_I5_and_I8_hold_when_services_are_killed_at_random() -> None:
    asyncio.run(_chaos(count=300, kills=9, seed=20261129, pause_s=1.5))


@pytest.mark.connected
@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_soak_2000_conversations_under_many_kills(seed: int) -> None:
    asyncio.run(_chaos(count=2_000, kills=30, seed=seed, pause_s=3))
