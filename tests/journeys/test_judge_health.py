"""A judge that falls sick in the middle of a run: it pauses, loses nothing, and goes on with a judge that is well."""

import pytest

from convo_events.catalog import JudgeHealth
from convo_events.snapshot import Snapshot
from tests.fake_provider.rules import Match, Rule, Scripted
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected
SICK = Rule(match=Match(model="judge"), action=Scripted(texts=("well, it is nice",), then="again"))


def watched(frozen: Snapshot, *, recheck_share: float = 0) -> Snapshot:
    """The same with a watch over the judge."""
    judge = frozen.config.judge
    assert judge is not None
    changed = {"health": JudgeHealth(), "recheck_share": recheck_share}
    health = judge.model_copy(update=changed)
    config = frozen.config.model_copy(update={"judge": health})
    return frozen.model_copy(update={"config": config})


def test_J02_a_sick_judge_pauses_the_run_before_it_costs_a_conversation(story: Story) -> None:
    async def sick(p: Pipeline) -> None:
        run = "run-sick-judge"
        frozen = watched(snapshot(24, threads=24, concurrency=24), recheck_share=0.3)
        p.provider.program(SICK)
        await p.start(run, frozen)
        view = await p.until(run, lambda v: v["status"] == "paused")
        assert view["reason"] == "judge_sick"
        assert "Judge fake/judge gave no verdict in " in view["detail"]
        assert "unparsed), limit 20 %" in view["detail"]
        assert (view["rejected"], view["failed"]) == (0, 0)

        # What the sick judge was asked before the pause is answered before the resume: answers after it count anew.
        await p.at_rest(run)
        p.provider.program()
        await p.control(run, "resume")
        view = await p.ended(run)
        assert (view["status"], view["failed"]) == ("completed", 0)
        assert view["accepted"] > 0
        row = (await p.all("select * from judge_health where run = $1", run))[0]
        assert row["unparsed"] >= 20
        pairs = sum(row[cell] for cell in ("pass_pass", "pass_fail", "fail_pass", "fail_fail"))
        assert pairs == row["rechecks"] > 0
        assert row["scored"] == view["accepted"] + await rejected_with_a_score(p, run) + pairs
        pauses = await p.one(
            "select count(*) from event where run = $1 and type = 'run.paused'", run
        )
        assert pauses == 1, "old answers are not held against the judge again"
        await check_all(p, run, frozen)

    story(sick)


async def rejected_with_a_score(p: Pipeline, run: str) -> int:
    """Conversations that the judge's score, or a near duplicate after it, rejected."""
    return int(
        await p.one(
            "select count(*) from conversation where run = $1 and status = 'rejected' and score is not null",
            run,
        )
    )


def test_nothing_waits_for_ever_where_too_few_answers_come_to_tell(story: Story) -> None:
    async def few(p: Pipeline) -> None:
        run, frozen = "run-few-answers", watched(snapshot(3, threads=3, concurrency=3))
        p.provider.program(SICK)
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["failed"], view["rejected"]) == ("completed", 3, 0)
        assert await p.one("select unparsed from judge_health where run = $1", run) == 3 * 2
        await check_all(p, run, frozen)

    story(few)
