"""Reject text that was damaged on its way (replacement marks, mojibake, control characters) or loops without end."""

import re
from collections.abc import Sequence

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, found_at, found_match, without_code, word_span
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 140
DESCRIPTION = "Text is damaged (replacement marks, mojibake, control characters, escapes), or the same words flood on."

# Controls besides tab, line feed and carriage return; C1; surrogates; bidi overrides; replacement; noncharacters.
_BROKEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202d\u202e\ufdd0-\ufdef\ufff9-\ufffd\ufffe\uffff]"
)
# UTF-8 read as Latin-1 or Windows-1252: a lead byte's letter with a continuation byte's.
_CONTINUATION = "[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
_MOJIBAKE = re.compile(
    f"[Ââ][€\u0080]{_CONTINUATION}|Ã[\u0080-\u00ba\u00bc-\u00bf]|[ÐÑ]{_CONTINUATION}|ï»¿|Â[\u00a0-\u00bf]|ðŸ"
)
_ESCAPES = re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|&(?:amp|lt|gt|quot|nbsp|#\d{2,6});")
_WINDOW, _STRIDE, _FEW = 32, 16, 8
_LONG_WORD = 40
_SAME_CHARACTER = re.compile(r"(\w)\1{29}")


class Parameters(RuleParameters):
    """What else counts."""

    escapes: bool = True
    """Also escapes left in prose, such as a bare &amp; or \\u00e9; switch it off for talks about programming."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first damage, or the first flood."""
    for at, turn in enumerate(conversation.turns):
        text = turn.text
        if broken := _BROKEN.search(text):
            detail = f"The character U+{ord(broken[0]):04X} is no text."
            return found_match(at, text, broken, detail)
        if not text.isascii() and (mojibake := _MOJIBAKE.search(text)):
            return found_match(at, text, mojibake, "Letters were read in the wrong encoding.")
        looks = context.parameters.escapes and ("\\" in text or "&" in text)
        if looks and (escape := _ESCAPES.search(without_code(text))):
            return found_match(at, text, escape, "An escape was left in the text.")
        if flood := _flood(context.reading.words[at]):
            start, end = word_span(text, *flood)
            return found_at(at, text, start, end, "The same words go on and on.")
    return None


def _flood(words: Sequence[str]) -> tuple[int, int] | None:
    """First and last word of a stretch of 32 words that has at most 8 different ones, or of an endless word."""
    for at, word in enumerate(words):
        if len(word) >= _LONG_WORD and _SAME_CHARACTER.search(word):
            return at, at
    for at in range(0, len(words) - _WINDOW + 1, _STRIDE):
        if len(set(words[at : at + _WINDOW])) <= _FEW:
            return at, at + _WINDOW - 1
    return None
