"""Reject text that was damaged on its way (replacement marks, mojibake, control characters) or loops without end."""

import re
from collections.abc import Sequence

from convo_events.conversations import Conversation
from convo_events.words import words
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 140
DESCRIPTION = "Text is damaged (replacement marks, mojibake, control characters, escapes), or the same words flood on."

# Controls besides tab, line feed and carriage return; C1; surrogates; bidi overrides; replacement; noncharacters.
_BROKEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202d\u202e\ufdd0-\ufdef\ufff9-\ufffd\ufffe\uffff]"
)
# UTF-8 read as Latin-1 or Windows-1252: a lead byte's letter with a continuation byte's, for two, three and four bytes.
_C = "[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
_MOJIBAKE = re.compile(
    f"[Ââ][€\u0080]{_C}|Ã[\u0080-\u00ba\u00bc-\u00bf]|[ÐÑ]{_C}|ï»¿|Â[\u00a0-\u00bf]|ðŸ|(?:[ØÙÎÏ]{_C}){{2}}"
    f"|(?:[ä-é]{_C}{_C}){{2}}|à[¤¥¦§¸¹]{_C}"
    # UTF-8 read as Windows-1251, and as GBK.
    "|(?:[РС][\u0080-\u00bf\u0402-\u040f\u0451-\u045f\u2013-\u203a\u20ac\u2116\u2122]){2}|锟斤拷|烫烫烫|屯屯屯"
)
# How each of them begins.
_MAY_BE = re.compile(f"[ÂâÃÐÑïðØÙÎÏàäåæçèéРС锟烫屯](?:{_C}|[\u0402-\u040f\u0451-\u045f斤烫屯])")
# A path such as C:\x64\bin is none: nothing of a path stands before an escape.
_ESCAPES = re.compile(
    r"(?<![:\\/])\\u[0-9a-fA-F]{4}|(?<![:\\/])\\x[0-9a-fA-F]{2}|&(?:amp|lt|gt|quot|nbsp|apos|#\d{2,6}|"
    r"#x[0-9a-fA-F]{2,5});"
)
# Said of HTML, an entity is a topic and no damage.
_ABOUT = "html xml entity entities escape escaped escaping encode encoded unicode regex json"
_ABOUT_MARKUP = frozenset(_ABOUT.split())
_WINDOW, _STRIDE, _FEW = 32, 16, 8
_LONG_WORD = 40
_SAME_CHARACTER = re.compile(r"(\w)\1{29}")


class Parameters(RuleParameters):
    """What else counts."""

    escapes: bool = True
    """Also escapes left in prose, such as a bare &amp; or \\u00e9, unless the talk is about them."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first damage, or the first flood."""
    escapes = context.parameters.escapes
    if escapes and any("&" in said.text or "\\" in said.text for said in context.reading.turns):
        escapes = all(said.vocabulary.isdisjoint(_ABOUT_MARKUP) for said in context.reading.turns)
    return context.reading.first(
        lambda said: _broken(said) or (_escaped(said) if escapes else None) or _flooded(said)
    )


def _broken(said: Said) -> Found | None:
    text = said.text
    if broken := _BROKEN.search(text):
        detail = f"The character U+{ord(broken[0]):04X} is no text."
        return said.found_given(*broken.span(), detail)
    if not text.isascii() and _MAY_BE.search(text) and (mojibake := _MOJIBAKE.search(text)):
        return said.found_given(*mojibake.span(), "Letters were read in the wrong encoding.")
    return None


def _escaped(said: Said) -> Found | None:
    if "\\" in said.plain or "&" in said.plain:
        match = _ESCAPES.search(said.own)
        return said.found(*match.span(), "An escape was left in the text.") if match else None
    return None


def _flooded(said: Said) -> Found | None:
    """A flood of the turn's words; rows of a table of numbers in code are none."""
    detail = "The same words go on and on."
    # A window of few different words leaves the turn few: what is outside of it, and those.
    varied = len(said.vocabulary) > max(0, len(said.words) - _WINDOW) + _FEW
    if varied and said.longest_word < _LONG_WORD:
        return None
    if not (flood := _flood(said.words, said.longest_word)):
        return None
    if said.prose == said.plain:
        return said.found_words(*flood, detail)
    spoken = words(said.prose)
    flood = _flood(spoken, max(map(len, spoken), default=0))
    return said.found_words_of(said.prose, *flood, detail) if flood else None


def _flood(spoken: Sequence[str], longest: int) -> tuple[int, int] | None:
    """First and last word of a stretch of 32 words that has at most 8 different ones, or of an endless word."""
    if longest >= _LONG_WORD:
        for at, word in enumerate(spoken):
            if len(word) >= _LONG_WORD and _SAME_CHARACTER.search(word):
                return at, at
    # Every window has one of these halves; where none has few different words no window has.
    halves = range(_STRIDE, len(spoken) - _STRIDE + 1, 2 * _STRIDE)
    if all(len(set(spoken[at : at + _STRIDE])) > _FEW for at in halves):
        return None
    for at in range(0, len(spoken) - _WINDOW + 1, _STRIDE):
        if len(set(spoken[at : at + _WINDOW])) <= _FEW:
            return at, at + _WINDOW - 1
    return None
