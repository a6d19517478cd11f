"""Distinct-3 under its floor pauses a run, or stops it, and says why; nothing is lost or counted twice."""

import re

import orjson
import pytest

from convo_events.catalog import Diversity
from convo_events.snapshot import Snapshot
from tests.fake_provider.rules import Answer, Match, Rule
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected
TARGET = 20_000
"""More than could ever be made before the floor is seen."""
FLOOR = 0.5
TURNS = (
    ("user", "How do I paint the old boat in the harbour before winter comes?"),
    ("assistant", "Sand the hull first, then put on two coats of marine paint and let each dry."),
)


def alike(below_floor: str) -> Snapshot:
    """A run whose text is not looked at but for its floor."""
    frozen = snapshot(TARGET, threads=64, concurrency=12, mode="scripted", judge=False)
    asked = {
        "near_duplicate": None,
        "example_copy": None,
        "distinct3_floor": FLOOR,
        "below_floor": below_floor,
    }
    changed = {"diversity": Diversity.model_validate(asked)}
    return frozen.model_copy(update={"config": frozen.config.model_copy(update=changed)})


def repeat(p: Pipeline) -> None:
    """A provider that writes the same conversation about 14 times of 20, and another one each other time."""
    script = {"turns": [{"role": role, "text": text} for role, text in TURNS]}
    same = Answer(text=orjson.dumps(script).decode())
    p.provider.program(Rule(match=Match(probability=0.7), action=same))


def told(detail: str) -> float:
    """The value that the reason names."""
    found = re.search(
        r"last 100 accepted conversations is (0\.\d+), under the floor 0\.500", detail
    )
    assert found, detail
    return float(found[1])


def test_D09_text_under_the_floor_pauses_and_after_a_resume_only_for_new_text(story: Story) -> None:
    async def paused(p: Pipeline) -> None:
        run, frozen = "run-floor", alike("pause")
        repeat(p)
        await p.start(run, frozen)
        first = await p.until(run, lambda view: view["status"] == "paused")
        assert first["reason"] == "diversity_floor"
        assert told(first["detail"]) < FLOOR
        assert first["accepted"] >= 100

        await p.control(run, "resume")
        again = await p.until(
            run, lambda view: view["status"] == "paused" and view["epoch"] > first["epoch"] + 1
        )
        assert again["reason"] == "diversity_floor"
        assert again["accepted"] >= first["floor_paused_at"] + 100
        counted = await p.one("select accepted from run_distribution where run = $1", run)
        assert counted >= first["floor_paused_at"] + 100

        await p.control(run, "cancel")
        await p.ended(run)
        await check_all(p, run, frozen)

    story(paused)


def test_text_under_the_floor_stops_and_what_was_not_made_is_counted(story: Story) -> None:
    async def stopped(p: Pipeline) -> None:
        run, frozen = "run-floor-stop", alike("stop")
        repeat(p)
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["reason"]) == ("cancelled", "diversity_floor")
        assert told(view["detail"]) < FLOOR
        assert "the run was stopped; what was accepted stays" in view["detail"]
        assert view["accepted"] >= 100
        made = view["accepted"] + view["rejected"] + view["failed"]
        assert view["cancelled"] == TARGET - made > 0, "I1"
        await check_all(p, run, frozen)

    story(stopped)
