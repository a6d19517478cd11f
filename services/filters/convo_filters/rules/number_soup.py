"""Reject a turn that runs off into numbers without end or sense."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 146
DESCRIPTION = (
    "A turn runs off into numbers: dozens in a row with hardly a word between, or one without end."
)

_WORD = re.compile(r"[^\W_]+(?:[.,'][^\W_]+)*")
# Sums, tables and lists of what is what have a sense of their own: "7 x 8 = 56", "| 3 | 4 |", "12:30 train".
_ORDERED = re.compile(r"^[^\n]*(?:\||=|\t|≈|→)[^\n]*$", re.MULTILINE)
_LONG = re.compile(r"\d{40,}")


class Parameters(RuleParameters):
    """How much is too much. Code, tables and sums are left out."""

    window: Annotated[int, Field(ge=10, le=1_000)] = 40
    """Words and numbers that are looked at together."""
    most_share: Annotated[float, Field(gt=0.3, le=1)] = 0.8
    """Share of them that may be numbers; recipes and timetables stay far below."""
    most_digits: Annotated[int, Field(ge=40, le=10_000)] = 100
    """Digits of one number."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first stretch of numbers, or endless number."""
    return context.reading.first(lambda said: _soup(said, context.parameters))


def _soup(said: Said, allowed: Parameters) -> Found | None:
    # Counting digits is far cheaper than cutting words, and most turns have few.
    if said.digits < min(allowed.window * allowed.most_share, allowed.most_digits):
        return None
    text = _ORDERED.sub(lambda line: " " * len(line[0]), said.prose)
    for long in _LONG.finditer(text):
        if len(long[0]) > allowed.most_digits:
            return said.found(*long.span(), f"A number of {len(long[0])} digits.")
    for start, end, numbers in _windows(text, allowed.window):
        if numbers > allowed.most_share * allowed.window:
            detail = f"{numbers} of {allowed.window} words in a row are numbers."
            return said.found(start, end, detail)
    return None


def _windows(text: str, width: int) -> Iterator[tuple[int, int, int]]:
    """Start, end and count of numbers of every stretch of ``width`` words."""
    places = [(*match.span(), match[0][0].isdecimal()) for match in _WORD.finditer(text)]
    numbers = 0
    for at, (_, end, is_number) in enumerate(places):
        numbers += is_number
        if at >= width:
            numbers -= places[at - width][2]
        if at >= width - 1:
            yield places[at - width + 1][0], end, numbers
