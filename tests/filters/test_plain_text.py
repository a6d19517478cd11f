"""What rules read leads back to what was given."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.conversations import Turn
from convo_events.spoken import Spoken
from convo_filters.evidence import found_at
from convo_filters.plain_text import plain, whole_characters
from convo_filters.rules_context import Said
from tests.filters.talk import hits, talk

MARKS = "\u200b\u200d\ufeff\u00ad\u202b\u2066’‘＇　：Ａİe\u0301\r\n\u2028क्षि한\u1112\u1161"
MESSY = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(MARKS)), max_size=60
)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("don’t", "don't"),
        ("Ａ：（ｂ）", "A:(b)"),
        ("de\u200bl\u00adve", "delve"),
        ("cafe\u0301", "café"),
        ("a\r\nb\rc\u2028d", "a \nb\nc\nd"),
        ("a\u00a0b\u3000c", "a b c"),
        ("İyi", "Iyi"),
        ("½ … ™ 我", "½ … ™ 我"),
        ("\u200fשלום 12:30\u200e", "שלום 12:30"),
    ],
)  # fmt: skip
def test_reads_as_a_person_does(given: str, read: str) -> None:
    assert plain(given).text == read


@given(MESSY, st.integers(0, 60), st.integers(0, 60))
def test_every_span_leads_back_into_the_turn(text: str, one: int, other: int) -> None:
    seen = plain(text)
    start, end = sorted((min(one, len(seen.text)), min(other, len(seen.text))))
    first, last = seen.place(start, end)
    assert 0 <= first <= last <= len(text)
    assert not any("\r" in piece for piece in seen.text)
    assert len(seen.text.lower()) == len(seen.text)
    if first < last and seen.starts is None:
        assert (first, last) == (start, end)


@given(MESSY, st.integers(0, 60), st.integers(0, 60))
def test_a_finding_cuts_no_character(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    found = found_at(0, text, start, end, "d")
    assert found.start is not None
    assert found.end is not None
    assert found.start <= start <= end <= found.end
    assert (found.start, found.end) == whole_characters(text, found.start, found.end)
    assert text[found.start : found.end].startswith(found.excerpt)


def test_a_family_and_a_flag_are_shown_whole() -> None:
    text = (
        "so 👨‍👩‍👧‍👦 and 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f and e\u0301"
    )
    assert found_at(0, text, 4, 5, "d").excerpt == "👨‍👩‍👧‍👦"
    assert found_at(0, text, text.index("🏴") + 2, text.index("🏴") + 3, "d").excerpt.startswith(
        "🏴"
    )
    assert found_at(0, text, len(text) - 2, len(text) - 1, "d").excerpt == "e\u0301"


def test_words_are_found_where_they_stand() -> None:
    text = "\u200fהיי, de\u200blve ’round the cafe\u0301"
    said = Said(0, Turn(role="user", text=text), Spoken())
    found = said.found_words(1, 1, "d")
    assert found.excerpt == "de\u200blve"
    assert unicodedata.normalize("NFC", said.found_words(4, 4, "d").excerpt) == "café"


def test_half_a_surrogate_pair_is_found_and_never_sent_on() -> None:
    found = hits(talk("half \ud83d of it", "Yes."))["garbled_text"]
    assert (found.turn, found.start, found.end, found.excerpt) == (0, 5, 6, "\ufffd")
    assert found.model_dump_json().encode("utf-8")
