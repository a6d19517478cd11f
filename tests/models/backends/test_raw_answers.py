"""Answers no proper provider sends, byte by byte."""

import asyncio
import gzip
from collections.abc import AsyncIterator

import aiohttp
import orjson
import pytest

from convo_models.backends.errors import ErrorKind
from tests.models.backends.conftest import Caller

pytestmark = pytest.mark.anyio
KEY = "sk-canary-9c41"
SOUND = orjson.dumps(
    {
        "choices": [{"message": {"content": "hello"}, "finish_reason": "eos"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "cost": 0.00042},
    }
)


class RawServer:
    """Sends the same bytes to every request, then closes; counts the requests."""

    def __init__(self) -> None:
        self.answer = b""
        self.requests: list[bytes] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        self.requests.append(head + await reader.readexactly(length))
        writer.write(self.answer)
        await writer.drain()
        writer.close()

    def says(self, status: int, body: bytes, *headers: str) -> None:
        lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", *headers, "", ""]
        self.answer = "\r\n".join(lines).encode() + body


@pytest.fixture
async def server() -> AsyncIterator[RawServer]:
    raw = RawServer()
    async with await asyncio.start_server(raw.serve, "127.0.0.1", 0) as listening:
        raw.port = listening.sockets[0].getsockname()[1]
        yield raw


@pytest.fixture
def raw_caller(server: RawServer, session: aiohttp.ClientSession) -> Caller:
    environment = {"RAW_KEY": KEY}
    return Caller(session, f"http://127.0.0.1:{server.port}/v1", environment, key_env="RAW_KEY")


async def test_a_redirect_takes_the_key_nowhere(server: RawServer, raw_caller: Caller) -> None:
    server.says(307, b"", f"Location: http://127.0.0.1:{server.port}/elsewhere")
    error = await raw_caller.failure()
    assert (error.kind, error.billed) == (ErrorKind.bad_request, "no")
    assert "base_url" in error.message
    assert len(server.requests) == 1


async def test_an_echoed_key_is_taken_out(server: RawServer, raw_caller: Caller) -> None:
    body = orjson.dumps({"error": {"message": f"bad key\x1b[2J {KEY}\n\u202e!"}})
    server.says(401, body)
    error = await raw_caller.failure()
    assert error.message == (
        "backend fake, model small: HTTP 401: bad key\\u001b[2J ${RAW_KEY} \\u202e!"
    )
    assert f"Bearer {KEY}".encode() in server.requests[0]


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP"])
async def test_a_packed_answer_nobody_asked_for_is_read(
    server: RawServer, raw_caller: Caller, encoding: str
) -> None:
    server.says(200, gzip.compress(SOUND), f"Content-Encoding: {encoding}")
    reply = await raw_caller.call()
    assert (reply.text, reply.finish, reply.provider_cost_micro) == ("hello", "stop", 420)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip"])
async def test_what_cannot_be_unpacked_is_malformed(
    server: RawServer, raw_caller: Caller, encoding: str
) -> None:
    server.says(200, SOUND, f"Content-Encoding: {encoding}")
    assert (await raw_caller.failure()).kind is ErrorKind.malformed


async def test_a_plain_answer_to_a_stream_is_taken(server: RawServer, raw_caller: Caller) -> None:
    server.says(200, SOUND)
    raw_caller.stream = True
    assert (await raw_caller.call()).text == "hello"


@pytest.mark.parametrize(
    "body",
    [
        b'{"choices":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"choices":' + b"[" * 100_000,
        b'{"a":"\\ud800","choices":' + b"[" * 100_000,
        b'{"choices":[{"message":7}],"usage":[],"model":{},"id":3}',
        b'{"choices":{"0":{}},"error":null}',
        b"9" * 20_000,
        b"\xef\xbb\xbf{}",
        b"not http",
    ],
)
async def test_odd_json_is_malformed(server: RawServer, raw_caller: Caller, body: bytes) -> None:
    server.says(200, body)
    assert (await raw_caller.failure()).kind is ErrorKind.malformed


async def test_what_is_not_http_is_malformed(server: RawServer, raw_caller: Caller) -> None:
    server.answer = b"SSH-2.0-OpenSSH_9.6\r\n\r\n"
    assert (await raw_caller.failure()).kind is ErrorKind.malformed


async def test_an_error_with_status_200_is_an_error(server: RawServer, raw_caller: Caller) -> None:
    server.says(200, b'{"error":{"code":429,"message":"slow down"}}', "Retry-After: 3")
    error = await raw_caller.failure()
    assert (error.kind, error.retry_after_s, error.billed) == (ErrorKind.rate_limited, 3, "maybe")
