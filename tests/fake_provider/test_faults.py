"""Every kind of trouble, seen from a client."""

import time
from email.utils import parsedate_to_datetime

import aiohttp
import orjson
import pytest
from aiohttp import ClientSession

from tests.fake_provider.client import AsyncFakeProvider
from tests.fake_provider.completion import ERRORS
from tests.fake_provider.rules import (
    Action,
    BrokenStream,
    CallTool,
    Disconnect,
    ErrorName,
    Failure,
    Garbled,
    GzipBomb,
    HostileText,
    Huge,
    Match,
    Odd,
    RateLimited,
    Refusal,
    Rule,
    SlowDrip,
    WrongUsage,
)

pytestmark = pytest.mark.anyio
ASKED = {"model": "m", "messages": [{"role": "user", "content": "hello there"}]}


async def reply_to(
    provider: AsyncFakeProvider, http: ClientSession, action: Action, stream: bool = False
) -> tuple[aiohttp.ClientResponse, bytes]:
    await provider.program(Rule(action=action))
    url = f"{provider.base_url}/chat/completions"
    async with http.post(url, json={**ASKED, "stream": stream}) as response:
        return response, await response.read()


@pytest.mark.parametrize("error", ERRORS)
async def test_errors_look_like_openai(
    provider: AsyncFakeProvider, http: ClientSession, error: ErrorName
) -> None:
    response, body = await reply_to(provider, http, Failure(error))
    status, _, type_, code, _ = ERRORS[error]
    assert response.status == status
    told = orjson.loads(body)["error"]
    assert (told["type"], told["code"]) == (type_, code)


async def test_retry_after_in_every_form(provider: AsyncFakeProvider, http: ClientSession) -> None:
    forms = {
        "seconds": ("Retry-After", "2"),
        "float": ("Retry-After", "1.2"),
        "ms": ("retry-after-ms", "1200"),
        "reset_header": ("x-ratelimit-reset-requests", "1.2s"),
        "absurd": ("Retry-After", "99999999999999999999"),
        "negative": ("Retry-After", "-5"),
        "garbage": ("Retry-After", "in a little while"),
    }
    for form, (header, value) in forms.items():
        limited = RateLimited(form, seconds=1.2)  # type: ignore[arg-type]  # keys are the literals
        response, _ = await reply_to(provider, http, limited)
        assert (response.status, response.headers[header]) == (429, value)
    response, _ = await reply_to(provider, http, RateLimited("none"))
    assert "Retry-After" not in response.headers
    before = time.time()
    response, _ = await reply_to(provider, http, RateLimited("date", seconds=100))
    named = parsedate_to_datetime(response.headers["Retry-After"]).timestamp()
    assert before + 100 <= named <= time.time() + 101


async def test_rule_stops_after_its_times(provider: AsyncFakeProvider, http: ClientSession) -> None:
    await provider.program(Rule(Match(model="m"), RateLimited("date", seconds=2), times=3))
    url = f"{provider.base_url}/chat/completions"
    statuses = [(await http.post(url, json=ASKED)).status for _ in range(4)]
    assert statuses == [429, 429, 429, 200]


async def test_no_usable_answer(provider: AsyncFakeProvider, http: ClientSession) -> None:
    async def choices(action: Action) -> list[dict[str, object]]:
        _, body = await reply_to(provider, http, action)
        listed: list[dict[str, object]] = orjson.loads(body)["choices"]
        return listed

    assert (await choices(Refusal("content_filter")))[0]["finish_reason"] == "content_filter"
    assert '"refusal":"I' in orjson.dumps(await choices(Refusal("message"))).decode()
    assert (await choices(Odd("truncated")))[0]["finish_reason"] == "length"
    assert await choices(Odd("empty_choices")) == []
    assert '"content":null' in orjson.dumps(await choices(Odd("null_content"))).decode()
    assert '"content":""' in orjson.dumps(await choices(Odd("empty_content"))).decode()
    called = orjson.dumps(await choices(CallTool("find", '{"a":1}'))).decode()
    assert '"name":"find"' in called
    assert '"finish_reason":"tool_calls"' in called


async def test_bodies_that_are_no_completion(
    provider: AsyncFakeProvider, http: ClientSession
) -> None:
    for garbled in (Garbled("malformed_json"), Garbled("invalid_utf8"), Garbled("empty")):
        response, body = await reply_to(provider, http, garbled)
        assert response.status == 200
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(body)
    response, body = await reply_to(provider, http, Garbled("html"))
    assert (response.content_type, body[:6]) == ("text/html", b"<html>")


async def test_connection_breaks(provider: AsyncFakeProvider, http: ClientSession) -> None:
    for reset in (True, False):
        with pytest.raises(aiohttp.ClientConnectionError):
            await reply_to(provider, http, Disconnect("before_headers", reset))
        for cut in (Disconnect("after_headers", reset), Disconnect("mid_body", reset)):
            with pytest.raises(aiohttp.ClientError):
                await reply_to(provider, http, cut)
    stats = await provider.until(lambda stats: stats.in_flight == 0)
    assert (stats.cut, stats.answered, stats.aborted) == (6, 0, 0)


async def test_wrong_usage(provider: AsyncFakeProvider, http: ClientSession) -> None:
    async def used(action: WrongUsage) -> object:
        _, body = await reply_to(provider, http, action)
        return orjson.loads(body).get("usage", "missing")

    assert await used(WrongUsage("missing")) == "missing"
    assert await used(WrongUsage("null")) is None
    assert '"prompt_tokens":-2' in str(orjson.dumps(await used(WrongUsage("negative"))))
    assert '"prompt_tokens":0' in str(orjson.dumps(await used(WrongUsage("zero"))))
    assert '"prompt_tokens":"2"' in str(orjson.dumps(await used(WrongUsage("strings"))))
    cached = orjson.dumps(await used(WrongUsage("cached_above_prompt")))
    assert b'"prompt_tokens":2,' in cached
    assert b'"cached_tokens":1002' in cached
    assert [call.prompt_tokens for call in await provider.calls()] == [None] * 6


async def test_hostile_characters_arrive(provider: AsyncFakeProvider, http: ClientSession) -> None:
    _, body = await reply_to(provider, http, HostileText("nul"))
    assert "\x00" in orjson.loads(body)["choices"][0]["message"]["content"]
    _, body = await reply_to(provider, http, HostileText("bidi"))
    assert "\u202e" in orjson.loads(body)["choices"][0]["message"]["content"]
    _, body = await reply_to(provider, http, HostileText("lone_surrogate"))
    assert rb"\ud800 " in body


async def test_large_and_slow_bodies(provider: AsyncFakeProvider, http: ClientSession) -> None:
    _, body = await reply_to(provider, http, Huge(1_000_000))
    assert len(orjson.loads(body)["choices"][0]["message"]["content"]) == 1_000_000
    _, body = await reply_to(provider, http, Huge(200_000), stream=True)
    assert body.count(b"word") == 40_000
    _, body = await reply_to(provider, http, GzipBomb(3_000_000))
    assert len(orjson.loads(body)["choices"][0]["message"]["content"]) == 3_000_000
    bomb = (await provider.calls())[-1]
    assert bomb.sent_bytes < 10_000
    _, body = await reply_to(provider, http, SlowDrip(pause_s=0.00001))
    assert orjson.loads(body)["object"] == "chat.completion"


async def test_endless_answer_ends_when_the_client_leaves(
    provider: AsyncFakeProvider, http: ClientSession
) -> None:
    for stream in (False, True):
        await provider.program(Rule(action=Huge(None)))
        url = f"{provider.base_url}/chat/completions"
        async with http.post(url, json={**ASKED, "stream": stream}) as response:
            assert len(await response.content.readexactly(2_000_000)) == 2_000_000
            response.close()
    stats = await provider.until(lambda stats: stats.aborted == 2)
    assert stats.in_flight == 0


async def test_broken_streams(provider: AsyncFakeProvider, http: ClientSession) -> None:
    with pytest.raises(aiohttp.ClientError):
        await reply_to(provider, http, BrokenStream("cut"), stream=True)
    _, body = await reply_to(provider, http, BrokenStream("no_done"), stream=True)
    assert b"[DONE]" not in body
    _, body = await reply_to(provider, http, BrokenStream("error_event"), stream=True)
    assert b'data: {"error":' in body
    _, body = await reply_to(provider, http, BrokenStream("malformed_chunk"), stream=True)
    events = [part.removeprefix(b"data: ") for part in body.split(b"\n\n")]
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(events[2])
    assert orjson.loads(events[3])["object"] == "chat.completion.chunk"
