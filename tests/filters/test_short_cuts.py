"""Short cuts of the rules: what they pass over has nothing in it, whatever the text.

The first use of a pattern builds it, so examples have no deadline.
"""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.conversations import Conversation, Turn
from convo_events.similarity import jaccard, shingles
from convo_events.spoken import Spoken
from convo_events.words import words
from convo_filters.labels import ASSISTANTS, USERS, label_of, labels_in
from convo_filters.plain_text import plain
from convo_filters.rules.repeated_turn import _similarity
from convo_filters.rules.wrong_language import (
    _SCRIPTS,
    Parameters,
    _other_script,
    _surely_own_script,
)
from convo_filters.rules_context import Reading

ALPHABET = "ab Z9_.,!?'’‘ʼ´İ\u200b\u00ad\r\n<>@é，？（）　「」我们是汉字かなカナжЯأبไก็😀e\u0301"
TEXTS = st.text(st.one_of(st.sampled_from(ALPHABET), st.characters()), max_size=60)


@settings(deadline=None)
@given(TEXTS)
def test_a_turn_said_to_have_the_same_words_has_them(text: str) -> None:
    read = plain(text)
    if read.same_words:
        assert words(read.text) == words(text)
    assert unicodedata.is_normalized("NFC", read.text) or read.starts is not None


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_shingles_of_turns_together_are_the_conversations(texts: list[str]) -> None:
    spoken = Spoken()
    assert spoken.shingles(texts) == shingles(texts)
    assert [spoken.words(text) for text in texts] == [tuple(words(text)) for text in texts]


NUMBERS = st.frozensets(st.integers(0, 40), max_size=30)


@settings(deadline=None)
@given(NUMBERS, NUMBERS, st.floats(0.31, 1), st.data())
def test_repeats_that_are_passed_over_are_none(
    one: frozenset[int], other: frozenset[int], wanted: float, data: st.DataObject
) -> None:
    some = frozenset(data.draw(st.sets(st.sampled_from(sorted(one))))) if one else one
    assert (_similarity(one, some, other, wanted) >= wanted) == (jaccard(one, other) >= wanted)


@settings(deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from("我们汉字かなab c<>ж한أب"), max_size=60), min_size=1, max_size=4
    ),
    st.sampled_from(["zh", "ja", "ko", "ru", "ar", "el"]),
)
def test_a_script_that_is_sure_is_the_right_one(texts: list[str], language: str) -> None:
    turns = tuple(Turn(role="user", text=text) for text in texts)
    reading = Reading.of(Conversation(turns=turns, language=language))
    allowed = Parameters(least_turn_share=0.4, fewest_letters=3)
    exactly = _other_script(reading, _SCRIPTS[language], allowed)
    if _surely_own_script(reading, _SCRIPTS[language], allowed):
        assert exactly is None


@settings(deadline=None)
@given(st.lists(st.sampled_from(["user", ":", "\n", " ", "**", "assistant", "hi"]), max_size=14))
def test_labels_are_those_of_a_look_at_every_place(pieces: list[str]) -> None:
    text = "".join(pieces)
    pattern = label_of(USERS + ASSISTANTS)
    expected = [found.span() for found in pattern.finditer(text)]
    assert [found.span() for found in labels_in(pattern, text)] == expected
