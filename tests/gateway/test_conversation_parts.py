"""Parts of a conversation's page over REST: its neighbours, its events, its prompts."""

from typing import Any

import pytest

from convo_events import ids
from convo_events.plan import draw
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio


async def test_neighbours_are_those_of_the_list(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-beside")
    names = []
    for at in range(6):
        status = "rejected" if at % 2 else "accepted"
        changes: dict[str, Any] = {"reason": "truncated", "layer": 1} if at % 2 else {}
        names.append(await read_model.conversation(run, at, status=status, **changes))

    async def beside(at: int, **query: str) -> tuple[str | None, str | None]:
        found = (await served.get(f"/conversations/{names[at]}/beside", params=query)).json
        return found["previous"], found["next"]

    assert await beside(3, run=run) == (names[4], names[2])
    assert await beside(3, run=run, status="rejected") == (names[5], names[1])
    assert await beside(5, run=run, reason="truncated") == (None, names[3])
    assert await beside(1, run=run, layer="1") == (names[3], None)
    assert await beside(0, run=run) == (names[1], None)
    (await served.get("/conversations/run-x.0.0/beside")).problem(404, "not-found")


async def test_events_are_those_of_the_conversation(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-story")
    await read_model.conversation(run, 0, 0)
    await read_model.call(
        run, "story-1", step=1, state="deferred", event_id=ids.outcome_id(run, 0, 1, 1)
    )
    await read_model.call(run, "story-1", step=1, attempt=2, event_id=ids.outcome_id(run, 0, 1, 2))
    told = [
        ("step.requested", ids.step_event_id(run, 0, 1, 1)),
        ("step.deferred", ids.outcome_id(run, 0, 1, 1)),
        ("step.requested", ids.step_event_id(run, 0, 1, 2)),
        ("step.generated", ids.outcome_id(run, 0, 1, 2)),
        ("step.requested", ids.step_event_id(run, 0, 2, 1)),
        ("step.filtered", ids.outcome_id(run, 0, 2, 0)),
        ("conversation.accepted", ids.verdict_id(run, 0, 0)),
        ("step.requested", ids.step_event_id(run, 0, 3, 1)),
    ]
    for at, (kind, name) in enumerate(told):
        await read_model.event(run, 500 + at, {"type": kind, "thread": 0}, name=name)
    found = (await served.get(f"/conversations/{run}.0.0/events")).json["items"]
    assert [(event["type"], event["id"]) for event in found] == told[:-1]
    assert found[0]["event"] is None
    assert found[-1]["event"] == {"type": "conversation.accepted", "thread": 0}


async def test_prompts_are_rendered_again(served: Served, read_model: ReadModel) -> None:
    frozen = snapshot(12, threads=3)
    await read_model.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    run = await read_model.run("run-prompts", snapshot=frozen.hash())
    conversation = await read_model.conversation(run, 2, 1, turns=("Hi", "Hello", "Bye", "Bye"))
    found = (await served.get(f"/conversations/{conversation}/prompts")).json
    plan = draw(frozen, 2, 1)
    assert found["drawn"]["persona"] == plan.persona.name
    assert found["drawn"]["pools"] == plan.pools
    user, assistant = found["prompts"]
    assert (user["role"], user["turns"]) == ("user", [0, 2])
    assert plan.pools["topics"] in user["text"]
    assert assistant == {
        "role": "assistant",
        "segment": "assistant",
        "turns": [1, 3],
        "text": "You are a helpful assistant.",
    }
    beyond = await read_model.conversation(run, 7, 90)
    (await served.get(f"/conversations/{beyond}/prompts")).problem(404, "not-found")
    unfrozen = await read_model.run("run-unfrozen", snapshot="0" * 64)
    without = await read_model.conversation(unfrozen, 0)
    (await served.get(f"/conversations/{without}/prompts")).problem(404, "not-found")
