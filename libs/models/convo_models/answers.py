"""What models wrap their answers in, taken off: reasoning, code fences, and what no database can keep. Pure."""

import re

_OPEN, _CLOSE = "<think>", "</think>"
_FENCE = re.compile(r"```[ \t]*(?:text|txt|plaintext|markdown|md)?[ \t]*\r?\n")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with NUL and lone surrogates, which neither UTF-8 nor Postgres can hold, shown as U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def without_reasoning(text: str) -> str | None:
    """The text without its ``<think>`` blocks; None where one is not closed, or not opened."""
    kept: list[str] = []
    rest = text
    while _OPEN in rest:
        before, _, after = rest.partition(_OPEN)
        _, closed, rest = after.partition(_CLOSE)
        if not closed:
            return None
        kept.append(before)
    kept.append(rest)
    answer = "".join(kept)
    return None if _CLOSE in answer else answer


def unfenced(text: str) -> str:
    """The text inside a fence around the whole, where the fence names no programming language; else the text."""
    opening = _FENCE.match(text)
    if opening is None or not text.endswith("\n```") or text.count("```") != 2:
        return text
    return text[opening.end() : -len("\n```")]
