"""JSON out of a model's answer: plain, fenced, or with words around it; within bounds of size, depth and work. Pure."""

import json
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A decoded JSON value."""

SIZE_LIMIT = 2_000_000
"""Most characters of an answer that is looked at."""
DEPTH_LIMIT = 64
"""Most levels of objects and lists inside each other."""
_TRIES = 1_000
_COMMAS = 100
_WORK_LIMIT = 4 * SIZE_LIMIT
_START = re.compile(r"[\[{]")
_CLOSING = re.compile(r",?\s*[}\]]")
"""Newer decoders point at the comma itself, and older ones at the bracket."""
_THINK, _THOUGHT = "<think>", "</think>"

Trouble = Literal["cut_off", "too_long", "too_deep", "conflict"]
"""Ends before it is complete; over a bound; or says two different things under one name."""


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """What was found: all outermost JSON objects and lists, and what stopped the search."""

    values: tuple[Json, ...]
    """In the order of the answer."""
    trouble: Trouble | None = None
    """None where the answer was read to its end."""
    detail: str = ""
    """The trouble, for people."""


class _Conflict(ValueError):
    """An object that has two different values under one name."""


def read_json(text: str) -> JsonAnswer:
    """All JSON objects and lists of an answer, outermost ones only; a ``<think>`` block before them is left out.

    Never raises. A comma after the last member does no harm; line breaks inside of strings are taken as they are;
    ``NaN`` and ``Infinity`` come as floats.
    """
    if len(text) > SIZE_LIMIT:
        return JsonAnswer((), "too_long", f"the answer is longer than {SIZE_LIMIT:,} characters")
    start = 0
    if text.lstrip().startswith(_THINK):
        start = text.find(_THOUGHT)
        if start < 0:
            return JsonAnswer((), "cut_off", "the answer ends inside its <think> block")
    return _scan(text, start)


def _scan(text: str, start: int) -> JsonAnswer:
    values: list[Json] = []
    tries = work = 0
    end = len(text.rstrip())

    def stopped(trouble: Trouble, detail: str) -> JsonAnswer:
        return JsonAnswer(tuple(values), trouble, detail)

    while (opening := _START.search(text, start)) is not None:
        start = opening.start()
        try:
            value, start = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Unterminated string") or error.pos >= end:
                return stopped("cut_off", "the JSON ends before it is complete")
            tries, work = tries + 1, work + error.pos - start
            comma = _trailing_comma(text, error.pos) if tries <= _COMMAS else None
            if comma is None:
                start += 1
            else:
                text = f"{text[:comma]} {text[comma + 1 :]}"
            if tries > _TRIES or work > _WORK_LIMIT:
                return stopped("too_long", "the answer has too many pieces that are almost JSON")
        except _Conflict as error:
            return stopped("conflict", f"two different values for {str(error)[:100]!r}")
        except RecursionError:
            return stopped("too_deep", f"JSON nested deeper than {DEPTH_LIMIT} levels")
        except ValueError:
            return stopped("too_long", "a number with thousands of digits")
        else:
            if _is_deeper(value, DEPTH_LIMIT):
                return stopped("too_deep", f"JSON nested deeper than {DEPTH_LIMIT} levels")
            values.append(value)
    return JsonAnswer(tuple(values))


def _trailing_comma(text: str, at: int) -> int | None:
    """Where the comma stands that the decoder stumbled over: the last thing before the bracket that closes."""
    closing = _CLOSING.match(text, at)
    if closing is None:
        return None
    before = text[: closing.end() - 1].rstrip()
    return len(before) - 1 if before.endswith(",") else None


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for name, value in pairs:
        if name in members and members[name] != value:
            raise _Conflict(name)
        members[name] = value
    return members


def _is_deeper(value: Json, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        level = [part for whole in level for part in _parts(whole)]
        if not level:
            return False
    return True


def _parts(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


_DECODER = json.JSONDecoder(object_pairs_hook=_members, strict=False)
