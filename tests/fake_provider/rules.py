"""What a test can program: a Program is settings and ordered Rules, a Rule is a Match and an Action.

Plain frozen dataclasses, checked when they are built and again by the server (an unknown word is refused).
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_STRICT)
class Window:
    """The first to the last request a rule takes, counted from 1 among requests its match fits."""

    first: int = 1
    last: int | None = None
    per_key: bool = False
    """Count each Idempotency-Key by itself: first=1, last=1 is then the first attempt of every step."""


@dataclass(frozen=True, config=_STRICT)
class Match:
    """Which requests a rule takes; every given part must fit."""

    model: str | None = None
    text: str | None = None
    """Substring of the messages, written one after another as `role: content`."""
    pattern: str | None = None
    """Regular expression searched in the same text."""
    stream: bool | None = None
    window: Window = Window()
    probability: float = 1.0
    """Share taken, drawn from program seed, request and its attempt number: a retry draws again."""


@dataclass(frozen=True, config=_STRICT)
class Uniform:
    """Latency in seconds, evenly between low and high."""

    low: float
    high: float
    kind: Literal["uniform"] = "uniform"


@dataclass(frozen=True, config=_STRICT)
class LogNormal:
    """Latency in seconds with a long tail, never above `cap`."""

    median: float
    sigma: float = 0.5
    cap: float = 60.0
    kind: Literal["lognormal"] = "lognormal"


Latency: TypeAlias = float | Uniform | LogNormal


@dataclass(frozen=True, config=_STRICT)
class Answer:
    """A sound reply: the given text, or one derived from the request (fitting its JSON schema)."""

    text: str | None = None
    chunk_pause_s: float = 0.0
    """Wait before each streamed chunk."""
    kind: Literal["answer"] = "answer"


@dataclass(frozen=True, config=_STRICT)
class Scripted:
    """Exact replies in order, one a request; then the last again, the first again, or the next rule."""

    texts: tuple[str, ...]
    then: Literal["last", "again", "next_rule"] = "last"
    kind: Literal["scripted"] = "scripted"


@dataclass(frozen=True, config=_STRICT)
class RateLimited:
    """429 that says when to come back, in one of the forms seen in the wild."""

    retry_after: Literal[
        "seconds",
        "float",
        "date",
        "past_date",
        "ms",
        "reset_header",
        "absurd",
        "negative",
        "garbage",
        "none",
    ] = "seconds"
    seconds: float = 1.0
    kind: Literal["rate_limited"] = "rate_limited"


ErrorName: TypeAlias = Literal[
    "invalid_request",
    "unsupported_parameter",
    "context_length_exceeded",
    "bad_key",
    "forbidden",
    "model_not_found",
    "insufficient_quota",
    "server_error",
    "bad_gateway",
    "unavailable",
    "gateway_timeout",
    "overloaded",
]


@dataclass(frozen=True, config=_STRICT)
class Failure:
    """An OpenAI-style error: 400, 401, 403, 404, 429 without a time, 500, 502, 503, 504 or 529."""

    error: ErrorName = "server_error"
    kind: Literal["failure"] = "failure"


@dataclass(frozen=True, config=_STRICT)
class Refusal:
    """The model declines: finish reason `content_filter`, or a `message.refusal`."""

    style: Literal["content_filter", "message"] = "message"
    kind: Literal["refusal"] = "refusal"


@dataclass(frozen=True, config=_STRICT)
class Disconnect:
    """The provider drops the connection, by reset or by an orderly close."""

    where: Literal["before_headers", "after_headers", "mid_body"] = "before_headers"
    reset: bool = True
    kind: Literal["disconnect"] = "disconnect"


@dataclass(frozen=True, config=_STRICT)
class Garbled:
    """Status 200 and a body that is no completion."""

    body: Literal["malformed_json", "invalid_utf8", "html", "empty", "not_an_object"] = (
        "malformed_json"
    )
    kind: Literal["garbled"] = "garbled"


@dataclass(frozen=True, config=_STRICT)
class Odd:
    """A well-formed completion without a usable answer."""

    shape: Literal["truncated", "empty_choices", "null_content", "empty_content"]
    kind: Literal["odd"] = "odd"


@dataclass(frozen=True, config=_STRICT)
class CallTool:
    """A reply that is nothing but one tool call."""

    name: str = "look_up"
    arguments: str = "{}"
    """JSON as text, sent as it is."""
    kind: Literal["call_tool"] = "call_tool"


@dataclass(frozen=True, config=_STRICT)
class Huge:
    """A sound completion with that many bytes of text; None never ends."""

    size: int | None = None
    kind: Literal["huge"] = "huge"


@dataclass(frozen=True, config=_STRICT)
class GzipBomb:
    """A small gzip body that unpacks to a completion of that many bytes (made when programmed)."""

    size: int = 100_000_000
    kind: Literal["gzip_bomb"] = "gzip_bomb"


@dataclass(frozen=True, config=_STRICT)
class SlowDrip:
    """The sound reply, one byte at a time."""

    pause_s: float = 0.1
    kind: Literal["slow_drip"] = "slow_drip"


@dataclass(frozen=True, config=_STRICT)
class Silence:
    """No answer ever; the request stays in flight until the client hangs up."""

    kind: Literal["silence"] = "silence"


@dataclass(frozen=True, config=_STRICT)
class Held:
    """A sound reply, but not before the next program: until then whoever asked is under way, for sure."""

    kind: Literal["held"] = "held"


@dataclass(frozen=True, config=_STRICT)
class WrongUsage:
    """A sound text with a `usage` that cannot be billed from."""

    usage: Literal[
        "missing",
        "null",
        "zero",
        "negative",
        "cached_above_prompt",
        "strings",
        "floats",
        "enormous",
    ]
    kind: Literal["wrong_usage"] = "wrong_usage"


@dataclass(frozen=True, config=_STRICT)
class HostileText:
    """A sound reply whose text carries characters that break storage or display."""

    character: Literal["nul", "lone_surrogate", "bidi", "zero_width"]
    kind: Literal["hostile_text"] = "hostile_text"


@dataclass(frozen=True, config=_STRICT)
class BrokenStream:
    """A stream that goes wrong after some chunks; a plain request gets its answer cut mid body."""

    fault: Literal["cut", "malformed_chunk", "no_done", "error_event"] = "cut"
    after: int = 2
    kind: Literal["broken_stream"] = "broken_stream"


Action: TypeAlias = Annotated[
    Answer
    | Scripted
    | RateLimited
    | Failure
    | Refusal
    | Disconnect
    | Garbled
    | Odd
    | CallTool
    | Huge
    | GzipBomb
    | SlowDrip
    | Silence
    | Held
    | WrongUsage
    | HostileText
    | BrokenStream,
    Field(discriminator="kind"),
]


@dataclass(frozen=True, config=_STRICT)
class Rule:
    """What happens to the requests it matches; the first rule in the list that applies decides."""

    match: Match = Match()
    action: Action = Answer()
    latency: Latency | None = None
    """Before the first byte; None takes the program's."""
    times: int | None = None
    """Applies at most so often; None is always."""


@dataclass(frozen=True, config=_STRICT)
class Program:
    """Everything the provider follows until the next program."""

    rules: tuple[Rule, ...] = ()
    seed: int = 0
    latency: Latency = 0.0
    api_key: str | None = None
    """Bearer token to ask for; None asks for none."""
    models: tuple[str, ...] | None = None
    """Known models; None knows every model."""
    accept_share: float = 0.9
    """Share of requests whose scores fall in the upper 40 % of their range; the rest in the lower."""
    keep_bodies: int = 0
    """How many of the latest request bodies stay readable."""


PROGRAM: TypeAdapter[Program] = TypeAdapter(Program)
