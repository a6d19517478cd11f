"""The real small model behind the real client; skipped where its weights are not installed."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec

import aiohttp
import orjson
import pytest

from convo_events.catalog import Backend, Model
from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.openai_compatible import connect
from convo_models.backends.protocol import ChatReply, ChatRequest, Json
from convo_models.backends.session import open_session
from convo_models.claim import ClaimToken
from convo_models.local_model import threads
from convo_models.model_weights import installed_weights

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        installed_weights() is None or find_spec("xllamacpp") is None,
        reason="needs the extra local and its weights",
    ),
]
NAME = "smollm2-135m-instruct"


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "CONVO_LOCAL_MODEL_PORT": str(port),
        "CONVO_LOCAL_MODEL_SLOTS": "1",
    }
    environment.pop("CONVO_LOCAL_MODEL_PATH", None)
    process = subprocess.Popen([sys.executable, "-m", "convo_models.local_model"], env=environment)
    try:
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=120) == 0
    finally:
        process.kill()
        process.wait()


async def _ready(session: aiohttp.ClientSession, url: str) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            async with session.get(f"{url}/readyz") as answer:
                if answer.status == 200:
                    return
        except (aiohttp.ClientError, OSError):
            pass
        await asyncio.sleep(0.05)
    raise TimeoutError("the local model did not get ready")


async def _ask(url: str, *requests: ChatRequest, stream: bool = False) -> list[ChatReply]:
    async with open_session() as session:
        await _ready(session, url)
        backend = Backend(
            name="local",
            base_url=f"{url}/v1",
            models=(Model(name=NAME),),
            stream=stream,
            timeout_s=600,
        )
        model = connect(backend, {}, session)
        claim = ClaimToken("step-1", 1, 1, time.monotonic(), deadline_s=600, start_within_s=600)
        return [await model.complete(request, claim) for request in requests]


HELLO = ChatRequest(NAME, (("user", "Say hello."),), max_tokens=16, temperature=0, seed=1)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_it_answers_under_its_name(service: str, stream: bool) -> None:
    (reply,) = await _ask(service, HELLO, stream=stream)
    assert reply.text
    assert reply.response_model == NAME
    assert 1 <= reply.usage.output_tokens <= 16
    assert not reply.usage.estimated


async def test_it_keeps_to_a_schema(service: str) -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 5}},
        "required": ["score"],
        "additionalProperties": False,
    }
    messages = (("user", "Score this from 1 to 5: the sky is blue."),)
    (reply,) = await _ask(service, ChatRequest(NAME, messages, 32, 0, response_schema=schema))
    assert orjson.loads(reply.text)["score"] in range(1, 6)


async def test_a_prompt_that_does_not_fit_is_named_as_such(service: str) -> None:
    with pytest.raises(BackendError) as caught:
        await _ask(service, ChatRequest(NAME, (("user", "word " * 3_000),), 8))
    assert caught.value.kind is ErrorKind.context_exceeded


async def test_health_metrics_and_nothing_else(service: str) -> None:
    async with aiohttp.ClientSession() as session:
        await _ready(session, service)
        statuses = {}
        for path in ("/healthz", "/metrics", "/v1/models", "/props", "/slots", "/"):
            async with session.get(service + path) as answer:
                statuses[path] = answer.status
                assert b".gguf" not in await answer.read()
    assert statuses == {
        "/healthz": 200,
        "/metrics": 200,
        "/v1/models": 200,
        "/props": 404,
        "/slots": 404,
        "/": 404,
    }


@pytest.mark.parametrize(("cpus", "expected"), [(1, 1), (2, 1), (4, 3), (64, 4)])
def test_one_processor_is_left_to_the_rest(cpus: int, expected: int) -> None:
    assert threads(cpus) == expected
