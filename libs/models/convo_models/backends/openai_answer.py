"""An OpenAI-compatible completion, read with suspicion: JSON text to the parts of a ``ChatReply``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.protocol import ChatReply, ChatRequest, Finish, Json
from convo_models.backends.text import storable
from convo_models.backends.usage import cost_micro, normalised, reported

MOST_TEXT_BYTES = 256 * 1024
"""Largest answer that is kept."""
_NAME_LIMIT = 200
_FINISH: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "recitation": "content_filter",
    "refusal": "content_filter",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
}
"""Spellings seen; every other one, such as ``eos`` or none at all, is a plain end."""
_BROKEN_OFF = frozenset({"error", "abort", "insufficient_system_resource"})


@dataclass(slots=True)
class Answer:
    """What was found so far: all of it at once, or piece by piece from a stream."""

    found_choice: bool = False
    pieces: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    finish: str | None = None
    counts: Json = None
    model: str | None = None
    id: str | None = None
    size: int = 0
    """UTF-8 bytes of the text so far."""

    def take(self, fields: Mapping[str, Json], part: str) -> None:
        """Add one JSON object whose choice holds its text under ``part`` (``message`` or ``delta``).

        Raises:
            BackendError: ``too_large``.
        """
        self.model = _name(fields.get("model")) or self.model
        self.id = _name(fields.get("id")) or self.id
        self.counts = fields.get("usage") or self.counts
        choices = fields.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        message = choice.get(part)
        if isinstance(message, dict):
            self.found_choice = True
            self._add(self.pieces, message.get("content"))
            self._add(self.refusals, message.get("refusal"))
        if isinstance(finish := choice.get("finish_reason"), str):
            self.finish = finish.lower()

    def reply(self, request: ChatRequest, latency_ms: int, first_byte_ms: int) -> ChatReply:
        """The finished answer.

        Raises:
            BackendError: ``malformed`` where no choice came, ``overloaded`` where the provider broke off.
        """
        if not self.found_choice:
            raise self._trouble(ErrorKind.malformed, "the answer has no choices")
        if self.finish in _BROKEN_OFF:
            message = f"the provider broke off with finish reason {self.finish!r}"
            raise self._trouble(ErrorKind.overloaded, message)
        text, refusal = storable("".join(self.pieces)), storable("".join(self.refusals))
        asked = sum(len(content) for _, content in request.messages)
        return ChatReply(
            text=text,
            finish=_FINISH.get(self.finish or "", "stop"),
            usage=normalised(self.counts, asked, len(text) + len(refusal)),
            refusal=refusal or None,
            response_model=self.model,
            provider_id=self.id,
            provider_cost_micro=cost_micro(self.counts),
            latency_ms=latency_ms,
            first_byte_ms=first_byte_ms,
        )

    def _trouble(self, kind: ErrorKind, message: str) -> BackendError:
        """An answer that is none, with what the provider says it used and cost."""
        return BackendError(
            kind,
            message,
            usage=reported(self.counts),
            provider_cost_micro=cost_micro(self.counts),
        )

    def _add(self, pieces: list[str], content: Json) -> None:
        if isinstance(content, list):
            texts = (part.get("text") for part in content if isinstance(part, dict))
            content = "".join(text for text in texts if isinstance(text, str))
        if not isinstance(content, str) or not content:
            return
        self.size += len(content) if content.isascii() else len(content.encode(errors="replace"))
        if self.size > MOST_TEXT_BYTES:
            message = f"the answer's text is over {MOST_TEXT_BYTES} bytes: lower max_tokens"
            raise self._trouble(ErrorKind.too_large, message)
        pieces.append(content)


def json_object(raw: bytes) -> Mapping[str, Json]:
    """The JSON object in the bytes; lone surrogate escapes are let through for ``storable`` to replace.

    Raises:
        BackendError: ``malformed``.
    """
    try:
        fields: Json = orjson.loads(raw)
    except orjson.JSONDecodeError:
        fields = _with_surrogates(raw)
    if not isinstance(fields, dict):
        raise BackendError(ErrorKind.malformed, f"the answer is no JSON object: {_sort(raw)}")
    return fields


def _with_surrogates(raw: bytes) -> Json:
    """What the standard library reads, which unlike orjson takes lone surrogates; None where it reads nothing."""
    if b"\\ud" not in raw.lower():
        return None
    try:
        fields: Json = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return fields


def _sort(raw: bytes) -> str:
    start = raw[:200].lstrip().lower()
    if not start:
        return "it is empty"
    if start.startswith((b"<!doctype", b"<html")):
        return "it is a web page; check base_url, and any proxy on the way"
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return f"byte {error.start} is not UTF-8"
    return f"{len(raw)} bytes of something else"


def _name(value: Json) -> str | None:
    return storable(value)[:_NAME_LIMIT] or None if isinstance(value, str) else None


def error_of(fields: Mapping[str, Json]) -> Json:
    """The error inside a JSON object, or None: some APIs report one with status 200, or amid a stream."""
    error = fields.get("error")
    return error if isinstance(error, dict | str | list) and error else None
