"""Words of a text, the same way for similarity, distinct-n, and counts.

A text is folded (NFKC, then case folding) and split:

* a word is a run of letters, marks, digits and underscores; an apostrophe inside a word belongs to it
* in scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) every character is a word of its
  own, with the marks on it; word 3-grams are then character 3-grams
"""

import re
import unicodedata
from collections.abc import Iterator

import regex

_UNSPACED = (
    r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}"
    r"\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}"
)
_WORD = regex.compile(
    rf"[[{_UNSPACED}]&&\w]\p{{M}}*+"
    rf"|[\w--[{_UNSPACED}\p{{M}}]][\w--[{_UNSPACED}]]*+(?:'[\w--[{_UNSPACED}]]++)*+",
    regex.VERSION1,
)
# Latin, Greek and Cyrillic are most of the work, and the standard engine does them several times faster. It knows no
# combining marks and no unspaced scripts, so texts with any of these ranges are left to the one above.
_SIMPLE_WORD = re.compile(r"\w+(?:'\w+)*")
_NOT_SIMPLE = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0530-\u1dff\u20d0-\u20ff\u2c00-\ufdff\ufe20-\ufe2f\uff00-\U0001cfff"
    "\U00020000-\U000dffff]"
)


def fold(text: str) -> str:
    """The text as it is compared: compatibility forms unified, case removed, one kind of apostrophe."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def words(text: str) -> list[str]:
    """The folded words of a text, in order."""
    folded = fold(text)
    if folded.isascii() or not _NOT_SIMPLE.search(folded):
        return _SIMPLE_WORD.findall(folded)
    return _WORD.findall(folded)


def placed_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Folded words with the place (first character, one past the last) each has in the text as it was given."""
    for found in _WORD.finditer(text.replace("’", "'")):
        yield fold(found[0]), found.start(), found.end()


def count_words(text: str) -> int:
    """How many words a text has."""
    return len(words(text))
