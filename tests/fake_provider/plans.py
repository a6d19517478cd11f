"""From an action to the plan that carries it out, one small function an action."""

import math
from collections.abc import Sequence
from email.utils import formatdate
from typing import NamedTuple, assert_never

from tests.fake_provider import completion as protocol
from tests.fake_provider import rules, wire
from tests.fake_provider.completion import Message
from tests.fake_provider.draw import Draw
from tests.fake_provider.replies import passage
from tests.fake_provider.request import ChatRequest, Json
from tests.fake_provider.rough import roughened
from tests.fake_provider.structured import Writer, season
from tests.fake_provider.wire import HangUp, Plan, Send, Step

_MARK = "@huge@"
_FLOOD = b"word " * 13_107
_SEASONINGS = {
    "nul": "\x00",
    "lone_surrogate": protocol.LONE_SURROGATE,
    "bidi": "\u202e\u2066",
    "zero_width": "\u200b\u200d\ufeff",
}
_GARBLED = {
    "malformed_json": (
        wire.JSON_TYPE,
        b'{"id": "chatcmpl-1", "choices": [{"message": {"content": "Hi',
    ),
    "invalid_utf8": (
        wire.JSON_TYPE,
        b'{"choices": [{"message": {"content": "caf\xe9 \xff\xfe"}}]}',
    ),
    "html": ("text/html", b"<html><body><h1>502 Bad Gateway</h1></body></html>"),
    "empty": (wire.JSON_TYPE, b""),
    "not_an_object": (wire.JSON_TYPE, b'["not", "a", "completion"]'),
}


class Moment(NamedTuple):
    """What a plan may depend on: the request, draws from it, the verdict drawn for it and the wall time."""

    request: ChatRequest
    draw: Draw
    accepts: bool
    now: float


def plan(action: rules.Action, at: Moment, scripted: str | None = None) -> Plan:
    """The plan for an action; `scripted` is the text whose turn it is in a script."""
    match action:
        case rules.Answer():
            return _answer(action.kind, at, action.text, action.chunk_pause_s)
        case rules.Scripted():
            return _answer(action.kind, at, scripted)
        case rules.RateLimited():
            return _rate_limited(action, at)
        case rules.Failure():
            return failure(action.error)
        case rules.Refusal() | rules.Odd() | rules.CallTool():
            return _message(action, at)
        case rules.Disconnect():
            return _disconnect(action, at)
        case rules.Garbled():
            content_type, body = _GARBLED[action.body]
            return Plan(action.kind, (Send(wire.whole(200, body, content_type)),), 200)
        case rules.Huge():
            return _huge(action, at)
        case rules.GzipBomb():
            return _bomb(action, at)
        case rules.SlowDrip():
            start, pieces = _rendered(at, sound(at))
            return Plan(action.kind, (wire.Drip(start + b"".join(pieces), action.pause_s),), 200)
        case rules.Silence():
            return Plan(action.kind, (wire.Hang(),))
        case rules.Held():
            made = _reply(action.kind, at, sound(at))
            return made._replace(steps=(wire.Hold(), *made.steps))
        case rules.WrongUsage():
            return _wrong_usage(action, at)
        case rules.HostileText():
            return _reply(action.kind, at, sound(at, seasoning=_SEASONINGS[action.character]))
        case rules.BrokenStream():
            return _broken_stream(action, at)
    assert_never(action)


def failure(error: rules.ErrorName, message: str | None = None) -> Plan:
    """An error of the catalogue, with its usual message or another."""
    status, usual, type_, code, param = protocol.ERRORS[error]
    body = protocol.error_body(message or usual, type_, code, param)
    return Plan(error, (Send(wire.whole(status, body)),), status)


def sound(at: Moment, text: str | None = None, seasoning: str = "") -> Message:
    """The given text, or one that fits the request; cut at its `max_tokens` like a real model."""
    if text is None:
        text = roughened(at.request)
    if text is None and at.request.schema is not None:
        value = Writer(at.request.schema, at.draw, at.accepts, seasoning).value()
        text = protocol.encode(value).decode()
    elif text is None:
        text = season(passage(at.draw), seasoning)
    limit = at.request.max_tokens
    if limit is not None and limit < text.count(" ") + 1:
        return Message(" ".join(text.split(" ")[: max(limit, 0)]), "length")
    return Message(text)


def _tokens(at: Moment, message: Message | None) -> tuple[int, int]:
    said = (message.content or message.refusal or "") if message else ""
    return at.request.prompt_tokens, len(said.split())


def _rendered(at: Moment, message: Message | None) -> tuple[bytes, list[bytes]]:
    """Head and framed body of a reply; the body of a stream in its chunks."""
    used = protocol.usage(*_tokens(at, message))
    return _framed(at.request, message, used)


def _framed(
    request: ChatRequest, message: Message | None, used: Json, with_usage: bool = True
) -> tuple[bytes, list[bytes]]:
    if not request.stream:
        body = protocol.encode(protocol.completion(request, message, used, with_usage))
        return wire.head(200, len(body)), [body]
    frames = protocol.frames(request, message, used, with_usage)
    return _stream_head(), [*map(wire.chunk, frames), wire.LAST_CHUNK]


def _stream_head() -> bytes:
    return wire.head(200, None, wire.STREAM_TYPE, (("Cache-Control", "no-cache"),))


def _reply(name: str, at: Moment, message: Message | None, pause_s: float = 0.0) -> Plan:
    prompt, said = _tokens(at, message)
    start, body = _framed(at.request, message, protocol.usage(prompt, said))
    steps: list[Step] = [Send(start + b"".join(body))]
    if pause_s and at.request.stream:
        steps = [Send(start)]
        for piece in body:
            steps += [wire.Wait(pause_s), Send(piece)]
    return Plan(name, tuple(steps), 200, prompt, said)


def _answer(name: str, at: Moment, text: str | None, pause_s: float = 0.0) -> Plan:
    return _reply(name, at, sound(at, text), pause_s)


def _message(action: rules.Refusal | rules.Odd | rules.CallTool, at: Moment) -> Plan:
    """A well-formed completion that is no usable answer."""
    message: Message | None
    match action:
        case rules.Refusal(style="content_filter"):
            message = Message("", "content_filter")
        case rules.Refusal():
            message = Message(None, refusal="I'm sorry, but I can't help with that.")
        case rules.CallTool():
            call: dict[str, Json] = {"id": "call_1", "type": "function"}
            call["function"] = {"name": action.name, "arguments": action.arguments}
            message = Message(None, "tool_calls", tool_calls=(call,))
        case rules.Odd(shape="truncated"):
            text = sound(at).content or ""
            message = Message(text[: len(text) // 2], "length")
        case rules.Odd(shape="empty_choices"):
            message = None
        case rules.Odd():
            message = Message(None if action.shape == "null_content" else "")
    return _reply(action.kind, at, message)


def _rate_limited(action: rules.RateLimited, at: Moment) -> Plan:
    body = protocol.error_body(
        "Rate limit reached for requests.", "rate_limit_error", "rate_limit_exceeded"
    )
    response = wire.whole(429, body, headers=_come_back(action, at.now))
    return Plan(action.kind, (Send(response),), 429)


def _come_back(action: rules.RateLimited, now: float) -> Sequence[tuple[str, str]]:
    """The headers that name the time; a date is rounded up to its whole second."""
    seconds = action.seconds
    match action.retry_after:
        case "ms":
            return (("retry-after-ms", str(round(seconds * 1000))),)
        case "reset_header":
            return (
                ("x-ratelimit-remaining-requests", "0"),
                ("x-ratelimit-reset-requests", _duration(seconds)),
            )
        case "none":
            return ()
        case form:
            values = {
                "seconds": str(math.ceil(seconds)),
                "float": str(float(seconds)),
                "date": formatdate(math.ceil(now + seconds), usegmt=True),
                "past_date": formatdate(now - 3600, usegmt=True),
                "absurd": "99999999999999999999",
                "negative": "-5",
                "garbage": "in a little while",
            }
            return (("Retry-After", values[form]),)


def _duration(seconds: float) -> str:
    """Seconds as OpenAI's headers write them: 120ms, 1.2s, 6m0s."""
    if seconds < 1:
        return f"{round(seconds * 1000)}ms"
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes)}m{rest:g}s" if minutes else f"{rest:g}s"


def _disconnect(action: rules.Disconnect, at: Moment) -> Plan:
    if action.where == "before_headers":
        return Plan(action.kind, (HangUp(action.reset),))
    start, pieces = _rendered(at, sound(at))
    if action.where == "mid_body":
        body = b"".join(pieces)
        start += body[: len(body) // 2]
    return Plan(action.kind, (Send(start), HangUp(action.reset)), 200)


def _huge(action: rules.Huge, at: Moment) -> Plan:
    used = protocol.usage(at.request.prompt_tokens, (action.size or 0) // 5)
    times, rest = divmod(action.size or 0, len(_FLOOD))
    if at.request.stream:
        frames = protocol.frames(at.request, Message(_MARK), used)
        at_mark = next(place for place, frame in enumerate(frames) if _MARK.encode() in frame)
        opening = _stream_head() + b"".join(map(wire.chunk, frames[:at_mark]))
        flood = wire.chunk(frames[at_mark].replace(_MARK.encode(), _FLOOD))
        last = wire.chunk(frames[at_mark].replace(_MARK.encode(), _FLOOD[:rest]))
        closing = last + b"".join(map(wire.chunk, frames[at_mark + 1 :])) + wire.LAST_CHUNK
    else:
        body = protocol.encode(protocol.completion(at.request, Message(_MARK), used))
        before, after = body.split(_MARK.encode())
        if action.size is None:
            opening, flood = wire.head(200, None) + wire.chunk(before), wire.chunk(_FLOOD)
        else:
            opening = wire.head(200, len(before) + action.size + len(after)) + before
            flood = _FLOOD
        closing = _FLOOD[:rest] + after
    if action.size is None:
        return Plan(action.kind, (Send(opening), wire.Flood(flood, None)), 200)
    steps = (Send(opening), wire.Flood(flood, times), Send(closing))
    return Plan(action.kind, steps, 200, at.request.prompt_tokens, action.size // 5)


def _bomb(action: rules.GzipBomb, at: Moment) -> Plan:
    return Plan(action.kind, (Send(bomb_response(action)),), 200)


def bomb_response(action: rules.GzipBomb) -> bytes:
    """The response of a gzip bomb: the same for every request, so that it is packed only once."""
    anyone = ChatRequest(b"gzip bomb", None, "bomb", ())
    body = protocol.encode(protocol.completion(anyone, Message(_MARK), protocol.usage(1, 1)))
    before, after = body.split(_MARK.encode())
    packed = wire.gzip_bomb(before, action.size, after)
    return wire.whole(200, packed, headers=(("Content-Encoding", "gzip"),))


def _wrong_usage(action: rules.WrongUsage, at: Moment) -> Plan:
    message = sound(at)
    prompt, said = _tokens(at, message)
    used = _wrong(action, prompt, said)
    start, body = _framed(at.request, message, used, with_usage=action.usage != "missing")
    return Plan(action.kind, (Send(start + b"".join(body)),), 200)


def _wrong(action: rules.WrongUsage, prompt: int, said: int) -> Json:
    right = protocol.usage(prompt, said)
    match action.usage:
        case "missing" | "null":
            return None
        case "zero":
            return protocol.usage(0, 0)
        case "negative":
            return protocol.usage(-prompt, -said)
        case "cached_above_prompt":
            return {**right, "prompt_tokens_details": {"cached_tokens": prompt + 1000}}
        case "strings":
            return {key: str(right[key]) for key in right if key.endswith("tokens")}
        case "floats":
            return {key: 0.5 for key in right if key.endswith("tokens")}
        case "enormous":
            return protocol.usage(2**62, 2**62)
    assert_never(action.usage)


def _broken_stream(action: rules.BrokenStream, at: Moment) -> Plan:
    if not at.request.stream:
        return _disconnect(rules.Disconnect("mid_body"), at)
    message = sound(at)
    frames = protocol.frames(at.request, message, protocol.usage(*_tokens(at, message)))
    kept = frames[: action.after]
    match action.fault:
        case "cut":
            body = b"".join(map(wire.chunk, kept))
            return Plan(action.kind, (Send(_stream_head() + body), HangUp(reset=True)), 200)
        case "malformed_chunk":
            kept.append(b'data: {"choices": [{"delta": {"con\n\n')
            kept += frames[action.after :]
        case "no_done":
            kept = frames[:-1]
        case "error_event":
            _, text, type_, code, param = protocol.ERRORS["server_error"]
            kept.append(b"data: " + protocol.error_body(text, type_, code, param) + b"\n\n")
            kept.append(protocol.DONE)
    body = b"".join(map(wire.chunk, kept)) + wire.LAST_CHUNK
    return Plan(action.kind, (Send(_stream_head() + body),), 200)
