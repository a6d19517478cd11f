"""A score as judges write it, read only where it can mean one thing. Pure."""

import math
import re
import unicodedata

from convo_models.json_answers import Json

_NAMED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS = {word: number for number, word in enumerate(_NAMED)}
_DIGITS = 12
_WORD = "|".join(_WORDS)
# Three digits after a comma may be thousands, so they are not read.
_NUMBER = rf"[+-]?\d{{1,{_DIGITS}}}(?:\.\d{{1,{_DIGITS}}}|,\d{{1,2}})?"
_SCORE = re.compile(
    rf"(?P<number>{_NUMBER}|{_WORD})(?P<half>[\s-]and[\s-]a[\s-]half)?"
    rf"(?:\s*(?:/|\bout\s+of\b)\s*(?P<top>{_NUMBER}|{_WORD}))?(?:\s(?:points?|stars?))?",
    re.ASCII,
)
_LONGEST = 100
_VALUES = frozenset({"score", "value", "rating", "points"})
_TOPS = frozenset({"max", "maximum", "outof", "maxscore", "of"})


def name_of(key: str) -> str:
    """A key without regard to case, spaces, dashes and underscores."""
    return re.sub(r"[\s_-]+", "", key).casefold()


def read_scores(value: Json, top: int) -> list[float | None]:
    """Every score that an entry states: a number, or an object with one under ``score``; None for one not certain.

    An object inside is looked into once more, as in ``{"score": {"value": 4, "max": 5}}``. Empty: none is stated.
    """
    if not isinstance(value, dict):
        return [read_score(value, top)]
    return [score for one in _stated(value, top) for score in _inner(one, top)]


def _inner(value: Json, top: int) -> list[float | None]:
    if not isinstance(value, dict):
        return [read_score(value, top)]
    return [read_score(one, top) for one in _stated(value, top)] or [None]


def _stated(item: dict[str, Json], top: int) -> list[Json]:
    """What stands under the names of a score; a null where it is said to be on another scale."""
    tops = [read_score(one, top) for key, one in item.items() if name_of(key) in _TOPS]
    stated = [one for key, one in item.items() if name_of(key) in _VALUES]
    return stated if all(one == top for one in tops) else [None for _ in stated]


def read_score(value: Json, top: int) -> float | None:
    """The number that is meant, on the scale or off it; None where that is not certain.

    Numbers and numbers as text are read, with a point or a comma, the English words zero to ten, halves as in
    ``four and a half``, and ``4/5`` or ``4 out of 5`` where 5 is the top of the scale. Booleans, null, NaN and
    everything else are not scores.
    """
    match value:
        case bool():
            return None
        case int():
            return float(max(-(10**_DIGITS), min(value, 10**_DIGITS)))
        case float():
            return value if math.isfinite(value) else None
        case str() if len(value) <= _LONGEST:
            return _written(value.strip().lower(), top)
        case _:
            return None


def _written(text: str, top: int) -> float | None:
    written = _SCORE.fullmatch("".join(_ascii_digit(sign) for sign in text))
    if written is None or (written["top"] is not None and _number(written["top"]) != top):
        return None
    score = _number(written["number"])
    if written["half"] is None:
        return score
    return score + 0.5 if score >= 0 and score.is_integer() else None


def _ascii_digit(sign: str) -> str:
    """Digits of other scripts as those of ASCII; all else as it is."""
    digit = unicodedata.decimal(sign, None)
    return sign if digit is None else str(digit)


def _number(text: str) -> float:
    word = _WORDS.get(text)
    return float(text.replace(",", ".")) if word is None else float(word)
