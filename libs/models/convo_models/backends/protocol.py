"""What convo asks a model and gets back, whichever API is behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import orjson

from convo_events.catalog import Backend
from convo_events.usage import Usage
from convo_models.backends.text import well_formed
from convo_models.claim import ClaimToken

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
Finish = Literal["stop", "length", "content_filter", "tool_calls"]
"""Why the model ended: by itself, at the token limit, stopped by a filter, or to call a tool."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request for one answer."""

    model: str
    messages: tuple[tuple[str, str], ...]
    """Role and content, oldest first."""
    max_tokens: int
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    response_schema: Mapping[str, Json] | None = None
    """JSON schema the answer has to fit; None for free text."""
    schema_name: str = "answer"
    """Name the schema goes by."""

    def body(self, backend: Backend) -> bytes:
        r"""The exact bytes that are sent: UTF-8 of the text as shown, never ``\u`` escapes.

        Equal requests give equal bytes, so their SHA-256 can stand for the input. Lone surrogates, which UTF-8 cannot
        carry, are sent as U+FFFD.
        """
        fields = self._fields(backend)
        try:
            return orjson.dumps(fields)
        except TypeError:  # orjson refuses surrogates, which are too rare to look for each time
            return orjson.dumps(_well_formed(fields))

    def _fields(self, backend: Backend) -> dict[str, Json]:
        fields: dict[str, Json] = {
            "model": self.model,
            "messages": [{"role": role, "content": content} for role, content in self.messages],
            backend.token_limit_field: self.max_tokens,
        }
        optional = {"temperature": self.temperature, "top_p": self.top_p, "seed": self.seed}
        fields.update({name: value for name, value in optional.items() if value is not None})
        if self.response_schema is not None and backend.structured != "none":
            fields["response_format"] = self._response_format(backend, self.response_schema)
        if backend.stream:
            fields |= {"stream": True, "stream_options": {"include_usage": True}}
        return fields

    def _response_format(self, backend: Backend, schema: Mapping[str, Json]) -> Json:
        if backend.structured == "json_object":
            return {"type": "json_object"}
        named: Mapping[str, Json] = {"name": self.schema_name, "strict": True, "schema": schema}
        return {"type": "json_schema", "json_schema": named}


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One answer, with everything needed to judge and to book it."""

    text: str
    """What the model said; empty where it only refused or called a tool. Fits UTF-8 and Postgres."""
    finish: Finish
    usage: Usage
    refusal: str | None = None
    """The model's own words of refusal, where the API keeps them apart."""
    response_model: str | None = None
    """Model as the provider names it."""
    provider_id: str | None = None
    """The provider's id of the call."""
    provider_cost_micro: int | None = None
    """Micro-dollars, where the provider says what it charged."""
    latency_ms: int = 0
    """From sending to the last byte."""
    first_byte_ms: int = 0
    """From sending to the head of the answer, or to the first streamed text."""


class ModelBackend(Protocol):
    """A connected model API."""

    async def complete(self, request: ChatRequest, claim: ClaimToken) -> ChatReply:
        """The model's answer, from one HTTP request that is never repeated here.

        Raises:
            BackendError: for everything that is no answer.
            TooLate: when the claim let the request start no longer; nothing was sent.
        """
        ...


def _well_formed(value: Json) -> Json:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, Mapping):
        return {well_formed(key): _well_formed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_well_formed(item) for item in value]
    return value
