"""The log as a judge: arrival, end, repeats, clients that leave, and what is on disk after a kill."""

import asyncio
import hashlib
import time
from pathlib import Path

import orjson
import pytest
from aiohttp import ClientSession

from tests.fake_provider.client import AsyncFakeProvider, FakeProvider
from tests.fake_provider.log import read_log_file
from tests.fake_provider.rules import Failure, Held, Huge, Match, Rule, Silence, Window

pytestmark = pytest.mark.anyio


def request_bytes(text: str, key: str = "") -> bytes:
    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": text}]})
    headers = f"Host: x\r\nContent-Length: {len(body)}\r\n"
    headers += f"Idempotency-Key: {key}\r\n" if key else ""
    return f"POST /v1/chat/completions HTTP/1.1\r\n{headers}\r\n".encode() + body


async def read_reply(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return int(head.split(b" ")[1]), await reader.readexactly(length)


async def connect(
    provider: AsyncFakeProvider,
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", provider.provider.port)


async def test_arrival_and_end_are_logged(provider: AsyncFakeProvider, http: ClientSession) -> None:
    body = b'{"model":"m","messages":[{"role":"user","content":"a b"}]}'
    before, before_unix = time.monotonic(), time.time()
    headers = {"Idempotency-Key": "step-1", "Authorization": "Bearer sk-secret"}
    url = f"{provider.base_url}/chat/completions"
    async with http.post(url, data=body, headers=headers) as response:
        await response.read()
    (call,) = await provider.calls()
    assert before <= call.at <= (call.ended or 0) <= time.monotonic()
    assert before_unix <= call.at_unix <= time.time()
    assert (call.key, call.model, call.status, call.outcome) == ("step-1", "m", 200, "answered")
    assert call.body_sha256 == hashlib.sha256(body).hexdigest()
    assert call.prompt_tokens == 2
    assert "sk-secret" not in repr(call)
    assert await provider.calls(after=call.seq) == []


async def test_pipelined_requests_are_answered_in_order(provider: AsyncFakeProvider) -> None:
    slow_first = Rule(Match(window=Window(1, 1)), Failure(), latency=0.02)
    await provider.program(slow_first)
    reader, writer = await connect(provider)
    writer.write(b"".join(request_bytes(str(number), f"k{number}") for number in range(600)))
    statuses = [(await read_reply(reader))[0] for _ in range(600)]
    assert statuses == [500] + [200] * 599
    assert [call.key for call in await provider.calls()] == [f"k{n}" for n in range(600)]
    writer.close()
    await writer.wait_closed()


async def test_request_in_pieces(provider: AsyncFakeProvider) -> None:
    reader, writer = await connect(provider)
    for byte in request_bytes("in pieces"):
        writer.write(bytes([byte]))
        await writer.drain()
    assert (await read_reply(reader))[0] == 200
    writer.write(request_bytes("never whole")[:-5])
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    stats = await provider.until(lambda stats: stats.incomplete == 1)
    assert stats.requests == 1


async def test_repeats_are_judged_by_key(provider: AsyncFakeProvider) -> None:
    fails_once = Rule(Match(text="flaky", window=Window(1, 1)), Failure("unavailable"))
    await provider.program(fails_once)
    reader, writer = await connect(provider)
    for text, key in (("flaky", "a"), ("flaky", "a"), ("sound", "b"), ("sound", "b")):
        writer.write(request_bytes(text, key))
        await read_reply(reader)
    stats = await provider.stats()
    assert stats.repeated == {"a": 2, "b": 2}
    assert stats.repeated_after_ok == {"b": 1}
    assert stats.overlapping == {}
    assert stats.by_status == {"200": 3, "503": 1}
    assert stats.keys == 2
    writer.close()
    await writer.wait_closed()


async def test_client_that_leaves_is_seen_with_its_time(provider: AsyncFakeProvider) -> None:
    await provider.program(Rule(action=Silence()))
    sockets = [await connect(provider) for _ in range(3)]
    for _, writer in sockets:
        writer.write(request_bytes("anyone there?", "same"))
    stats = await provider.until(lambda stats: stats.in_flight == 3)
    assert stats.max_in_flight == 3
    assert stats.overlapping == {"same": 2}
    left = time.monotonic()
    for _, writer in sockets:
        writer.close()
        await writer.wait_closed()
    stats = await provider.until(lambda stats: stats.aborted == 3)
    assert stats.in_flight == 0
    for call in await provider.calls():
        assert (call.status, call.sent_bytes, call.outcome) == (None, 0, "client_closed")
        assert left <= (call.client_closed_at or 0) <= time.monotonic()


async def test_a_held_answer_comes_whole_with_the_next_program(provider: AsyncFakeProvider) -> None:
    await provider.program(Rule(Match(window=Window(1, 1)), Held()), keep_bodies=5)
    sockets = [await connect(provider) for _ in range(2)]
    for _, writer in sockets:
        writer.write(request_bytes("who comes first?"))
        await provider.until(lambda stats: stats.requests >= 1)
    stats = await provider.until(lambda stats: stats.answered == 1)
    assert (stats.requests, stats.in_flight) == (2, 1), "only the first one is held"
    await provider.program(keep_bodies=5)
    for reader, writer in sockets:
        assert (await read_reply(reader))[0] == 200
        writer.close()
        await writer.wait_closed()
    stats = await provider.until(lambda stats: stats.answered == 2)
    assert (stats.by_status, stats.in_flight) == ({"200": 2}, 0)


async def test_answer_that_is_not_read_is_not_answered(provider: AsyncFakeProvider) -> None:
    await provider.program(Rule(action=Huge(50_000_000)))
    reader, writer = await connect(provider)
    writer.write(request_bytes("much"))
    await reader.readexactly(1000)
    writer.transport.abort()
    stats = await provider.until(lambda stats: stats.in_flight == 0)
    assert (stats.aborted, stats.answered) == (1, 0)
    assert (await provider.calls())[0].sent_bytes < 50_000_000


async def test_key_check_and_model_list(provider: AsyncFakeProvider, http: ClientSession) -> None:
    await provider.program(api_key="right", models=("m", "n"))
    url = f"{provider.base_url}/models"
    assert (await http.get(url, headers={"Authorization": "Bearer wrong"})).status == 401
    listed = await (await http.get(url, headers={"Authorization": "Bearer right"})).json()
    assert [model["id"] for model in listed["data"]] == ["m", "n"]
    stats = await provider.stats()
    assert (stats.requests, stats.other) == (0, 2)


async def test_what_is_no_request(provider: AsyncFakeProvider, http: ClientSession) -> None:
    url = f"{provider.base_url}/chat/completions"
    for body in (b"{", b"[]", b'{"model":"m"}', b'{"messages":[]}'):
        assert (await http.post(url, data=body)).status == 400
    reader, writer = await connect(provider)
    writer.write(b"no http at all\r\n\r\n")
    assert (await read_reply(reader))[0] == 400
    assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()


async def test_bodies_are_kept_when_asked(provider: AsyncFakeProvider) -> None:
    await provider.program(keep_bodies=1)
    reader, writer = await connect(provider)
    for text in ("first", "second"):
        writer.write(request_bytes(text))
        await read_reply(reader)
    (body,) = (await asyncio.to_thread(provider.provider.bodies)).values()
    assert '"second"' in body
    writer.close()
    await writer.wait_closed()


async def test_reset_forgets_but_numbers_go_on(provider: AsyncFakeProvider) -> None:
    reader, writer = await connect(provider)
    writer.write(request_bytes("one", "k"))
    await read_reply(reader)
    (before,) = await provider.calls()
    await provider.reset()
    assert (await provider.stats()).requests == 0
    assert await provider.calls() == [], "it ends, though the numbers are higher"
    writer.write(request_bytes("two", "k"))
    await read_reply(reader)
    (after,) = await provider.calls()
    assert after.seq == before.seq + 1
    assert (await provider.stats()).repeated_after_ok == {}
    writer.close()
    await writer.wait_closed()


async def test_log_file_survives_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    with await asyncio.to_thread(FakeProvider.start, file) as started:
        provider = AsyncFakeProvider(started)
        await provider.program(Rule(Match(text="silence"), Silence()))
        reader, writer = await connect(provider)
        writer.write(request_bytes("answered", "a") + request_bytes("silence", "b"))
        await read_reply(reader)
        await provider.until(lambda stats: stats.in_flight == 1)
        assert started.process is not None
        started.process.kill()
        writer.close()
    calls = read_log_file(file)
    assert [(call.key, call.outcome) for call in calls] == [("a", "answered"), ("b", "open")]
