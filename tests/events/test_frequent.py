"""The most frequent phrases, exact while there is room and within bounds after."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from convo_events.frequent import Frequent, Seen

PHRASES = st.lists(st.sampled_from("abcdefghijklmnop"), max_size=200)


@given(PHRASES)
def test_exact_while_there_is_room(phrases: list[str]) -> None:
    sketch = Frequent(places=16)
    for phrase in phrases:
        sketch.add(phrase)
    assert {one.phrase: (one.at_least, one.at_most) for one in sketch.top()} == {
        phrase: (n, n) for phrase, n in Counter(phrases).items()
    }


@given(PHRASES, st.integers(0, 200))
def test_bounds_hold_and_nothing_frequent_is_missed(phrases: list[str], stop: int) -> None:
    """Also where it is stored and read back in between."""
    sketch, places, true = Frequent(places=5), 5, Counter(phrases)
    for at, phrase in enumerate(phrases):
        if at == stop:
            sketch = Frequent(sketch.top(), places=places)
        sketch.add(phrase)
    found = {one.phrase: one for one in sketch.top()}
    assert len(found) <= places
    for one in found.values():
        assert one.at_least <= true[one.phrase] <= one.at_most
    assert all(phrase in found for phrase, n in true.items() if n > len(phrases) / places)


def test_what_is_sure_comes_first() -> None:
    sketch = Frequent([Seen("maybe", 1, 9), Seen("sure", 4, 4), Seen("also", 4, 4)])
    assert [one.phrase for one in sketch.top(2)] == ["also", "sure"]
