"""The default reply: its text, its usage, and values that fit a schema."""

from collections.abc import Mapping

import orjson
import pytest
from aiohttp import ClientSession

from tests.fake_provider.client import AsyncFakeProvider
from tests.fake_provider.draw import Draw
from tests.fake_provider.replies import passage
from tests.fake_provider.request import Json
from tests.fake_provider.rules import Answer, Rule
from tests.fake_provider.structured import Writer
from tests.fake_provider.vocabulary import SLOTS

TURNS: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 12},
        "turns": {"type": "array", "minItems": 6, "maxItems": 9, "items": {"$ref": "#/$defs/turn"}},
        "note": {"anyOf": [{"type": "null"}, {"type": "string"}]},
    },
    "$defs": {
        "turn": {
            "type": "object",
            "properties": {
                "role": {"type": "string", "enum": ["assistant", "user"]},
                "content": {"type": "string"},
            },
        }
    },
}
VERDICT: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "scores": {"type": "object", "properties": {"natural": {"type": "integer"}}},
        "overall": {"type": "number", "minimum": 0, "maximum": 100},
        "grade": {"enum": [1, 2, 3, 4, 5]},
        "verdict": {"type": "string", "enum": ["accept", "reject"]},
        "passed": {"type": "boolean"},
    },
}


def test_vocabulary_has_about_two_thousand_words() -> None:
    assert 1800 < len({word for words in SLOTS.values() for word in words}) < 2200


def test_two_requests_get_clearly_different_text() -> None:
    texts = [passage(Draw(bytes([number]) * 32)) for number in range(60)]
    trigrams = [
        set(zip(words, words[1:], words[2:], strict=False)) for words in map(str.split, texts)
    ]
    pairs = [(a, b) for at, a in enumerate(trigrams) for b in trigrams[:at]]
    assert max(len(a & b) / len(a | b) for a, b in pairs) < 0.1
    assert all(40 <= len(text.split()) <= 53 for text in texts)


def test_turns_alternate_and_bounds_hold() -> None:
    for number in range(30):
        value = Writer(TURNS, Draw(bytes([number])), accepts=True).value()
        assert isinstance(value, dict)
        roles = [turn["role"] for turn in value["turns"]]
        assert len(roles) in (6, 8)
        assert roles == ["user", "assistant"] * (len(roles) // 2)
        assert 0 < len(value["title"]) <= 12
        assert isinstance(value["note"], str)


@pytest.mark.parametrize("accepts", [True, False])
def test_scores_agree_with_the_verdict(accepts: bool) -> None:
    for number in range(30):
        value = Writer(VERDICT, Draw(bytes([number])), accepts).value()
        assert isinstance(value, dict)
        assert value["passed"] is accepts
        assert value["verdict"] == ("accept" if accepts else "reject")
        assert value["scores"]["natural"] in (range(7, 11) if accepts else range(1, 5))
        assert value["grade"] in ((4, 5) if accepts else (1, 2))
        assert (60 <= value["overall"] <= 100) if accepts else (0 <= value["overall"] <= 40)


def test_a_schema_that_contains_itself_ends() -> None:
    tree: Mapping[str, Json] = {
        "type": "object",
        "properties": {"children": {"type": "array", "minItems": 1, "items": {"$ref": "#"}}},
    }
    assert orjson.dumps(Writer(tree, Draw(b""), accepts=True).value())
    loop: Mapping[str, Json] = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert isinstance(Writer(loop, Draw(b""), accepts=True).value(), str)


@pytest.mark.anyio
async def test_default_reply_over_http(provider: AsyncFakeProvider, http: ClientSession) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "one two three"}]}
    url = f"{provider.base_url}/chat/completions"
    first, again = [await (await http.post(url, json=body)).json() for _ in range(2)]
    assert first == again
    text = first["choices"][0]["message"]["content"]
    assert first["model"] == "m"
    assert first["choices"][0]["finish_reason"] == "stop"
    assert first["usage"]["prompt_tokens"] == 3
    assert first["usage"]["completion_tokens"] == len(text.split())
    assert first["usage"]["total_tokens"] == 3 + len(text.split())
    cut = await (await http.post(url, json={**body, "max_tokens": 5})).json()
    assert cut["choices"][0]["finish_reason"] == "length"
    assert cut["usage"]["completion_tokens"] == 5


@pytest.mark.anyio
async def test_accept_share_is_kept(provider: AsyncFakeProvider, http: ClientSession) -> None:
    await provider.program(accept_share=0.7)
    schema = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": VERDICT}}
    verdicts = []
    for number in range(200):
        messages = [{"role": "user", "content": str(number)}]
        asked = {"model": "judge", "messages": messages, "response_format": schema}
        reply = await http.post(f"{provider.base_url}/chat/completions", json=asked)
        content = (await reply.json())["choices"][0]["message"]["content"]
        verdicts.append(orjson.loads(content)["verdict"])
    assert 120 < verdicts.count("accept") < 160


@pytest.mark.anyio
@pytest.mark.parametrize("pause_s", [0.0, 0.001])
async def test_stream_carries_the_same_text(
    provider: AsyncFakeProvider, http: ClientSession, pause_s: float
) -> None:
    await provider.program(Rule(action=Answer("a b c d e f", chunk_pause_s=pause_s)))
    asked = {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    reply = await http.post(f"{provider.base_url}/chat/completions", json=asked)
    events = [line[6:].strip() async for line in reply.content if line.startswith(b"data: ")]
    assert events[-1] == b"[DONE]"
    *chunks, last = map(orjson.loads, events[:-1])
    deltas = [chunk["choices"][0]["delta"].get("content", "") for chunk in chunks]
    assert len(deltas) == 4
    assert "".join(deltas) == "a b c d e f"
    assert last["choices"] == []
    assert last["usage"]["total_tokens"] == 7
