"""The estimate of a second run beside what it then spends, on a whole stack with retries, rejects and every role."""

from typing import Any

import pytest

from convo_events.catalog import LengthShare, Memory, Mode, Roughening
from convo_events.clock import now
from convo_events.snapshot import Snapshot
from convo_gateway.estimate import deviation, estimate
from convo_gateway.reads.history import history_of
from convo_gateway.reads.past_estimates import past_estimates
from convo_gateway.shapes.estimate import Estimate
from tests.fake_provider.rules import Failure, Match, Rule
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected

WITHIN = 0.15
"""How far the estimate of a second run may be off."""


def of_config(name: str, target: int, seed: int, threads: int, mode: Mode, top: int) -> Snapshot:
    """A run of a config of that name, judged and roughened; ``sessions`` remember."""
    frozen = snapshot(
        target,
        threads=threads,
        mode=mode,
        memory=Memory(max_characters=400) if mode == "sessions" else None,
        roughen=Roughening(share=0.4),
    )
    mix = (LengthShare(turns=(2, 2), share=0.5), LengthShare(turns=(4, top), share=0.5))
    config = frozen.config.model_copy(update={"name": name, "seed": seed, "length_mix": mix})
    versions = {"prompt-sets/plain": 1}
    return frozen.model_copy(update={"config": config, "versions": versions})


async def guessed(p: Pipeline, frozen: Snapshot) -> Estimate:
    async with p.pool.acquire() as c:
        history = await history_of(c, frozen.config.name)
    return estimate(frozen, history, now())


async def spent(p: Pipeline, run: str) -> dict[str, Any]:
    rows = await p.all("select role, calls, cost_micro from run_cost where run = $1", run)
    return {row["role"]: row for row in rows}


@pytest.mark.parametrize("mode", ["dialogue", "sessions"])
def test_c15_the_second_run_of_a_config_spends_what_was_estimated(story: Story, mode: Mode) -> None:
    async def twice(p: Pipeline) -> None:
        name = f"estimated-{mode}"
        p.provider.program(
            Rule(match=Match(model="writer", probability=0.05), action=Failure("server_error")),
            accept_share=0.7,
        )
        first = of_config(name, 48, seed=1, threads=16, mode=mode, top=4)
        before = await guessed(p, first)
        assert before.basis.kind == "default"
        assert before.total is not None
        await p.start(f"{name}-1", first, estimate_micro=before.total.expected)
        assert (await p.ended(f"{name}-1"))["status"] == "completed"
        # Another seed, more conversations, and longer ones.
        second = of_config(name, 64, seed=2, threads=16, mode=mode, top=4)
        guess = await guessed(p, second)
        assert guess.total is not None
        assert (guess.basis.kind, guess.basis.runs, guess.basis.same_prompts) == (
            "history",
            1,
            True,
        )
        await p.start(f"{name}-2", second, estimate_micro=guess.total.expected)
        view = await p.ended(f"{name}-2")
        assert view["status"] == "completed"
        costs = await spent(p, f"{name}-2")
        off = deviation(guess.total.expected, sum(row["cost_micro"] for row in costs.values()))
        assert off is not None
        assert abs(off) < WITHIN, (off, guess, costs)
        assert guess.total.low <= sum(r["cost_micro"] for r in costs.values()) <= guess.total.high
        _calls_are_near(guess, costs)
        assert guess.outcome is not None
        assert guess.outcome.accepted == pytest.approx(view["accepted"], rel=0.35)
        async with p.pool.acquire() as c:
            newest, oldest = await past_estimates(c, name)
        assert newest.run == f"{name}-2"
        assert newest.error == pytest.approx(off)
        assert oldest.error is not None

    story(twice)


def _calls_are_near(guess: Estimate, costs: dict[str, Any]) -> None:
    """Every role is expected and called, retries included."""
    expected = {role.role: role.calls for role in guess.roles}
    assert set(expected) == set(costs)
    for role, calls in expected.items():
        assert calls == pytest.approx(costs[role]["calls"], rel=0.25, abs=5), role
