"""One conversation of a plan, made for a stated price."""

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
    roles: dict[str, Any] = {"assistant": {"backend": "unpriced", "model": "large"}}
    await objects.add(
        url, "run-configs", objects.config(), objects.config("free-for-all", roles=roles)
    )


@pytest.fixture
def starts(scheduler: FakeScheduler, read_model: ReadModel) -> FakeScheduler:
    async def reply(command: dict[str, Any]) -> dict[str, Any]:
        known = ("run", "kind", "name", "config", "snapshot", "target", "lanes", "spend_cap_micro")
        await read_model.run(**{name: command[name] for name in known})
        await read_model.folded(9_000)
        return {"status": "running", "epoch": 1, "seq": 9_000}

    scheduler.reply = reply
    return scheduler


async def test_a_sample_is_made_for_the_price_that_was_read(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    wish: dict[str, Any] = {"config": "quick", "seed": 5, "target_count": 40, "index": 39}
    asked = (await served.post("/samples/estimate", json=wish)).json
    assert asked["needs_confirmation"] is True
    price = asked["estimate"]["total"]["expected"]
    refused = await served.post("/samples", json=wish)
    assert refused.problem(409, "needs-confirmation")["estimate_micro"] == price
    assert not starts.commands
    key = {"Idempotency-Key": "sample-1"}
    agreed = wish | {"confirm_estimate_micro": price}
    made = await served.post("/samples", json=agreed, headers=key)
    run = ids.run_id("sample-1")
    assert (made.status, made.json) == (201, {"run": run, "conversation": f"{run}.0.0"})
    assert made.headers["location"] == f"/api/v1/runs/{run}"
    command = starts.commands[0]
    assert (command["kind"], command["target"], command["lanes"]) == ("sample", 1, 1)
    assert command["spend_cap_micro"] > price, "the most it can cost is its cap"
    frozen = Snapshot.model_validate_json((await served.get(f"/runs/{run}/snapshot")).body)
    assert (frozen.only, frozen.config.target_count, frozen.config.seed) == (39, 40, 5)
    again = await served.post("/samples", json=agreed, headers=key)
    assert again.json == made.json
    assert len(starts.commands) == 1


async def test_a_sample_is_in_no_list_and_in_no_count(
    served: Served, catalog: None, read_model: ReadModel
) -> None:
    before = (await served.get("/runs")).json
    sample = await read_model.run("run-sample", kind="sample", status="completed", accepted=1)
    conversation = await read_model.conversation(sample, 0, turns=("Hello", "Hi"))
    after = (await served.get("/runs")).json
    for counted in ("total", "statuses", "configs"):
        assert after[counted] == before[counted]
    assert sample not in [run["id"] for run in after["items"]]
    assert (await served.get("/runs", params={"id": sample})).json["items"] == []
    corpus = (await served.get("/conversations")).json["items"]
    assert conversation not in [item["id"] for item in corpus]
    assert (await served.get(f"/runs/{sample}")).json["kind"] == "sample"
    own = (await served.get("/conversations", params={"run": sample})).json["items"]
    assert [item["id"] for item in own] == [conversation]
    assert (await served.get(f"/conversations/{conversation}")).status == 200
    estimate = (await served.post("/runs/estimate", json={"config": "quick"})).json["estimate"]
    assert estimate["basis"]["runs"] == 0, "a sample is no history of its config"


async def test_a_number_that_the_plan_does_not_have_is_pointed_at(
    served: Served, catalog: None
) -> None:
    for path in ("/samples/estimate", "/samples"):
        answer = await served.post(path, json={"config": "quick", "index": 10})
        (error,) = answer.problem(422, "invalid")["errors"]
        assert error["pointer"] == "/index"
        assert "0 to 9" in error["detail"]


async def test_a_sample_without_prices_has_no_cap_and_still_asks(
    served: Served, catalog: None, starts: FakeScheduler
) -> None:
    wish: dict[str, Any] = {"config": "free-for-all", "index": 0}
    asked = (await served.post("/samples", json=wish)).problem(409, "needs-confirmation")
    assert asked["unpriced"] == ["unpriced/large"]
    made = await served.post("/samples", json=wish | {"confirm_estimate_micro": 0})
    assert made.status == 201
    assert starts.commands[0]["spend_cap_micro"] is None
