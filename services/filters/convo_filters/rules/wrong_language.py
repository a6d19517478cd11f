"""Reject a conversation in another script than its language is written in.

Only what scripts decide for sure is decided: Russian for Chinese, Chinese for Japanese (no kana), never French for
English.
"""

from typing import Annotated

import regex
from pydantic import Field

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, found_at, without_code
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 130
DESCRIPTION = "Most letters are of a script that the config's language is not written in."

_WRITTEN_IN = {
    "Cyrillic": "ru uk be bg mk kk ky mn tg",
    "Greek": "el",
    "Arabic": "ar fa ur ps sd ug",
    "Hebrew": "he yi",
    "Devanagari": "hi mr ne sa",
    "Bengali": "bn as",
    "Gurmukhi": "pa",
    "Gujarati": "gu",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn",
    "Malayalam": "ml",
    "Sinhala": "si",
    "Thai": "th",
    "Lao": "lo",
    "Khmer": "km",
    "Myanmar": "my",
    "Georgian": "ka",
    "Armenian": "hy",
    "Ethiopic": "am ti",
    "Hangul Han": "ko",
    "Han Hiragana Katakana": "ja",
    "Han Bopomofo": "zh yue",
    "Latin": "en de fr es pt it nl sv da no nb nn fi et lv lt pl cs sk sl hr hu ro ca gl eu ga cy is tr az id ms vi sw "
    "tl af sq",
}
_SCRIPTS = {
    language: tuple(scripts.split())
    for scripts, languages in _WRITTEN_IN.items()
    for language in languages.split()
}
_LETTERS = regex.compile(r"\p{L}")
_LETTERS_OF = {
    script: regex.compile(rf"[\p{{Script={script}}}&&\p{{L}}]", regex.VERSION1)
    for scripts in _SCRIPTS.values()
    for script in scripts
}
_LATIN_ONLY = regex.compile(r"[\u0000-\u024f\u2000-\u206f\u20a0-\u20bf]*+")
_ENOUGH_FOR_KANA = 40


class Parameters(RuleParameters):
    """How sure is sure."""

    least_share: Annotated[float, Field(ge=0, le=1)] = 0.3
    """Share of a conversation's letters that have to be of the language's scripts."""
    least_turn_share: Annotated[float, Field(ge=0, le=1)] = 0.1
    """The same for each turn of at least 40 letters; low, as a turn may quote another language."""
    fewest_letters: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Conversations with fewer letters are not judged."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first long turn of another script, else the conversation if most of it is; code does not count."""
    scripts = _SCRIPTS.get(conversation.language.split("-")[0].lower())
    if scripts is None or ("-" in conversation.language and _names_script(conversation.language)):
        return None
    allowed = context.parameters
    own_total = total = kana = 0
    for at, turn in enumerate(conversation.turns):
        own, letters = _counted(turn.text, scripts)
        own_total, total = own_total + own, total + letters
        if letters >= 2 * allowed.fewest_letters and own < allowed.least_turn_share * letters:
            detail = f"{own} of {letters} letters are {' or '.join(scripts)}, as {conversation.language} is written."
            return found_at(at, turn.text, 0, len(turn.text), detail)
        kana += _kana(turn.text) if "Han" in scripts else 0
    if total >= allowed.fewest_letters and own_total < allowed.least_share * total:
        return Found(
            f"{own_total} of {total} letters are {' or '.join(scripts)}, as {conversation.language} is written."
        )
    return _chinese_or_japanese(conversation.language, own_total, kana)


def _names_script(language: str) -> bool:
    """Whether a tag such as sr-Latn or ru-Latn names a script of its own; zh-Hant and zh-Hans are Han all the same."""
    parts = [part.lower() for part in language.split("-")[1:]]
    return any(len(part) == 4 and part.isalpha() and part not in ("hans", "hant") for part in parts)


def _counted(text: str, scripts: tuple[str, ...]) -> tuple[int, int]:
    """Letters of the scripts, and all letters; both 0 where there is nothing but Latin and that is right."""
    prose = without_code(text)
    if prose.isascii() or _LATIN_ONLY.fullmatch(prose):
        letters = sum(map(str.isalpha, prose)) if scripts != ("Latin",) else 0
        return (letters if "Latin" in scripts else 0), letters
    return sum(len(_LETTERS_OF[one].findall(prose)) for one in scripts), len(
        _LETTERS.findall(prose)
    )


def _kana(text: str) -> int:
    if text.isascii():
        return 0
    return sum(len(_LETTERS_OF[one].findall(text)) for one in ("Hiragana", "Katakana"))


def _chinese_or_japanese(language: str, letters: int, kana: int) -> Found | None:
    if letters + kana < _ENOUGH_FOR_KANA:
        return None
    if language.startswith("ja") and not kana:
        return Found(f"{letters} Han characters and no kana: this is Chinese and not Japanese.")
    if language.startswith("zh") and kana > letters:
        return Found(
            f"{kana} kana among {letters} Han characters: this is Japanese and not Chinese."
        )
    return None
