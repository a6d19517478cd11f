"""What a rule found, and the parts of a turn that are not the speaker's own words. Pure."""

import re
from dataclasses import dataclass

from convo_events.excerpts import excerpt
from convo_filters.plain_text import whole_characters

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]{1,500}`")
# No class may hold its own opening mark: a flood of them would be looked through again and again. Each begins with a
# character, and single quotes stand apart, as apostrophes are everywhere: so what matches nothing is passed over fast.
_QUOTED = re.compile(
    r"\"[^\"\n]{1,500}\"|“[^“”]{1,500}”|«[^«»]{1,500}»|»[^«»]{1,500}«|„[^„“”\"]{1,500}[“”\"]|「[^「」]{1,500}」"
    r"|『[^『』]{1,500}』|《[^《》]{1,500}》"
)
_SINGLE_QUOTED = re.compile(r"'(?<!\w')(?=[^\s'])[^'\n]{1,300}(?<=[.!?,])'(?!\w)")
_QUOTE_MARK = re.compile('["“«»„「『《]')
_SINGLE_OPENS = (" '", "\n'", "('", ":'")
_HALF = re.compile("[\ud800-\udfff]")
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


def found_at(turn: int, text: str, start: int, end: int, detail: str) -> Found:
    """A finding with its span, widened to whole characters, and excerpt; ``text`` is the whole turn as given.

    Half of a surrogate pair is no text and could not be sent on: the excerpt has a replacement mark for it.
    """
    start, end = whole_characters(text, start, end)
    return Found(detail, turn, start, end, _HALF.sub("\ufffd", excerpt(text[start:end])))


def without_code(text: str) -> str:
    """The text with code replaced by blanks, so that places stay the same."""
    if "~~~" in text or "```" in text:
        text = _FENCE.sub(_blank, text)
    return _INLINE_CODE.sub(_blank, text) if "`" in text else text


def own_words(prose: str) -> str:
    """Text that has no code any more without quotations and quoted lines, too; places stay the same."""
    text = _QUOTED.sub(_blank, prose) if _QUOTE_MARK.search(prose) else prose
    if text.startswith("'") or any(opens in text for opens in _SINGLE_OPENS):
        text = _SINGLE_QUOTED.sub(_blank, text)
    return _QUOTED_LINE.sub(_blank, text) if ">" in text else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
