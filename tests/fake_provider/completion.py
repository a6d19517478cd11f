"""The bodies of the OpenAI chat completion protocol: completion, stream chunks, errors, model list."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import orjson

from tests.fake_provider.request import ChatRequest, Json
from tests.fake_provider.rules import ErrorName

CREATED = 1_900_000_000
"""One constant instant, so that a reply depends on its request alone."""

LONE_SURROGATE = "\ue000"
"""Stands for a lone surrogate in text; becomes the six bytes \\ud800 in the body."""

_FINGERPRINT = "fp_fake"


class Message(NamedTuple):
    """What the model says: text, a refusal or a tool call."""

    content: str | None
    finish: str = "stop"
    refusal: str | None = None
    tool_calls: tuple[Mapping[str, Json], ...] = ()


def usage(prompt: int, completion: int) -> dict[str, Json]:
    """Usage of a sound reply, in white-space tokens."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def completion(
    request: ChatRequest, message: Message | None, used: Json, with_usage: bool = True
) -> dict[str, Json]:
    """A `chat.completion` object; without a message its choices are empty."""
    whole: dict[str, Json] = _envelope(request, "chat.completion")
    whole["choices"] = [] if message is None else [_choice(message)]
    if with_usage:
        whole["usage"] = used
    return whole


def encode(body: Json) -> bytes:
    """JSON bytes, with the stand-in for a lone surrogate put right."""
    encoded = orjson.dumps(body)
    return encoded.replace(LONE_SURROGATE.encode(), b"\\ud800")


def frames(
    request: ChatRequest, message: Message | None, used: Json, with_usage: bool = True
) -> list[bytes]:
    """The same reply as server-sent events, the closing `[DONE]` included."""
    written = [_chunk(request, choices) for choices in _deltas(message)]
    if request.include_usage and with_usage:
        written.append(_chunk(request, [], used))
    return [*written, DONE]


DONE = b"data: [DONE]\n\n"


def event(body: Json) -> bytes:
    """One server-sent event."""
    return b"data: " + encode(body) + b"\n\n"


def error_body(message: str, type_: str, code: str | None, param: str | None = None) -> bytes:
    """An OpenAI error object."""
    return encode({"error": {"message": message, "type": type_, "param": param, "code": code}})


def model_list(models: Iterable[str]) -> bytes:
    """The body of GET /v1/models."""
    listed: list[Json] = [
        {"id": model, "object": "model", "created": CREATED, "owned_by": "fake"} for model in models
    ]
    return encode({"object": "list", "data": listed})


ERRORS: Mapping[ErrorName, tuple[int, str, str, str | None, str | None]] = {
    "invalid_request": (400, "Invalid request.", "invalid_request_error", None, None),
    "unsupported_parameter": (
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model.",
        "invalid_request_error",
        "unsupported_parameter",
        "max_tokens",
    ),
    "context_length_exceeded": (
        400,
        "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.",
        "invalid_request_error",
        "context_length_exceeded",
        "messages",
    ),
    "bad_key": (
        401,
        "Incorrect API key provided.",
        "invalid_request_error",
        "invalid_api_key",
        None,
    ),
    "forbidden": (
        403,
        "Your project may not use this model.",
        "permission_error",
        "forbidden",
        None,
    ),
    "model_not_found": (
        404,
        "The model does not exist or you do not have access to it.",
        "invalid_request_error",
        "model_not_found",
        None,
    ),
    "insufficient_quota": (
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
        None,
    ),
    "server_error": (500, "The server had an error.", "server_error", None, None),
    "bad_gateway": (502, "Bad gateway.", "server_error", None, None),
    "unavailable": (503, "The engine is overloaded.", "service_unavailable", None, None),
    "gateway_timeout": (504, "The upstream timed out.", "server_error", "timeout", None),
    "overloaded": (529, "Overloaded.", "overloaded_error", "overloaded", None),
}
"""Name -> status, message, type, code, param."""


def _envelope(request: ChatRequest, kind: str) -> dict[str, Json]:
    return {
        "id": "chatcmpl-" + request.digest[:12].hex(),
        "object": kind,
        "created": CREATED,
        "model": request.model,
        "system_fingerprint": _FINGERPRINT,
    }


def _choice(message: Message) -> Json:
    spoken: dict[str, Json] = {"role": "assistant", "content": message.content}
    spoken["refusal"] = message.refusal
    if message.tool_calls:
        spoken["tool_calls"] = message.tool_calls
    return {"index": 0, "message": spoken, "logprobs": None, "finish_reason": message.finish}


def _chunk(request: ChatRequest, choices: Json, used: Json = None) -> bytes:
    chunk = _envelope(request, "chat.completion.chunk")
    chunk["choices"] = choices
    if request.include_usage:
        chunk["usage"] = used
    return event(chunk)


def _deltas(message: Message | None) -> list[list[Json]]:
    """The choices of each chunk: role, pieces of about four words, then the finish reason."""
    if message is None:
        return [[]]
    deltas: list[Mapping[str, Json]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in _pieces(message.content or "")]
    deltas += [{"refusal": piece} for piece in _pieces(message.refusal or "")]
    for place, call in enumerate(message.tool_calls):
        deltas.append({"tool_calls": [{"index": place, **call}]})
    steps: list[list[Json]] = [[_delta(delta, None)] for delta in deltas]
    return [*steps, [_delta({}, message.finish)]]


def _delta(delta: Mapping[str, Json], finish: str | None) -> Json:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _pieces(text: str) -> list[str]:
    words = text.split(" ") if text else []
    groups = [" ".join(words[at : at + 4]) for at in range(0, len(words), 4)]
    return [group if at == 0 else " " + group for at, group in enumerate(groups)]
