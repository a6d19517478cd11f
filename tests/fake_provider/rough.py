"""Answers for numbered texts that are to be rewritten: the same texts the way a hurried person types."""

import json
from collections.abc import Mapping

from tests.fake_provider.request import ChatRequest, Json


def roughened(request: ChatRequest) -> str | None:
    """The numbered texts of the last message in lower case; None where the request is not for such texts."""
    if not _numbered(request.schema):
        return None
    said = request.messages[-1][1]
    try:
        sent, _ = json.JSONDecoder().raw_decode(said, said.index("{"))
        turns = [
            {"number": turn["number"], "text": hurried(turn["text"])} for turn in sent["turns"]
        ]
    except (ValueError, KeyError, TypeError, IndexError):
        return None
    return json.dumps({"turns": turns}, ensure_ascii=False)


def hurried(text: str) -> str:
    """Lower case, and no full stop at the end."""
    return text.lower().rstrip(". ")


def _numbered(schema: Json) -> bool:
    """Whether a schema asks for turns of a number and a text."""
    for step in ("properties", "turns", "items", "properties"):
        if not isinstance(schema, Mapping):
            return False
        schema = schema.get(step)
    return isinstance(schema, Mapping) and set(schema) == {"number", "text"}
