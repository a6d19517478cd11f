"""Distinct-n."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.distinct import distinct_n

TURNS = st.lists(st.lists(st.text(max_size=60), max_size=4), max_size=5)


def test_counts_different_over_all() -> None:
    assert distinct_n([["one two three four"], ["One two THREE five"]]) == pytest.approx(3 / 4)
    assert distinct_n([["a b a b"]], n=1) == pytest.approx(2 / 4)


def test_no_trigram_is_unknown_and_not_zero() -> None:
    assert distinct_n([]) is None
    assert distinct_n([["two words"], ["", "🙂"]]) is None


def test_turns_are_not_joined() -> None:
    assert distinct_n([["one two", "three four"]]) is None


def test_characters_are_words_in_scripts_without_spaces() -> None:
    assert distinct_n([["今天天气好"]]) == 1
    assert distinct_n([["哈哈哈哈哈"]]) == pytest.approx(1 / 3)


def test_d09_a_window_of_copies_falls_under_any_sensible_floor() -> None:
    copy = ["could you help me plan a trip to the coast", "of course where would you like to go"]
    fresh = [
        [f"{at} opens {at + 1} closes {at + 2} waits {at + 3} rests"] for at in range(0, 500, 100)
    ]
    window = distinct_n([copy] * 15 + fresh)
    assert window is not None
    assert window < 0.25
    assert (distinct_n(fresh) or 0) > 0.9


def test_n_starts_at_one() -> None:
    with pytest.raises(ValueError, match="at least one"):
        distinct_n([], n=0)


@given(TURNS)
def test_is_a_share(conversations: list[list[str]]) -> None:
    value = distinct_n(conversations)
    assert value is None or 0 < value <= 1
