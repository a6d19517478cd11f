"""Opaque cursors: where a page ended, as text that a client only carries."""

import base64
import binascii
from datetime import datetime

import orjson

from convo_gateway.problems import HttpProblem, ProblemError

Part = str | int | float | datetime | None
"""Part of the sort key of the last row of a page; None where the row has no such number."""


def cursor(kind: str, *place: Part) -> str:
    """Text for the place after a row."""
    parts = [part.isoformat() if isinstance(part, datetime) else part for part in place]
    return base64.urlsafe_b64encode(orjson.dumps([kind, *parts])).decode().rstrip("=")


def place_of(text: str | None, kind: str, *types: type, gaps: bool = False) -> list[Part] | None:
    """The sort key of a cursor; None where there is none.

    Args:
        text: the cursor.
        kind: what it must have been made for.
        types: type of each part of the key.
        gaps: whether a part may be None.

    Raises:
        HttpProblem: 422 where it is no cursor of this list.
    """
    if text is None:
        return None
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        found, *parts = orjson.loads(raw)
        if found != kind or len(parts) != len(types):
            raise ValueError(kind)
        return [
            None if gaps and part is None else _read(part, wanted)
            for part, wanted in zip(parts, types, strict=True)
        ]
    except (ValueError, TypeError, UnicodeError, binascii.Error):
        error = ProblemError(detail="not a cursor of this list", pointer="/cursor", source="query")
        raise HttpProblem(
            422, "The cursor is not one that this list gave; start without one.", errors=[error]
        ) from None


def newest_place(text: str | None, kind: str) -> tuple[datetime, str] | None:
    """Time and id of a cursor in a list that has the newest first; None where there is no cursor.

    Raises:
        HttpProblem: 422 where it is no cursor of this list.
    """
    match place_of(text, kind, datetime, str):
        case [datetime() as at, str() as last]:
            return at, last
        case _:
            return None


def _read(part: object, wanted: type) -> str | int | float | datetime:
    if wanted is datetime and isinstance(part, str):
        return datetime.fromisoformat(part)
    if wanted is int and isinstance(part, int) and abs(part) < 2**63:
        return part
    if wanted is float and isinstance(part, int | float):
        return float(part)
    if wanted is str and isinstance(part, str) and "\0" not in part:
        return part
    raise TypeError(wanted)
