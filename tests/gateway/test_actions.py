"""Pause, resume, kick and cancel over REST."""

from typing import Any

import pytest

from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import FakeScheduler, Served

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("action", "status"), [("pause", "paused"), ("resume", "running"), ("kick", "running")]
)
async def test_actions_answer_with_the_state_after_them(
    served: Served, scheduler: FakeScheduler, action: str, status: str
) -> None:
    async def reply(_: dict[str, Any]) -> dict[str, Any]:
        return {"status": status, "epoch": 4, "seq": 77, "threads": 3 if action == "kick" else None}

    scheduler.reply = reply
    answer = await served.post(f"/runs/run-a/actions/{action}")
    assert answer.status == 202
    assert answer.headers["location"] == "/api/v1/runs/run-a"
    threads = 3 if action == "kick" else None
    expected = {"id": "run-a", "status": status, "epoch": 4, "seq": 77, "threads": threads}
    assert answer.json == expected
    assert scheduler.commands == [{"type": "control", "run": "run-a", "action": action}]


async def test_cancel_says_what_it_does_and_waits_for_a_yes(
    served: Served, scheduler: FakeScheduler, read_model: ReadModel
) -> None:
    run = await read_model.run("run-cancel", accepted=3, rejected=1)
    await read_model.insert(
        "model_call",
        step_key="k",
        run=run,
        thread=0,
        step=1,
        state="started",
        attempts=1,
        emit=1,
        owner="generator-1/1",
        lease_until=BEGAN,
    )
    for body in (None, {}, {"confirm": False}):
        asked = await served.post(f"/runs/{run}/actions/cancel", json=body)
        document = asked.problem(409, "needs-confirmation")
        assert (document["calls_in_flight"], document["conversations_open"]) == (1, 6)
    wrong = await served.post(f"/runs/{run}/actions/cancel", json={"confirm": "yes"})
    wrong.problem(422, "invalid")
    assert not scheduler.commands

    async def reply(_: dict[str, Any]) -> dict[str, Any]:
        return {"status": "cancelling", "epoch": 2, "seq": 80}

    scheduler.reply = reply
    done = await served.post(f"/runs/{run}/actions/cancel", json={"confirm": True})
    assert (done.status, done.json["status"]) == (202, "cancelling")


async def test_refusals_carry_code_and_state(served: Served, scheduler: FakeScheduler) -> None:
    answers = iter(
        [
            {"code": "conflict", "status": "completed", "message": "Run run-b is completed."},
            {"code": "not_found", "message": "There is no run run-b."},
            {"code": "unavailable", "message": "A new leader is taking over."},
        ]
    )

    async def reply(_: dict[str, Any]) -> dict[str, Any]:
        return next(answers)

    scheduler.reply = reply
    conflict = (await served.post("/runs/run-b/actions/pause")).problem(409, "conflict")
    assert (conflict["code"], conflict["state"]) == ("conflict", "completed")
    (await served.post("/runs/run-b/actions/pause")).problem(404, "not-found")
    away = await served.post("/runs/run-b/actions/pause")
    away.problem(503, "unavailable")
    assert "retry-after" in away.headers
