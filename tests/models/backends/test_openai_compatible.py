"""The client against a provider in another process: what it sends, and what it makes of every answer."""

import asyncio
import hashlib
import socket
import time
import traceback
from dataclasses import replace

import orjson
import pytest

from convo_events.catalog import Backend, Model
from convo_models.backends.errors import BackendError, Billed, ErrorKind
from convo_models.backends.openai_compatible import connect
from convo_models.backends.protocol import ChatRequest, Json
from convo_models.backends.text import REPLACEMENT
from convo_models.claim import ClaimToken, TooLate
from tests.fake_provider import rules
from tests.fake_provider.client import FakeProvider
from tests.models.backends.conftest import REQUEST, Caller, always

pytestmark = pytest.mark.anyio
KEY = "sk-canary-5d1f0c7a"
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@STREAMED
async def test_a_sound_answer(provider: FakeProvider, caller: Caller, stream: bool) -> None:
    always(provider, rules.Answer("Hello, harbour."))
    caller.stream = stream
    reply = await caller.call(step_key="the-key")
    assert (reply.text, reply.finish, reply.refusal) == ("Hello, harbour.", "stop", None)
    assert not reply.usage.estimated
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens > 0
    assert reply.response_model == "small"
    assert reply.provider_id
    assert 0 <= reply.first_byte_ms <= reply.latency_ms
    (call,) = provider.calls()
    assert (call.key, call.stream) == ("the-key", stream)


async def test_u04_the_bytes_sent_are_the_text_shown(
    provider: FakeProvider, caller: Caller
) -> None:
    provider.program(keep_bodies=1)
    text = "Grüße, 世界 🚢 {x} {{x}} %s $x and a lone \ud800 half; a \ud83d\ude00 pair"
    request = replace(REQUEST, messages=(("system", "é"), ("user", text)))
    await caller.call(request)
    shown = text.replace("\ud800", REPLACEMENT).replace("\ud83d\ude00", "😀")
    (call,) = provider.calls()
    (body,) = provider.bodies().values()
    assert f'"content":"{shown}"' in body
    assert "\\u" not in body
    backend = Backend(name="fake", base_url=caller.base_url, models=(Model(name="small"),))
    assert call.body_sha256 == hashlib.sha256(request.body(backend)).hexdigest()


def test_a_body_says_what_the_backend_understands() -> None:
    request = replace(
        REQUEST, temperature=0.5, top_p=0.9, seed=7, response_schema={"type": "object"}
    )
    models = (Model(name="small"),)
    backend = Backend(name="b", base_url="http://x", models=models)
    fields = orjson.loads(request.body(backend))
    assert fields == {
        "model": "small",
        "messages": [{"role": "user", "content": "Say hello to the harbour."}],
        "max_tokens": 64,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": {"type": "object"}},
        },
    }
    other = Backend(
        name="b",
        base_url="http://x",
        models=models,
        stream=True,
        structured="json_object",
        token_limit_field="max_completion_tokens",
    )
    fields = orjson.loads(request.body(other))
    assert fields["response_format"] == {"type": "json_object"}
    assert (fields["stream"], fields["stream_options"]) == (True, {"include_usage": True})
    assert fields["max_completion_tokens"] == 64
    assert "max_tokens" not in fields


@STREAMED
@pytest.mark.parametrize(
    "usage", ["missing", "null", "zero", "negative", "strings", "floats", "enormous"]
)
async def test_usage_that_cannot_be_billed_is_estimated(
    provider: FakeProvider, caller: Caller, stream: bool, usage: str
) -> None:
    always(provider, rules.WrongUsage(usage))  # type: ignore[arg-type]  # pydantic checks the word
    caller.stream = stream
    reply = await caller.call()
    assert reply.usage.estimated
    assert reply.usage.input_tokens == 7  # 25 characters at 4 a token
    assert reply.usage.output_tokens == -(-len(reply.text) // 4) > 0


async def test_c01_more_cached_than_asked_is_clamped(
    provider: FakeProvider, caller: Caller
) -> None:
    always(provider, rules.WrongUsage("cached_above_prompt"))
    usage = (await caller.call()).usage
    assert usage.cached_tokens == usage.input_tokens > 0
    assert usage.estimated


@STREAMED
@pytest.mark.parametrize("shape", ["null_content", "empty_content"])
async def test_j13_no_content(
    provider: FakeProvider, caller: Caller, stream: bool, shape: str
) -> None:
    always(provider, rules.Odd(shape))  # type: ignore[arg-type]  # pydantic checks the word
    caller.stream = stream
    assert (await caller.call()).text == ""


@STREAMED
async def test_j13_only_a_tool_call(provider: FakeProvider, caller: Caller, stream: bool) -> None:
    always(provider, rules.CallTool())
    caller.stream = stream
    reply = await caller.call()
    assert (reply.text, reply.finish) == ("", "tool_calls")


@STREAMED
async def test_j13_no_choices_is_malformed_and_paid(
    provider: FakeProvider, caller: Caller, stream: bool
) -> None:
    always(provider, rules.Odd("empty_choices"))
    caller.stream = stream
    error = await caller.failure()
    assert (error.kind, error.billed) == (ErrorKind.malformed, "yes")


@STREAMED
async def test_finish_reasons_and_refusals(
    provider: FakeProvider, caller: Caller, stream: bool
) -> None:
    caller.stream = stream
    always(provider, rules.Odd("truncated"))
    assert (await caller.call()).finish == "length"
    always(provider, rules.Refusal("content_filter"))
    assert (await caller.call()).finish == "content_filter"
    always(provider, rules.Refusal("message"))
    reply = await caller.call()
    assert reply.refusal
    assert reply.text == ""


@STREAMED
@pytest.mark.parametrize("character", ["nul", "lone_surrogate"])
async def test_u05_text_that_no_store_takes_is_replaced(
    provider: FakeProvider, caller: Caller, stream: bool, character: str
) -> None:
    always(provider, rules.HostileText(character))  # type: ignore[arg-type]  # pydantic checks the word
    caller.stream = stream
    text = (await caller.call()).text
    assert REPLACEMENT in text
    assert "\x00" not in text
    text.encode()


@pytest.mark.parametrize(
    ("action", "kind", "billed"),
    [
        (rules.RateLimited("none"), ErrorKind.rate_limited, "no"),
        (rules.Failure("invalid_request"), ErrorKind.bad_request, "no"),
        (rules.Failure("unsupported_parameter"), ErrorKind.bad_request, "no"),
        (rules.Failure("context_length_exceeded"), ErrorKind.context_exceeded, "no"),
        (rules.Failure("bad_key"), ErrorKind.auth, "no"),
        (rules.Failure("forbidden"), ErrorKind.auth, "no"),
        (rules.Failure("model_not_found"), ErrorKind.not_found, "no"),
        (rules.Failure("insufficient_quota"), ErrorKind.quota, "no"),
        (rules.Failure("server_error"), ErrorKind.overloaded, "maybe"),
        (rules.Failure("bad_gateway"), ErrorKind.overloaded, "maybe"),
        (rules.Failure("unavailable"), ErrorKind.overloaded, "maybe"),
        (rules.Failure("gateway_timeout"), ErrorKind.overloaded, "maybe"),
        (rules.Failure("overloaded"), ErrorKind.overloaded, "maybe"),
        (rules.Disconnect("before_headers"), ErrorKind.unreachable, "maybe"),
        (rules.Disconnect("before_headers", reset=False), ErrorKind.unreachable, "maybe"),
        (rules.Disconnect("after_headers"), ErrorKind.unreachable, "maybe"),
        (rules.Disconnect("mid_body", reset=False), ErrorKind.unreachable, "maybe"),
        (rules.Garbled("malformed_json"), ErrorKind.malformed, "maybe"),
        (rules.Garbled("invalid_utf8"), ErrorKind.malformed, "maybe"),
        (rules.Garbled("html"), ErrorKind.malformed, "maybe"),
        (rules.Garbled("empty"), ErrorKind.malformed, "maybe"),
        (rules.Garbled("not_an_object"), ErrorKind.malformed, "maybe"),
        (rules.Huge(300_000), ErrorKind.too_large, "yes"),
        (rules.Huge(5_000_000), ErrorKind.too_large, "maybe"),
        (rules.Huge(None), ErrorKind.too_large, "maybe"),
        (rules.GzipBomb(50_000_000), ErrorKind.too_large, "maybe"),
    ],
)
async def test_every_fault_has_its_kind(
    provider: FakeProvider, caller: Caller, action: rules.Action, kind: ErrorKind, billed: Billed
) -> None:
    always(provider, action)
    error = await caller.failure()
    assert (error.kind, error.billed, error.sent) == (kind, billed, True)
    assert error.message.startswith("backend fake, model small: ")
    assert len(error.message) <= 500
    assert provider.stats().requests == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("cut", ErrorKind.unreachable),
        ("malformed_chunk", ErrorKind.malformed),
        ("error_event", ErrorKind.overloaded),
    ],
)
async def test_a_stream_that_breaks(
    provider: FakeProvider, caller: Caller, fault: str, kind: ErrorKind
) -> None:
    always(provider, rules.BrokenStream(fault))  # type: ignore[arg-type]  # pydantic checks the word
    caller.stream = True
    error = await caller.failure()
    assert (error.kind, error.billed) == (kind, "maybe")


async def test_a_finished_stream_needs_no_done(provider: FakeProvider, caller: Caller) -> None:
    always(provider, rules.BrokenStream("no_done"))
    caller.stream = True
    assert (await caller.call()).finish == "stop"


@pytest.mark.parametrize(
    ("form", "seconds"), [("seconds", 3), ("float", 3), ("ms", 3), ("reset_header", 3)]
)
async def test_l06_the_wait_is_taken_from_any_header(
    provider: FakeProvider, caller: Caller, form: str, seconds: float
) -> None:
    always(provider, rules.RateLimited(form, seconds=3))  # type: ignore[arg-type]  # pydantic checks it
    assert (await caller.failure()).retry_after_s == pytest.approx(seconds, abs=0.5)


@pytest.mark.parametrize(
    ("form", "seconds"), [("past_date", 0), ("negative", 0), ("absurd", 900), ("garbage", None)]
)
async def test_l06_nonsense_waits_are_bounded(
    provider: FakeProvider, caller: Caller, form: str, seconds: float | None
) -> None:
    always(provider, rules.RateLimited(form))  # type: ignore[arg-type]  # pydantic checks the word
    assert (await caller.failure()).retry_after_s == seconds


@pytest.mark.parametrize("action", [rules.Silence(), rules.SlowDrip(0.05)], ids=["silence", "drip"])
async def test_the_deadline_is_for_the_whole_call(
    provider: FakeProvider, caller: Caller, action: rules.Action
) -> None:
    always(provider, action)
    caller.timeout_s = 1.5
    error = await caller.failure()
    assert (error.kind, error.billed) == (ErrorKind.timeout, "maybe")
    stats = await asyncio.to_thread(provider.until, lambda stats: stats.in_flight == 0)
    assert stats.requests == 1


async def test_nothing_is_sent_under_a_claim_that_ran_out(
    provider: FakeProvider, caller: Caller
) -> None:
    backend = Backend(name="fake", base_url=caller.base_url, models=(Model(name="small"),))
    late = ClaimToken("step-1", 1, 1, granted_at=time.monotonic() - 61, deadline_s=60)
    with pytest.raises(BackendError, match="ran out") as caught:
        await connect(backend, {}, caller.session).complete(REQUEST, late)
    assert caught.value.billed == "no"
    assert provider.stats().requests == 0


async def test_i6_a_request_does_not_start_when_connecting_took_longer_than_its_claim_allows(
    provider: FakeProvider, caller: Caller
) -> None:
    backend = Backend(name="fake", base_url=caller.base_url, models=(Model(name="small"),))
    model = connect(backend, {}, caller.session)
    late = ClaimToken("step-1", 1, 1, granted_at=time.monotonic() - 0.5, deadline_s=60)
    for _ in range(2):  # with a connection of its own, and with the one that was kept
        with pytest.raises(TooLate):
            await model.complete(REQUEST, late)
    assert provider.stats().requests == 0
    in_time = replace(late, start_within_s=600)
    assert (await model.complete(REQUEST, in_time)).text
    assert provider.stats().requests == 1


async def test_a_cancelled_call_closes_its_socket(provider: FakeProvider, caller: Caller) -> None:
    always(provider, rules.Silence())
    call = asyncio.create_task(caller.call())
    await asyncio.to_thread(provider.until, lambda stats: stats.in_flight == 1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.to_thread(provider.until, lambda stats: stats.in_flight == 0)


async def test_nobody_listens(caller: Caller) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        caller.base_url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        error = await caller.failure()
    assert (error.kind, error.billed, error.sent) == (ErrorKind.unreachable, "no", False)


async def test_the_key_is_read_at_the_call_and_shown_nowhere(
    provider: FakeProvider, caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    provider.program(api_key=KEY)
    environment: dict[str, str] = {}
    caller.environment, caller.key_env = environment, "FAKE_API_KEY"
    error = await caller.failure()
    assert (error.kind, error.billed) == (ErrorKind.auth, "no")
    assert "FAKE_API_KEY is not set" in error.message
    assert provider.stats().requests == 0
    environment["FAKE_API_KEY"] = KEY
    assert (await caller.call()).text
    environment["FAKE_API_KEY"] = KEY + "-wrong"
    error = await caller.failure()
    assert error.kind is ErrorKind.auth
    for action in (rules.Disconnect(), rules.Garbled("html"), rules.Failure("server_error")):
        provider.program(rules.Rule(action=action))
        error = await caller.failure()
        shown = "".join(traceback.format_exception(error)) + repr(error) + caplog.text
        assert KEY not in shown
        assert (error.__cause__, error.__context__) == (None, None)


async def test_the_address_may_come_from_the_environment(
    provider: FakeProvider, caller: Caller
) -> None:
    caller.base_url, caller.environment = (
        "http://127.0.0.1:${PORT}/v1/",
        {"PORT": str(provider.port)},
    )
    assert (await caller.call()).text
    caller.environment = {"PORT": "1@elsewhere.example"}
    error = await caller.failure()
    assert (error.kind, error.sent) == (ErrorKind.bad_request, False)
    assert "elsewhere" not in error.message
    caller.environment = {}
    assert "PORT is not set" in (await caller.failure()).message


async def test_l10_the_providers_own_words_are_kept(provider: FakeProvider, caller: Caller) -> None:
    always(provider, rules.Failure("unsupported_parameter"))
    error = await caller.failure()
    assert "nsupported" in error.message
    assert not error.retryable


async def test_a_schema_is_answered_by_fitting_json(provider: FakeProvider, caller: Caller) -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"score": {"type": "integer"}},
        "required": ["score"],
    }
    request = ChatRequest("small", (("user", "Score it."),), 64, response_schema=schema)
    assert isinstance(orjson.loads((await caller.call(request)).text)["score"], int)
