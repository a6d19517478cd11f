"""Conversations over REST."""

import itertools

import pytest

from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


async def walk(served: Served, **query: str) -> list[str]:
    """Ids over all pages of 3."""
    seen: list[str] = []
    cursor = None
    for _ in itertools.count():
        more = {"cursor": cursor} if cursor else {}
        page = (await served.get("/conversations", params=query | {"limit": "3"} | more)).json
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return seen
    raise AssertionError


async def test_lists_are_paged_newest_first_and_carry_no_text(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-list")
    for at in range(8):
        status, reason = ("rejected", "stage_direction") if at % 2 else ("accepted", "")
        await read_model.conversation(
            run, at, status=status, reason=reason, layer=1 if at % 2 else None, turns=("Hello",)
        )
    await read_model.conversation(run, 8, status="open", persona="kim")
    assert await walk(served, run=run) == [f"{run}.{at}.0" for at in range(8, -1, -1)]
    rejected = [f"{run}.{at}.0" for at in (7, 5, 3, 1)]
    assert await walk(served, run=run, status="rejected") == rejected
    assert await walk(served, run=run, reason="stage_direction") == rejected
    assert await walk(served, run=run, layer="1") == rejected
    assert await walk(served, persona="kim") == [f"{run}.8.0"]
    item = (await served.get("/conversations", params={"run": run})).json["items"][-1]
    assert item["preview"] == "Hello"
    assert "messages" not in item


async def test_one_conversation_has_everything(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-one")
    hostile = "Zalgo \u0329\u202e\U0001f9d1‍\U0001f692 <b>\"\\\n'; drop table turn"
    hit = {"reason": "near_duplicate", "layer": 2, "precedence": 1, "neighbour": "run-one.9.0"}
    also = [{"reason": "judge_below_threshold", "layer": 3, "precedence": 1}]
    conversation = await read_model.conversation(
        run,
        2,
        1,
        status="rejected",
        reason="near_duplicate",
        layer=2,
        hit=hit,
        also=also,
        criteria=[{"name": "helpful", "score": 2.0, "why": "It is not."}],
        turns=(hostile, "Reply"),
    )
    await read_model.call(run, "k1", thread=2, conversation=1)
    await read_model.call(
        run, "k2", thread=2, conversation=1, step=2, role="judge", state="unknown"
    )
    await read_model.call(run, "k3", thread=2, conversation=0)
    found = (await served.get(f"/conversations/{conversation}")).json
    assert [turn["text"] for turn in found["messages"]] == [hostile, "Reply"]
    assert found["hit"]["neighbour"] == "run-one.9.0"
    assert [hit["reason"] for hit in found["also"]] == ["judge_below_threshold"]
    assert found["criteria"][0]["why"] == "It is not."
    assert [(call["step"], call["state"]) for call in found["calls"]] == [
        (1, "finished"),
        (2, "unknown"),
    ]
    assert found["calls"][0]["tokens"]["input"] == 50
    assert found["config"] == "quick"


async def test_a_conversation_that_is_not_there(served: Served) -> None:
    (await served.get("/conversations/run-x.0.0")).problem(404, "not-found")
    assert (await served.get("/conversations", params={"run": "run-x"})).json["items"] == []
