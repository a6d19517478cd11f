"""Estimating and starting runs."""

import asyncio
from datetime import datetime
from typing import Any

import pytest

from convo_events import ids
from convo_events.snapshot import Snapshot
from tests.gateway import objects
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import FakeScheduler, Served

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def catalog(served: Served) -> None:
    url = served.read_model.url
    await objects.add_basics(url)
    peak = objects.backend("cheap-nights", objects.RATES | {"off_peak": [objects.OFF_PEAK]})
    hours = objects.OFF_PEAK | {"end": "12:00"}
    await objects.add(
        url, "backends", peak, objects.backend("hours", objects.RATES | {"off_peak": [hours]})
    )
    roles: dict[str, Any] = {"assistant": {"backend": "unpriced", "model": "large"}}
    nights: dict[str, Any] = {"assistant": {"backend": "cheap-nights", "model": "large"}}
    await objects.add(
        url,
        "run-configs",
        objects.config(),
        objects.config("dear", confirm_above_usd=0.001),
        objects.config("unknown", roles=roles, confirm_above_usd=1),
        objects.config("free-for-all", roles=roles),
        objects.config("nights", roles=nights),
        objects.config("hours", roles={"assistant": {"backend": "hours", "model": "large"}}),
        objects.config("capped", spend_cap_usd=9),
        objects.config("broken", personas=[{"name": "nobody"}]),
    )


@pytest.fixture
def starts(scheduler: FakeScheduler, read_model: ReadModel) -> FakeScheduler:
    """A scheduler that starts runs, with a read model that follows at once."""

    async def reply(command: dict[str, Any]) -> dict[str, Any]:
        known = ("run", "name", "config", "snapshot", "target", "seed", "lanes", "estimate_micro")
        await read_model.run(**{name: command[name] for name in known})
        await read_model.folded(9_000)
        return {"status": "running", "epoch": 1, "seq": 9_000}

    scheduler.reply = reply
    return scheduler


async def test_estimate_has_roles_basis_and_range(served: Served, catalog: None) -> None:
    small = (await served.post("/runs/estimate", json={"config": "quick"})).json
    large = (
        await served.post("/runs/estimate", json={"config": "quick", "target_count": 1000})
    ).json
    estimate = large["estimate"]
    assert estimate["total"]["expected"] > small["estimate"]["total"]["expected"] > 0
    assert estimate["total"]["low"] <= estimate["total"]["expected"] <= estimate["total"]["high"]
    assert [role["role"] for role in estimate["roles"]] == ["script"]
    assert estimate["basis"]["kind"] == "default"
    assert large["needs_confirmation"] is False
    assert large["off_peak"] is None


async def test_estimate_of_what_cannot_run_points_at_the_fault(
    served: Served, catalog: None
) -> None:
    broken = await served.post("/runs/estimate", json={"config": "broken"})
    errors = broken.problem(422, "invalid")["errors"]
    assert [error["pointer"] for error in errors] == ["/personas/0/name"]
    nowhere = await served.post("/runs/estimate", json={"config": "nowhere"})
    nowhere.problem(404, "not-found")
    version = await served.post("/runs/estimate", json={"config": "quick", "version": 9})
    version.problem(404, "not-found")


async def test_start_freezes_and_answers_with_the_page(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    wish = {"config": "quick", "target_count": 5, "seed": 99, "name": "Mine"}
    answer = await served.post("/runs", json=wish, headers={"Idempotency-Key": "start-1"})
    assert answer.status == 201
    run = ids.run_id("start-1")
    assert answer.headers["location"] == f"/api/v1/runs/{run}"
    assert answer.json["id"] == run
    assert answer.json["name"] == "Mine"
    frozen = await served.get(f"/runs/{run}/snapshot")
    snapshot = Snapshot.model_validate_json(frozen.body)
    assert (snapshot.config.target_count, snapshot.config.seed) == (5, 99)
    assert snapshot.hash() == starts.commands[0]["snapshot"]
    assert starts.commands[0]["lanes"] == 4
    await objects.add(served.read_model.url, "voices", {"name": "plain", "style": "Changed."})
    assert (await served.get(f"/runs/{run}/snapshot")).body == frozen.body, "frozen means frozen"


async def test_a_key_starts_one_run_and_no_other(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    key = {"Idempotency-Key": "start-2"}
    first = await served.post("/runs", json={"config": "quick"}, headers=key)
    again = await served.post("/runs", json={"config": "quick"}, headers=key)
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["idempotency-replayed"] == "true"
    assert len(starts.commands) == 1
    other = await served.post("/runs", json={"config": "quick", "seed": 5}, headers=key)
    other.problem(422, "idempotency-key-reused")


async def test_the_same_key_at_the_same_time_is_in_flight(
    served: Served, catalog: None, scheduler: FakeScheduler, read_model: ReadModel
) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def reply(command: dict[str, Any]) -> dict[str, Any]:
        asked.set()
        await go.wait()
        await read_model.run(command["run"])
        return {"status": "running", "seq": 0}

    scheduler.reply = reply
    key = {"Idempotency-Key": "start-3"}
    first = asyncio.create_task(served.post("/runs", json={"config": "quick"}, headers=key))
    await asked.wait()
    second = await served.post("/runs", json={"config": "quick"}, headers=key)
    second.problem(409, "idempotency-in-flight")
    go.set()
    assert (await first).status == 201


async def test_an_estimate_above_the_threshold_is_confirmed_as_it_is(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    wish: dict[str, Any] = {"config": "dear", "target_count": 2_000}
    key = {"Idempotency-Key": "start-4"}
    asked = (await served.post("/runs", json=wish, headers=key)).problem(409, "needs-confirmation")
    assert asked["threshold_micro"] == 1_000
    assert not starts.commands
    more = wish | {"target_count": 4_000, "confirm_estimate_micro": asked["estimate_micro"]}
    again = (await served.post("/runs", json=more, headers=key)).problem(409, "needs-confirmation")
    assert again["estimate_micro"] > asked["estimate_micro"], "another estimate asks again"
    confirmed = more | {"confirm_estimate_micro": again["estimate_micro"]}
    assert (await served.post("/runs", json=confirmed, headers=key)).status == 201
    assert starts.commands[0]["estimate_micro"] == again["estimate_micro"]


async def test_an_unknown_price_asks_where_there_is_a_threshold(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    answer = await served.post("/runs", json={"config": "unknown"})
    asked = answer.problem(409, "needs-confirmation")
    assert asked["estimate_micro"] is None
    assert asked["unpriced"] == ["unpriced/large"]
    wish = {"config": "unknown", "confirm_estimate_micro": 0}
    assert (await served.post("/runs", json=wish)).status == 201
    assert (await served.post("/runs", json={"config": "free-for-all"})).status == 201
    assert [command["estimate_micro"] for command in starts.commands] == [None, None]


async def test_off_peak_starts_need_a_window(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    none = await served.post("/runs", json={"config": "quick", "start": "off_peak"})
    assert none.problem(422, "invalid")["errors"][0]["pointer"] == "/start"
    open_now = (await served.post("/runs/estimate", json={"config": "nights"})).json["off_peak"]
    assert open_now["open_now"] is True
    assert open_now["until"] is None, "it is open all day on every day"
    answer = await served.post("/runs", json={"config": "nights", "start": "off_peak"})
    assert (answer.status, starts.commands[0]["not_before"]) == (201, None)


async def test_a_start_for_the_window_waits_and_its_estimate_says_what_comes_after(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    """The window has opened for a minute, or opens in hours: both ways what it costs after it is said."""
    wish = {"config": "hours", "start": "off_peak", "target_count": 500}
    asked = (await served.post("/runs/estimate", json=wish)).json
    offer = asked["off_peak"]
    assert (offer["clock"], offer["zone"], offer["model"]) == ("00:00", "UTC", "hours/large")
    assert offer["later_micro"] == pytest.approx(2 * offer["total_micro"], rel=0.01)
    assert asked["estimate"]["total"]["expected"] == offer["total_micro"]
    closes = datetime.fromisoformat(offer["until"])
    assert (closes.hour, closes.minute) == (12, 0)
    answer = await served.post("/runs", json=wish)
    assert answer.status == 201
    waits = starts.commands[0]["not_before"]
    assert (waits is None) == offer["open_now"]


async def test_a_start_may_have_a_cap_of_its_own(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    wish: dict[str, Any] = {"config": "capped", "target_count": 5}
    assert (await served.post("/runs", json=wish)).status == 201
    assert (await served.post("/runs", json=wish | {"spend_cap_usd": 0.25})).status == 201
    assert [c["spend_cap_micro"] for c in starts.commands] == [9_000_000, 250_000]
    low = await served.post("/runs/estimate", json=wish | {"spend_cap_usd": 0.000001})
    (warning,) = [w for w in low.json["warnings"] if w["pointer"] == "/spend_cap_usd"]
    assert "above the spend cap" in warning["message"]
    unpriced = await served.post("/runs", json={"config": "free-for-all", "spend_cap_usd": 5})
    (error,) = unpriced.problem(422, "invalid")["errors"]
    assert error["pointer"] == "/spend_cap_usd"
    assert "needs a price for every model" in error["detail"]
    for wrong in (0, -1, "5", 1e300):
        refused = await served.post("/runs", json=wish | {"spend_cap_usd": wrong})
        refused.problem(422, "invalid")


async def test_without_a_scheduler_the_key_may_be_used_again(
    served: Served, catalog: None, read_model: ReadModel
) -> None:
    key = {"Idempotency-Key": "start-5"}
    away = await served.post("/runs", json={"config": "quick"}, headers=key)
    assert away.problem(503, "unavailable")["part"] == "scheduler"
    assert int(away.headers["retry-after"]) >= 1
    again = await served.post("/runs", json={"config": "quick"}, headers=key)
    again.problem(503, "unavailable")
    other = await served.post("/runs", json={"config": "dear"}, headers=key)
    other.problem(422, "idempotency-key-reused")


async def test_a_refused_start_is_a_conflict(
    served: Served, catalog: None, scheduler: FakeScheduler
) -> None:
    async def reply(_: dict[str, Any]) -> dict[str, Any]:
        return {"code": "conflict", "message": "That run exists already.", "status": "running"}

    scheduler.reply = reply
    refused = await served.post("/runs", json={"config": "quick"})
    assert refused.problem(409, "conflict")["detail"] == "That run exists already."
