"""Words as the search of the corpus has them: any script, any text, always bounded and always valid."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.search_words import TEXT_MOST, WORDS_MOST, document, question, words

PART = re.compile(r"'[^'\\\s]{1,40}':\d+(,\d+)*")
TERM = re.compile(r"'[^'\\\s]{1,40}'(:\*)?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World's 2nd", ["hello", "world", "s", "2nd"]),
        ("Café RÉSUMÉ naïve Straße", ["cafe", "resume", "naive", "strasse"]),
        ("ＦＵＬＬ ﬁt ①", ["full", "fit", "1"]),
        ("مَرْحَبًا مـرحـبا", ["مرحبا", "مرحبا"]),
        ("नमस्ते दुनिया।", ["नमस्ते", "दुनिया"]),
        ("한국어를 배워요", ["한국어를", "배워요"]),
        ("我想要 退款", ["我想", "想要", "要", "退款", "款"]),
        ("iPhone手机", ["iphone", "手机", "机"]),
        ("ひらカナ", ["ひら", "らカ", "カナ", "ナ"]),
        ("a_b\u200bc\u202ed", ["a", "bcd"]),
        ("?! \ud800 🙂", []),
    ],
)
def test_words_of_a_text(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two words", "'two' & 'words':*"),
        ("two words ", "'two' & 'words'"),
        ('"two words" more', "'two' <-> 'words' & 'more':*"),
        ('"never closed', "'never' <-> 'closed'"),
        ("e-mail", "'e' <-> 'mail':*"),
        ("退款", "'退款':*"),
        ("要退款 ", "'要退' <-> '退款'"),
        ("款 ", "'款':*"),
        ("';:*!&|()\\", None),
    ],
)
def test_questions(text: str, expected: str | None) -> None:
    assert question(text) == expected


@given(st.lists(st.text(max_size=300), max_size=6))
@settings(max_examples=100, deadline=None)
def test_whatever_is_said_is_a_document_and_a_question(texts: list[str]) -> None:
    parts = document(texts).split()
    assert all(PART.fullmatch(part) for part in parts)
    asked = question(" ".join(texts))
    if asked is not None:
        terms = asked.replace(" <-> ", " & ").split(" & ")
        assert all(TERM.fullmatch(term) for term in terms)
        assert len(terms) <= 16


def test_a_document_is_bounded_and_turns_are_apart() -> None:
    assert document(["one two", "three"]) == "'one':1 'two':2 'three':4"
    places = re.findall(r"\d+(?=[, ]|$)", document(["wort " * 9_000, "never read"]))
    assert int(places[-1]) <= WORDS_MOST + 2
    assert document(["x" * TEXT_MOST, "late"]) == f"'{'x' * 40}':1"
