"""Parts of a conversation's page over REST: its neighbours, its events, its prompts."""

from typing import Any

import pytest

from convo_events import ids
from convo_events.catalog import JudgedCriterion, Judging, Memory, Roughening
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


async def test_a_score_stands_beside_what_the_frozen_rubric_says_of_it(
    served: Served, read_model: ReadModel
) -> None:
    asked = JudgedCriterion(name="natural", question="Is it?", anchors={4: "real", 2: "stiff"})
    frozen = snapshot(12, threads=3)
    judged = {"judge": Judging(criteria=(asked,), threshold=3)}
    frozen = frozen.model_copy(update={"config": frozen.config.model_copy(update=judged)})
    await read_model.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    run = await read_model.run("run-anchors", snapshot=frozen.hash())
    said = [{"name": "natural", "score": 2.0, "why": "w"}, {"name": "else", "score": 2.0}]
    between = [{"name": "natural", "score": 2.5, "why": ""}]
    for thread, (criteria, anchors) in enumerate(((said, ["stiff", ""]), (between, [""]))):
        conversation = await read_model.conversation(run, thread, criteria=criteria)
        found = (await served.get(f"/conversations/{conversation}")).json
        assert [one["anchor"] for one in found["criteria"]] == anchors


async def test_memory_before_and_after_and_both_texts_of_a_turn(
    served: Served, read_model: ReadModel
) -> None:
    frozen = snapshot(
        12,
        threads=3,
        mode="sessions",
        memory=Memory(),
        roughen=Roughening(share=1, strength="strong"),
    )
    await read_model.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    run = await read_model.run("run-memory", snapshot=frozen.hash(), mode="sessions")
    names = [await read_model.conversation(run, 1, at, turns=("Hi", "Hello")) for at in range(3)]
    for number, text in ((0, "Has {{ a }} dog."), (2, "Has a dog and a cat.")):
        place = {"run": run, "thread": 1, "number": number, "conversation": names[number]}
        await read_model.insert("memory", **place, body=text, cut=number == 2)
    changes = "memory_gave_up = 'malformed_output', roughened = 1, roughen_gave_up = ''"
    await read_model.execute(f"update conversation set {changes} where id = $1", names[2])
    await read_model.execute(
        "update turn set raw = 'Hi!', kept = '' where conversation = $1 and number = 0", names[2]
    )
    for step, role in enumerate(("user", "assistant", "roughen", "memory"), 1):
        call = {"thread": 1, "conversation": 2, "step": step, "role": role}
        await read_model.call(run, f"memory-{step}", **call)

    first, second, third = [(await served.get(f"/conversations/{name}")).json for name in names]
    assert first["memory_before"] is None
    assert first["memory_after"]["text"] == "Has {{ a }} dog."
    assert second["memory_before"] == third["memory_before"] == first["memory_after"]
    assert second["memory_after"] is None
    assert (first["memory_gave_up"], second["memory_gave_up"]) == ("", "malformed_output")
    assert third["memory_after"]["cut"]
    assert third["roughened"] == 1
    assert [(turn["text"], turn["raw"]) for turn in third["messages"]] == [
        ("Hi", "Hi!"),
        ("Hello", None),
    ]

    found = (await served.get(f"/conversations/{names[2]}/prompts")).json
    assert (found["drawn"]["visit"], found["drawn"]["roughen"]) == (3, True)
    texts = {prompt["role"]: prompt["text"] for prompt in found["prompts"]}
    assert texts["user"].endswith("You remember: Has {{ a }} dog.")
    assert texts["memory"].endswith("Before: Has {{ a }} dog.")
    assert "strong" in texts["roughen"]
    earlier = (await served.get(f"/conversations/{names[0]}/prompts")).json["prompts"]
    assert [prompt["role"] for prompt in earlier] == ["user", "assistant"]


async def test_a_memory_after_the_verdict_belongs_to_its_conversation(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-afterwards")
    await read_model.conversation(run, 0, 0)
    await read_model.call(run, "after-1", step=1, event_id=ids.outcome_id(run, 0, 1, 1))
    remembered = ids.outcome_id(run, 0, 3, 1)
    await read_model.call(run, "after-3", step=3, role="memory", event_id=remembered)
    told = [
        ("step.requested", ids.step_event_id(run, 0, 1, 1)),
        ("step.generated", ids.outcome_id(run, 0, 1, 1)),
        ("conversation.accepted", ids.verdict_id(run, 0, 0)),
        ("step.requested", ids.step_event_id(run, 0, 3, 1)),
        ("step.remembered", remembered),
        ("step.requested", ids.step_event_id(run, 0, 4, 1)),
    ]
    for at, (kind, name) in enumerate(told):
        await read_model.event(run, 900 + at, {"type": kind, "thread": 0}, name=name)
    found = (await served.get(f"/conversations/{run}.0.0/events")).json["items"]
    assert [(event["type"], event["id"]) for event in found] == told[:-1]
