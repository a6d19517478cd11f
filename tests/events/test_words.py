"""Words: the fast ways to split a text find what the exact pattern finds.

The first use of a pattern builds it, so examples have no deadline.
"""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.words import EXACT, count_words, fold, placed_words, word_places, words

SCRIPTS = (
    "abcXYZ09_'’‘.,!? \n\t-éßİıǅΣς",  # Latin, Greek, kinds of apostrophes
    "жЁїאبפ؟،ہकि्षােไก็่กำລາວមែរမြန်",
    "漢字仮名々〇かなカナーㄅ、。，？！（）「」　ｱﾞ㎏①❶²½ﬁ",
    "\u0300\u0301\u0327\u3099\ufe0f\u200d\u00ad\u200b\U000e0100\u0e31\u0e47",
    "😀👩‍💻🇩🇪🏽𠀀𝒜𐐷🅐\U0001fbf0\ud800\udfff",
)
SIMPLE = st.sampled_from("abXY09_'’.,!? \n-éßİıǅΣςжЁї½ﬁ…–€")
TEXTS = st.text(st.one_of(st.sampled_from("".join(SCRIPTS)), st.characters()), max_size=40)


def plainly_folded(text: str) -> str:
    """What folding is, without any short cut."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


@settings(deadline=None)
@given(TEXTS)
def test_folding_is_nfkc_and_case_folding(text: str) -> None:
    assert fold(text) == plainly_folded(text)


@settings(deadline=None)
@given(TEXTS)
def test_words_are_those_of_the_exact_pattern(text: str) -> None:
    # The last character keeps the text from being split as one of simple scripts alone.
    assert words(text + " 字") == EXACT.findall(plainly_folded(text + " 字"))


@settings(deadline=None)
@given(st.text(SIMPLE, max_size=40))
def test_words_of_simple_scripts_are_those_of_the_exact_pattern(text: str) -> None:
    assert words(text) == EXACT.findall(plainly_folded(text))


@settings(deadline=None)
@given(TEXTS)
def test_places_are_those_of_the_exact_pattern(text: str) -> None:
    plain = text.replace("’", "'")
    expected = [(fold(found[0]), *found.span()) for found in EXACT.finditer(plain)]
    assert list(placed_words(text)) == expected
    assert list(word_places(text)) == [(start, end) for _, start, end in expected]


def test_every_character_of_the_fast_pattern_is_split_as_the_exact_one_splits_it() -> None:
    planes = [*range(0x10000), *range(0x1F1E6, 0x1F200), *range(0x1F300, 0x1FB00)]
    each = (f"字{one}'a{one}b か{one} " for one in map(chr, planes) if one != "’")
    text = "".join(each)
    assert list(placed_words(text)) == [(fold(w[0]), *w.span()) for w in EXACT.finditer(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don’t PANIC, it's 3.5 km", ["don't", "panic", "it's", "3", "5", "km"]),
        ("我们，去？ＡＢＣ", ["我", "们", "去", "abc"]),
        ("が\u3099は\u3099カ", ["が\u3099", "ば", "カ"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("❶ eins", ["❶", "eins"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected
    assert count_words(text) == len(expected)
