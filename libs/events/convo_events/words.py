"""Words of a text, the same way for similarity, distinct-n, and counts.

A text is folded (NFKC, then case folding) and split:

* a word is a run of letters, marks, digits and underscores; an apostrophe inside a word belongs to it
* in scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) every character is a word of its
  own, with the marks on it; word 3-grams are then character 3-grams

``EXACT`` says so in full. It is slow, so nearly all texts are split by patterns of the standard engine that find the
same words in them.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import regex

_UNSPACED = (
    r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}"
    r"\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}"
)
EXACT = regex.compile(
    rf"[[{_UNSPACED}]&&\w]\p{{M}}*+"
    rf"|[\w--[{_UNSPACED}\p{{M}}]][\w--[{_UNSPACED}]]*+(?:'[\w--[{_UNSPACED}]]++)*+",
    regex.VERSION1,
)
"""One word of a folded text, in any script."""
# Latin, Greek and Cyrillic: the standard engine knows no combining marks and no unspaced scripts, so texts with any of
# these ranges are left to the others.
_SIMPLE_WORD = re.compile(r"\w+(?:'\w+)*")
_NOT_SIMPLE = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0530-\u1dff\u20d0-\u20ff\u2c00-\ufdff\ufe20-\ufe2f\uff00-\U0001cfff"
    "\U00020000-\U000dffff]"
)
# Of the planes above the basic one only flags and pictures are known to have no letters and no marks.
_RARE = re.compile("[\U00010000-\U0001f1e5\U0001f200-\U0001f2ff\U0001fb00-\U0010ffff]")
# Replaced first, as a text of Chinese or Japanese often has no other compatibility forms, and unifying is slow.
WIDE = tuple((wide, chr(ord(wide) - 0xFEE0)) for wide in "，？！：；（）")
"""Full-width punctuation, and what it is otherwise."""


def fold(text: str) -> str:
    """The text as it is compared: compatibility forms unified, case removed, one kind of apostrophe."""
    if text.isascii():
        return text.lower()
    for wide, narrow in WIDE:
        text = text.replace(wide, narrow)
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def words(text: str) -> list[str]:
    """The folded words of a text, in order."""
    folded = fold(text)
    if folded.isascii() or not _NOT_SIMPLE.search(folded):
        return _SIMPLE_WORD.findall(folded)
    return _pattern(folded).findall(folded)


def placed_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Folded words with the place (first character, one past the last) each has in the text as it was given."""
    text = text.replace("’", "'")
    for found in _pattern(text).finditer(text):
        yield fold(found[0]), found.start(), found.end()


def word_places(text: str) -> Iterator[tuple[int, int]]:
    """The places of ``placed_words`` alone."""
    text = text.replace("’", "'")
    return (found.span() for found in _pattern(text).finditer(text))


def count_words(text: str) -> int:
    """How many words a text has."""
    return len(words(text))


def _pattern(text: str) -> re.Pattern[str] | regex.Pattern[str]:
    """What finds the words of ``EXACT`` in this text; several times faster for all but the rarest letters."""
    return EXACT if _RARE.search(text) else _basic_word()


@cache
def _basic_word() -> re.Pattern[str]:
    """``EXACT`` for the basic plane: the standard engine finds a character fast once it knows the ranges."""
    unspaced, mark = _ranges(rf"[[{_UNSPACED}]&&\w]"), _ranges(r"\p{M}")
    first, further = _ranges(rf"[\w--[{_UNSPACED}\p{{M}}]]"), _ranges(rf"[\w--[{_UNSPACED}]]")
    return re.compile(f"[{unspaced}][{mark}]*|[{first}][{further}]*(?:'[{further}]+)*")


def _ranges(characters: str) -> str:
    """The characters of a class as ranges, without the outer brackets; surrogates belong to none."""
    plane = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10000))))
    runs = regex.finditer(f"{characters}+", plane, regex.VERSION1)
    return "".join(f"{re.escape(run[0][0])}-{re.escape(run[0][-1])}" for run in runs)
