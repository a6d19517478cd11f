"""Reject a conversation in another language than the config's: by script, else by the small words that every text has.

Scripts are sure: Russian for Chinese, Chinese for Japanese (no kana). Between languages of one script nearly all small
words have to be the other's: a talk about French in English is English.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Annotated

import regex
from pydantic import Field

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, Reading, RuleParameters, Said
from convo_filters.small_words import SMALL_WORDS

PRECEDENCE = 130
DESCRIPTION = "The text is not in the config's script, or its small words are another language's."

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
# The basic plane, and the planes of rarer Han characters.
_EVERY_CHARACTER = "".join(
    map(chr, (*range(0xD800), *range(0xE000, 0x10000), *range(0x20000, 0x323B0)))
)
_LETTERS = re.compile(r"[^\W\d_]+")
_NOT_LATIN = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_ENOUGH_FOR_KANA = 40
_ENOUGH_WORDS = 20
_MANY_WORDS = 200
# Ordinary talk is a third to a half small words; names, lists and foreign quotations bring it down to a tenth.
_CERTAINLY, _OTHER_SHARE, _TIMES = 0.06, 0.15, 5
_ANY_SMALL = frozenset().union(*SMALL_WORDS.values())
_ONLY = {
    code: mine.difference(*(theirs for other, theirs in SMALL_WORDS.items() if other != code))
    for code, mine in SMALL_WORDS.items()
}
# One of these says what so many Latin letters say: a Chinese talk about Python is full of names in Latin letters.
_WEIGHT = {"Han": 3, "Hiragana": 2, "Katakana": 2, "Hangul": 2}
# Tags and addresses are in Latin letters whatever the language.
_NO_LANGUAGE = (
    (("<",), r"<[^<>\n]{1,300}>"),
    (("://", "www."), r"(?:https?://|www\.)\S{1,500}"),
    (("@",), r"[\w.+-]{1,64}@[\w.-]{1,200}"),
)
"""What each of them cannot be without, and its pattern."""


class Parameters(RuleParameters):
    """How sure is sure."""

    least_share: Annotated[float, Field(ge=0, le=1)] = 0.3
    """Share of a conversation's letters that have to be of the language's scripts."""
    least_turn_share: Annotated[float, Field(ge=0, le=1)] = 0.1
    """The same for each turn of at least 40 letters; low, as a turn may quote another language."""
    fewest_letters: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Conversations with fewer letters are not judged."""
    same_script: bool = True
    """Also tell languages of one script apart, such as French from English, where both are well known."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first long turn of another script, else the one that shows it best; code does not count."""
    reading = context.reading
    scripts = _SCRIPTS.get(reading.language)
    if scripts is None or ("-" in conversation.language and _names_script(conversation.language)):
        return None
    allowed = context.parameters
    found = None
    if not _surely_own_script(reading, scripts, allowed):
        found = _other_script(reading, scripts, allowed)
    return found or (_other_words(reading) if allowed.same_script else None)


def _other_script(reading: Reading, scripts: tuple[str, ...], allowed: Parameters) -> Found | None:
    own_total = total = kana = 0
    worst: tuple[int, Said] | None = None
    for said in reading.turns:
        own, letters = _counted(said, scripts)
        own_total, total = own_total + own, total + letters
        if letters >= 2 * allowed.fewest_letters and own < allowed.least_turn_share * letters:
            return said.found_whole(_few(own, letters, scripts, reading.language))
        if worst is None or letters - own > worst[0]:
            worst = letters - own, said
        kana += _kana(said.text) if "Han" in scripts else 0
    if worst and total >= allowed.fewest_letters and own_total < allowed.least_share * total:
        return worst[1].found_whole(_few(own_total, total, scripts, reading.language))
    return _chinese_or_japanese(reading, own_total // _WEIGHT["Han"], kana)


def _surely_own_script(reading: Reading, scripts: tuple[str, ...], allowed: Parameters) -> bool:
    """Whether the first half of each turn has so many of the scripts' letters that the rest cannot matter; cheap."""
    if "Latin" in scripts:
        return False  # is cheap as it is
    weighed_total = most_total = 0
    for said in reading.turns:
        prose = _without_addresses(said.prose)
        own = weighed = 0
        for script in scripts:
            letters = _letters(_letters_of(script), prose[: len(prose) // 2 + 1])
            own, weighed = own + letters, weighed + letters * _WEIGHT.get(script, 1)
            most = len(prose) + weighed - own
            if enough := weighed > allowed.least_turn_share * most + 1:
                break
        # Even all of a very short turn would not do for a turn of its own.
        if not enough and 3 * len(prose) >= 2 * allowed.fewest_letters:
            return False
        weighed_total, most_total = weighed_total + weighed, most_total + most
    if weighed_total <= allowed.least_share * most_total + 1:
        return False
    has_kana = any(_letters_of("Hiragana", "Katakana").search(said.text) for said in reading.turns)
    return {"ja": has_kana, "zh": not has_kana}.get(reading.language, True)


def _few(own: int, letters: int, scripts: tuple[str, ...], language: str) -> str:
    return f"{own} of {letters} letters are {' or '.join(scripts)}, as {language} is written."


def _other_words(reading: Reading) -> Found | None:
    """The longest turn of a conversation whose small words are another language's; None where there is any doubt."""
    if reading.language not in SMALL_WORDS:
        return None
    longest = max(reading.turns, key=lambda said: len(said.words), default=None)
    only_mine = _ONLY[reading.language].__contains__
    sure = sum(sum(map(only_mine, said.words)) for said in reading.turns)
    spoken_words = sum(len(said.words) for said in reading.turns)
    if longest is None or spoken_words < _ENOUGH_WORDS:
        return None
    if spoken_words > _MANY_WORDS and sure >= _CERTAINLY * spoken_words:
        return None
    mine = SMALL_WORDS[reading.language]
    spoken = [word for said in reading.turns for word in _spoken(said)]
    if len(spoken) < _ENOUGH_WORDS:
        return None
    small = Counter(filter(_ANY_SMALL.__contains__, spoken))
    for code, theirs in SMALL_WORDS.items():
        # Related languages share many: only those that the other has not got tell them apart.
        own = _share(small, mine - theirs, len(spoken))
        other = _share(small, theirs - mine, len(spoken))
        if other >= _OTHER_SHARE and other >= _TIMES * own:
            detail = f"{other:.0%} of the words are small words of {code}, {own:.0%} of {reading.language}."
            return longest.found_whole(detail)
    return None


def _spoken(said: Said) -> Sequence[str]:
    return said.words if said.prose == said.plain else said.own_words


def _share(counted: Counter[str], small: frozenset[str], of: int) -> float:
    return sum(count for word, count in counted.items() if word in small) / of


def _names_script(language: str) -> bool:
    """Whether a tag such as sr-Latn or ru-Latn names a script of its own; zh-Hant and zh-Hans are Han all the same."""
    parts = [part.lower() for part in language.split("-")[1:]]
    return any(len(part) == 4 and part.isalpha() and part not in ("hans", "hant") for part in parts)


def _counted(said: Said, scripts: tuple[str, ...]) -> tuple[int, int]:
    """Letters of the scripts, and all letters; both 0 where there is nothing but Latin and that is right."""
    prose = said.prose
    if "Latin" in scripts and (prose.isascii() or not _NOT_LATIN.search(prose)):
        return 0, 0
    prose = _without_addresses(prose)
    if prose.isascii() or not _NOT_LATIN.search(prose):
        if "Latin" in scripts:
            return 0, 0
        return 0, sum(map(str.isalpha, prose))
    own = weighed = 0
    for script in scripts:
        letters = _letters(_letters_of(script), prose)
        own, weighed = own + letters, weighed + letters * _WEIGHT.get(script, 1)
    return weighed, _letters(_LETTERS, prose) + weighed - own


def _without_addresses(prose: str) -> str:
    kinds = [kind for marks, kind in _NO_LANGUAGE if any(mark in prose for mark in marks)]
    return _any_of(*kinds).sub(" ", prose) if kinds else prose


@cache
def _any_of(*kinds: str) -> regex.Pattern[str]:
    return regex.compile("|".join(kinds))


@cache
def _letters_of(*scripts: str) -> re.Pattern[str]:
    """Runs of the scripts' letters; the standard engine finds them several times faster once it knows the ranges."""
    listed = "".join(rf"\p{{Script={script}}}" for script in scripts)
    letter = regex.compile(rf"[[{listed}]&&\p{{L}}]+", regex.VERSION1)
    runs = (f"{run[0][0]}-{run[0][-1]}" for run in letter.finditer(_EVERY_CHARACTER))
    return re.compile(f"[{''.join(runs)}]+")


def _letters(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))


def _kana(text: str) -> int:
    if text.isascii():
        return 0
    return _letters(_letters_of("Hiragana", "Katakana"), text)


def _chinese_or_japanese(reading: Reading, letters: int, kana: int) -> Found | None:
    if letters + kana < _ENOUGH_FOR_KANA:
        return None
    detail = ""
    if reading.language == "ja" and not kana:
        detail = f"{letters} Han characters and no kana: this is Chinese and not Japanese."
    if reading.language == "zh" and kana > letters:
        detail = f"{kana} kana among {letters} Han characters: this is Japanese and not Chinese."
    longest = max(reading.turns, key=lambda said: len(said.text))
    return longest.found_whole(detail) if detail else None
