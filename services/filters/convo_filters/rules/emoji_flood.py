"""Reject a turn that is flooded with emoji."""

import re
from typing import Annotated

import regex
from pydantic import Field

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 143
DESCRIPTION = "A turn has long rows of emoji, or about as many emoji as words."

# A picture with its skin tones, joiners and selectors is one; so is a flag. Digits in boxes number lists: left out.
_PICTURE = (
    r"(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)[\U0001f3fb-\U0001f3ff]?\ufe0f?"
    r"[\U000e0020-\U000e007f]*"
)
_EMOJI = regex.compile(
    rf"\p{{Regional_Indicator}}{{2}}|{_PICTURE}(?:\u200d\p{{Extended_Pictographic}}[\U0001f3fb-\U0001f3ff]?\ufe0f?)*"
)
_MAY_BE = re.compile(r"[\u2194-\u2bff\U0001f000-\U0001faff]")


class Parameters(RuleParameters):
    """How much is too much."""

    most_in_a_row: Annotated[int, Field(ge=1, le=1_000)] = 7
    """Emoji with nothing but spaces between them; people do send five laughing faces."""
    most_share: Annotated[float, Field(gt=0, le=100)] = 0.6
    """Emoji for each word, in a turn with more emoji than ``fewest``."""
    fewest: Annotated[int, Field(ge=1, le=1_000)] = 9
    """Turns with no more emoji than this are measured by rows alone."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first row that is too long, else the emoji of the first turn with too many."""
    return context.reading.first(lambda said: _flood(said, context.parameters))


def _flood(said: Said, allowed: Parameters) -> Found | None:
    text = said.text
    if text.isascii() or not _MAY_BE.search(text):
        return None
    spans = [match.span() for match in _EMOJI.finditer(text)]
    first = row = 0
    for at, (start, _) in enumerate(spans):
        apart = at == 0 or text[spans[at - 1][1] : start].strip()
        first, row = (at, 1) if apart else (first, row + 1)
        if row > allowed.most_in_a_row:
            return said.found_given(spans[first][0], spans[at][1], f"{row} emoji in a row.")
    words = len(said.words)
    if len(spans) > allowed.fewest and len(spans) > allowed.most_share * words:
        detail = f"{len(spans)} emoji and {words} words."
        return said.found_given(spans[0][0], spans[-1][1], detail)
    return None
