"""Start now, pause, resume, kick, cancel and another cap over REST."""

from typing import Any

import asyncpg
import pytest

from convo_events.snapshots import store_snapshot
from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import FakeScheduler, Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("action", "status"),
    [("start", "running"), ("pause", "paused"), ("resume", "running"), ("kick", "running")],
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


async def test_a_cap_is_changed_in_dollars_or_micro_dollars_and_taken_away(
    served: Served, scheduler: FakeScheduler, read_model: ReadModel
) -> None:
    run = await read_model.run("run-cap")

    async def reply(_: dict[str, Any]) -> dict[str, Any]:
        return {"status": "paused", "epoch": 5, "seq": 90}

    scheduler.reply = reply
    for body in (
        {"spend_cap_usd": 12.5},
        {"spend_cap_micro": 7},
        {"spend_cap_usd": 3},
        {"spend_cap_usd": None},
    ):
        answer = await served.ask("PATCH", f"/api/v1/runs/{run}", json=body)
        assert (answer.status, answer.json["status"]) == (200, "paused")
    asked = [command["spend_cap_micro"] for command in scheduler.commands]
    assert asked == [12_500_000, 7, 3_000_000, None]
    key = {"Idempotency-Key": "cap-1"}
    for _ in range(2):
        path, body = f"/api/v1/runs/{run}", {"spend_cap_usd": 20}
        assert (await served.ask("PATCH", path, json=body, headers=key)).status == 200
    assert len(scheduler.commands) == 5


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"spend_cap_usd": 1, "spend_cap_micro": 1_000_000},
        {"spend_cap_usd": 0},
        {"spend_cap_usd": -4},
        {"spend_cap_usd": "5"},
        {"spend_cap_micro": 1.5},
        {"target_count": 5},
    ],
)
async def test_a_change_that_says_nothing_sane_is_refused(
    served: Served, scheduler: FakeScheduler, body: dict[str, Any]
) -> None:
    answer = await served.ask("PATCH", "/api/v1/runs/run-a", json=body)
    answer.problem(422, "invalid")
    assert not scheduler.commands


async def test_a_cap_for_models_without_a_price_is_refused(
    served: Served, scheduler: FakeScheduler, read_model: ReadModel
) -> None:
    connection = await asyncpg.connect(read_model.url)
    try:
        content = await store_snapshot(connection, snapshot(3, prices=None))
    finally:
        await connection.close()
    run = await read_model.run("run-unpriced", snapshot=content)
    answer = await served.ask("PATCH", f"/api/v1/runs/{run}", json={"spend_cap_usd": 5})
    (error,) = answer.problem(422, "invalid")["errors"]
    assert "fake/judge, fake/writer without one" in error["detail"]
    nowhere = await served.ask("PATCH", "/api/v1/runs/run-no", json={"spend_cap_usd": 5})
    nowhere.problem(404, "not-found")
    assert not scheduler.commands
