"""How the judges of a run do, over REST: every number with what it is taken over, and nothing made up."""

from typing import Any

import pytest

from convo_events.catalog import JudgeHealth
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio


async def frozen_run(read_model: ReadModel, run: str, **changes: Any) -> str:
    """A run that froze a judge with limits."""
    plain = snapshot(4)
    judge = plain.config.judge
    assert judge is not None
    judge = judge.model_copy(update={"health": JudgeHealth(), "recheck_share": 0.1})
    config = plain.config.model_copy(update={"judge": judge, "name": run})
    body = plain.model_copy(update={"config": config})
    await read_model.insert("snapshot", hash=body.hash(), body=body.body())
    return await read_model.run(run, snapshot=body.hash(), **changes)


async def report(served: Served, run: str) -> dict[str, Any]:
    found: dict[str, Any] = (await served.get(f"/runs/{run}/judge")).json
    return found


async def test_before_the_first_answer_nothing_is_a_number(
    served: Served, read_model: ReadModel
) -> None:
    found = await report(served, await frozen_run(read_model, "run-silent"))
    (judge,) = found["judges"]
    assert (judge["judge"], judge["condition"], judge["measured"]) == ("fake/judge", "unknown", 0)
    assert (judge["spread"], judge["again"], judge["finding"]) == (None, None, None)
    assert judge["answers"]["answers"] == 0
    assert judge["rechecks"] == {"calls": 0, "known_micro": 0, "unknown_calls": 0}
    assert found["limits"]["max_failure_rate"] == 0.2
    assert found["recheck_share"] == 0.1
    assert (found["people"]["both"], found["people"]["kappa"]) == (0, None)
    assert found["people"]["why"] == "nothing was rated by both"

    without = await report(served, await read_model.run("run-no-judge"))
    assert (without["judges"], without["limits"]) == ([], None)


async def test_answers_spread_and_rechecks(served: Served, read_model: ReadModel) -> None:
    run = await frozen_run(read_model, "run-judged")
    recent = [[1, "unparsed", None], *([seq, "scored", 4.0] for seq in range(2, 6))]
    pairs = {"pass_pass": 6, "pass_fail": 1, "fail_pass": 1, "fail_fail": 2, "apart": 5.0}
    paid = {"rechecks": 11, "recheck_micro": 700, "recheck_unknown": 1}
    await read_model.judge_health(run, unparsed=1, recent=recent, **pairs, **paid)
    (judge,) = (await report(served, run))["judges"]
    assert judge["answers"] | {"scored": 4, "unparsed": 1, "answers": 5} == judge["answers"]
    assert judge["last"] == judge["answers"]
    # One of five is 20 %, which is not over 20 %.
    assert (judge["condition"], judge["measured"]) == ("well", 5)
    spread = judge["spread"]
    assert (spread["scores"], spread["mean"], spread["deviation"]) == (4, 3.5, 1.5)
    assert [one["score"] for one in spread["bins"]] == [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]
    assert (spread["commonest"], spread["commonest_share"]) == ({"score": 4, "count": 2}, 0.5)
    assert (spread["lowest"], spread["highest"], spread["ends_share"]) == (1, 1, 0.5)
    assert judge["criteria"] == [{"name": "natural", "scores": 4, "mean": 3.5, "deviation": 1.5}]
    again = judge["again"]
    assert (again["pairs"], again["same"], again["mean_apart"]) == (10, 8, 0.5)
    assert again["kappa"] == pytest.approx((0.8 - 0.58) / 0.42)
    assert "an interval takes 30 cases" in again["why"]
    assert judge["rechecks"] == {"calls": 11, "known_micro": 700, "unknown_calls": 1}


@pytest.mark.parametrize(
    ("resumed", "failed", "condition", "measured"),
    [(0, 30, "sick", 30), (0, 3, "doubtful", 3), (30, 30, "unknown", 0), (29, 30, "doubtful", 1)],
)
async def test_a_condition_rests_on_what_came_since_the_run_was_resumed(
    served: Served, read_model: ReadModel, resumed: int, failed: int, condition: str, measured: int
) -> None:
    run = await frozen_run(read_model, f"run-{resumed}-{failed}", resumed_seq=resumed)
    recent = [[seq, "truncated", None] for seq in range(1, failed + 1)]
    await read_model.judge_health(run, truncated=failed, recent=recent)
    (judge,) = (await report(served, run))["judges"]
    assert (judge["condition"], judge["measured"]) == (condition, measured)
    if condition == "sick":
        finding = judge["finding"]
        assert (finding["measure"], finding["value"], finding["n"]) == ("failure_rate", 1, 30)
        assert "30 truncated" in finding["sentence"]


async def test_agreement_with_people_is_over_what_both_decided(
    served: Served, read_model: ReadModel
) -> None:
    run = await frozen_run(read_model, "run-people")
    low = {"status": "rejected", "reason": "judge_below_threshold", "layer": 3, "score": 2.0}
    near = {"status": "rejected", "reason": "near_duplicate", "layer": 2}
    cases: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
        ({}, [("ann", "accepted")]),
        ({}, [("ann", "rejected"), ("ann", "accepted")]),  # the latest one holds
        (near, [("ann", "accepted")]),  # its judge passed it
        ({}, [("ann", "accepted"), ("bo", "rejected")]),
        (low, [("ann", "accepted")]),
        (low, [("ann", "rejected"), ("bo", "rejected"), ("ann", "rejected")]),
        (low, [("ann", "accepted"), ("ann", "")]),  # withdrawn
        ({}, [("ann", "flagged")]),
        ({"score": None, "status": "failed", "layer": 0}, [("ann", "accepted")]),
    ]
    for thread, (judged, decisions) in enumerate(cases):
        conversation = await read_model.conversation(run, thread, **judged)
        for version, (reviewer, decision) in enumerate(decisions, start=1):
            await read_model.review(conversation, version, reviewer, decision)
    found = await report(served, run)
    people = found["people"]
    assert [people[cell] for cell in ("pass_accepted", "pass_rejected")] == [3, 1]
    assert [people[cell] for cell in ("fail_accepted", "fail_rejected")] == [1, 1]
    assert (people["both"], people["same"]) == (6, 4)
    assert (people["flagged"], people["unscored"]) == (2, 1)
    assert people["kappa"] == pytest.approx(0.25)
    between = found["between_people"]
    assert (between["both"], between["same"], between["kappa"]) == (2, 1, None)
    assert "not defined" in between["why"]
