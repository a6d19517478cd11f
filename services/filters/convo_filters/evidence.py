"""What a rule found, and the readings of a turn that rules share. Pure."""

import re
from dataclasses import dataclass

from convo_events.excerpts import excerpt
from convo_events.words import placed_words

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]{1,500}`")
# No class may hold its own opening mark: a flood of them would be looked through again and again.
_QUOTED = re.compile(
    r"\"[^\"\n]{1,500}\"|“[^“”]{1,500}”|«[^«»]{1,500}»|„[^„“”]{1,500}[“”]|「[^「」]{1,500}」"
)
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}>.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """The words that fired a rule, and where they are."""

    detail: str
    """What a person needs to know to agree or disagree."""
    turn: int | None = None
    """From 0; None for the conversation as a whole."""
    start: int | None = None
    """First character of the span inside the turn."""
    end: int | None = None
    """One past the last character of the span."""
    excerpt: str = ""
    """The words, at most 200 characters."""


def any_of(wordings: str) -> str:
    """A group of alternatives for a pattern, from wordings with a comma and a space between them."""
    return "(?:" + "|".join(wordings.split(", ")) + ")"


def by_language(wordings: dict[str, str]) -> dict[str, re.Pattern[str]]:
    """Patterns of ``any_of`` for each two-letter language, without regard to case."""
    return {code: re.compile(any_of(listed), re.IGNORECASE) for code, listed in wordings.items()}


def spoken_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The pattern's first match that is the speaker's own: not in code, a quotation or a quoted line.

    Most turns match nothing at all, so the text is only read for quotations where it matters.
    """
    return pattern.search(own_words(text)) if pattern.search(text) else None


def found_at(turn: int, text: str, start: int, end: int, detail: str) -> Found:
    """A finding with its span and excerpt; ``text`` is the whole turn."""
    return Found(detail, turn, start, end, excerpt(text[start:end]))


def found_match(turn: int, text: str, match: re.Match[str], detail: str) -> Found:
    """A finding of what a pattern matched. The words come from ``text``, where the pattern may have seen blanks."""
    return found_at(turn, text, match.start(), match.end(), detail)


def word_span(text: str, first: int, last: int) -> tuple[int, int]:
    """Characters (start, end) of the words from number ``first`` to ``last`` (both from 0, both included)."""
    places = list(placed_words(text))
    if not places:
        return 0, len(text)
    top = len(places) - 1
    return places[min(first, top)][1], places[min(last, top)][2]


def without_code(text: str) -> str:
    """The text with code replaced by blanks, so that places stay the same."""
    if "~~~" in text or "```" in text:
        text = _FENCE.sub(_blank, text)
    return _INLINE_CODE.sub(_blank, text) if "`" in text else text


def own_words(text: str) -> str:
    """The text without code, quotations and quoted lines, replaced by blanks so that places stay the same."""
    text = _QUOTED.sub(_blank, without_code(text))
    return _QUOTED_LINE.sub(_blank, text) if ">" in text else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
