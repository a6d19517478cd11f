"""Prompts of an unsaved prompt set, and proposed prices."""

from typing import Any

import pytest

from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio

ADA = {"name": "ada", "summary": "Counts {{ braces }}.", "traits": ["calm"]}
PLAIN = {"name": "plain", "style": "Short."}


async def render(served: Served, segments: dict[str, str], **changes: Any) -> Any:
    wanted = {
        "prompt_set": {"segments": segments, "modes": ["dialogue"]},
        "persona": ADA,
        "voice": PLAIN,
    } | changes
    answer = await served.post("/prompt-sets/render", json=wanted)
    assert answer.status == 200, answer.body
    return answer.json


async def test_segments_are_rendered_each_for_itself(served: Served) -> None:
    found = await render(
        served,
        {
            "user": "{{ persona.summary }} of {{ a_topic }}, turn {{ turn }} of {{ turns }}, {{ language }}",
            "assistant": "line one\n{{ voice.stile }}",
            "opening": "{% if turn == 1 %}first{% endif %}",
            "judge": "Fair?",
        },
        pools={"a-topic": "bread"},
        turns=4,
        turn=3,
        language="de",
    )

    assert found["segments"]["user"] == {
        "text": "Counts {{ braces }}. of bread, turn 3 of 4, de",
        "problem": None,
        "sent": True,
    }
    assert found["segments"]["assistant"]["text"] is None
    assert found["segments"]["assistant"]["problem"]["line"] == 2
    assert found["segments"]["opening"] == {"text": "", "problem": None, "sent": False}
    assert found["segments"]["judge"]["sent"] is True
    assert [(p["pointer"], p["line"]) for p in found["problems"]] == [("/segments/assistant", 2)]


async def test_a_draft_need_not_be_complete(served: Served) -> None:
    found = await render(served, {"user": "Hello", "assistant": ""}, turn=1)

    assert found["segments"]["user"]["text"] == "Hello"
    assert found["problems"], "an empty segment cannot be written"
    lacking = await render(served, {"user": "Hello"})
    assert [p["message"] for p in lacking["problems"]] == [
        "segments missing for modes dialogue: assistant"
    ]
    unfinished = await render(served, {"user": "{{ persona.", "nonsense": "x"})
    assert unfinished["segments"]["user"]["problem"]["line"] == 1
    assert unfinished["segments"]["nonsense"]["text"] == "x"


async def test_names_are_looked_up(served: Served) -> None:
    await served.post("/personas", json={"name": "drawn", "summary": "From the catalog."})
    await served.post("/voices", json={"name": "drawn", "style": "Dry."})
    await served.post("/pools", json={"name": "fruit", "values": ["apple", "pear"]})
    segments = {"user": "{{ persona.summary }} {{ voice.style }} {{ fruit }}"}

    found = [
        await render(served, segments, persona="drawn", voice="drawn", pools=["fruit"], seed=seed)
        for seed in (4, 5)
    ]

    texts = [one["segments"]["user"]["text"] for one in found]
    assert texts == ["From the catalog. Dry. apple", "From the catalog. Dry. pear"]
    assert found[1]["pools"] == {"fruit": "pear"}
    missing = await served.post(
        "/prompt-sets/render",
        json={"prompt_set": {"segments": {}}, "persona": "nobody", "voice": PLAIN},
    )
    missing.problem(404, "not-found")


@pytest.mark.parametrize(
    "template",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
        "{{ ''.__class__.__mro__ }}",
        "{{ 9**9**9 }}",
        "{{ persona.summary" + "|replace('', persona.summary)" * 9 + " }}",
        "{% include '/etc/passwd' %}",
        "(" * 20_000,
        "{{ " + "(" * 5_000,
        "{% if a %}" * 2_000,
        "\ud800".encode("utf-8", "replace").decode() + "{{",
    ],
)
async def test_hostile_templates_are_problems(served: Served, template: str) -> None:
    found = await render(served, {"user": template})
    segment = found["segments"]["user"]
    assert segment["problem"] is not None or segment["text"] == template


async def test_hostile_bodies_are_refused(served: Served) -> None:
    for change in (
        {"prompt_set": {"segments": {str(n): "x" for n in range(21)}}},
        {"prompt_set": {"segments": {"user": "x" * 50_001}}},
        {"turns": 0},
        {"pools": {"UPPER": "x"}},
        {"persona": "Not A Name"},
        {"extra": 1},
    ):
        wanted = {"prompt_set": {"segments": {}}, "persona": ADA, "voice": PLAIN} | change
        (await served.post("/prompt-sets/render", json=wanted)).problem(422, "invalid")


async def test_prices_are_proposed_with_their_source(served: Served) -> None:
    found = (await served.get("/catalog/prices?model=gpt-4o-mini")).json
    assert (found["provider"], found["listed_as"]) == ("openai", "gpt-4o-mini")
    assert found["prices"]["rates"]["input"] == "0.15"
    assert found["source"].startswith("genai-prices ")
    assert found["prices"]["source"] == found["source"]
    both = (await served.get("/catalog/prices?model=gpt-4o-mini&provider=openai")).json
    prefixed = (await served.get("/catalog/prices?model=openai/gpt-4o-mini")).json
    assert both["prices"] == prefixed["prices"] == found["prices"]


async def test_an_unknown_model_has_close_names(served: Served) -> None:
    missing = (await served.get("/catalog/prices?model=gpt4o-mini")).problem(404, "not-found")
    assert "openai/gpt-4o-mini" in missing["close"]
    for query in ("model=" + "x" * 200, "model=%2F", "model=%F0%9F%92%A9", "model=a&provider=b"):
        (await served.get(f"/catalog/prices?{query}")).problem(404, "not-found")
    (await served.get("/catalog/prices?model=")).problem(422, "invalid")
