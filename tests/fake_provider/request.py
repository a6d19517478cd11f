"""A chat completion request, as far as the provider looks at it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import orjson

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


class ChatRequest(NamedTuple):
    """One decoded request; `digest` is the sha256 of its body and the seed of its default reply."""

    digest: bytes
    key: str | None
    model: str
    messages: tuple[tuple[str, str], ...]
    """Role and text, in order."""
    stream: bool = False
    include_usage: bool = False
    max_tokens: int | None = None
    schema: Mapping[str, Json] | None = None

    @property
    def text(self) -> str:
        """All messages, one after another as `role: content`."""
        return "\n".join(f"{role}: {content}" for role, content in self.messages)

    @property
    def prompt_tokens(self) -> int:
        """Words between white space in all contents."""
        return sum(len(content.split()) for _, content in self.messages)


def parse(body: bytes, digest: bytes, key: str | None) -> ChatRequest | str:
    """The request, or what is wrong with it, in words for the error body."""
    try:
        fields: Json = orjson.loads(body)
    except orjson.JSONDecodeError:
        return "We could not parse the JSON body of your request."
    if not isinstance(fields, dict):
        return "The request body must be a JSON object."
    model, messages = fields.get("model"), fields.get("messages")
    if not isinstance(model, str) or not model:
        return "you must provide a model parameter"
    if not isinstance(messages, list) or not messages:
        return "Missing required parameter: 'messages'."
    options = fields.get("stream_options")
    limit = fields.get("max_completion_tokens") or fields.get("max_tokens")
    return ChatRequest(
        digest=digest,
        key=key,
        model=model,
        messages=tuple(map(_message, messages)),
        stream=fields.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        max_tokens=limit if isinstance(limit, int) else None,
        schema=_schema(fields.get("response_format")),
    )


def _message(message: Json) -> tuple[str, str]:
    if not isinstance(message, dict):
        return "", ""
    content = message.get("content")
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = " ".join(part for part in parts if isinstance(part, str))
    return str(message.get("role", "")), content if isinstance(content, str) else ""


def _schema(response_format: Json) -> Mapping[str, Json] | None:
    if not isinstance(response_format, dict):
        return None
    if response_format.get("type") == "json_object":
        return {"type": "object", "properties": {"text": {"type": "string"}}}
    wrapper = response_format.get("json_schema")
    schema = wrapper.get("schema") if isinstance(wrapper, dict) else None
    return schema if isinstance(schema, dict) else None
