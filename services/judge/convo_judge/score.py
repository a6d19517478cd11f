"""A score as judges write it, read only where it can mean one thing. Pure."""

import math
import re

from convo_models.json_answers import Json

_WORDS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1
    )
}
_DIGITS = 12
_WRITTEN = re.compile(
    rf"([+-]?\d{{1,{_DIGITS}}}(?:\.\d{{1,{_DIGITS}}})?)(?:\s*/\s*(\d{{1,{_DIGITS}}}))?", re.ASCII
)


def read_score(value: Json, top: int) -> float | None:
    """The number that is meant, on the scale or off it; None where that is not certain.

    Numbers and numbers as text are read, ``4/5`` where 5 is the top of the scale, and the English words one to ten.
    Booleans, null, NaN and everything else are not scores.
    """
    match value:
        case bool():
            return None
        case int():
            return float(max(-(10**_DIGITS), min(value, 10**_DIGITS)))
        case float():
            return value if math.isfinite(value) else None
        case str():
            return _written(value.strip().lower(), top)
        case _:
            return None


def _written(text: str, top: int) -> float | None:
    if text in _WORDS:
        return float(_WORDS[text])
    written = _WRITTEN.fullmatch(text)
    if written is None or (written[2] is not None and int(written[2]) != top):
        return None
    return float(written[1])
