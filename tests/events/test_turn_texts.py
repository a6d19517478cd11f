"""How turns begin and how long they are."""

import pytest

from convo_events.distinct import distinct_n, gram_hashes
from convo_events.openings import opening
from convo_events.turn_lengths import UPPER, TurnLengths, bins
from convo_events.words import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hi there, I need help with my taxes", "hi there i"),
        ("  **Hello!**\n\nWorld", "hello world"),
        ("Don't worry about it", "don't worry about"),
        ("请问怎么办", "请问怎"),
        ("สวัสดีครับ", "สวัส"),
        ("AI模型很好", "ai模型"),
        ("🙂 …", ""),
        ("", ""),
        ("x" * 10_000, "x" * 100),
    ],
)
def test_an_opening_is_the_first_words(text: str, found: str) -> None:
    assert opening(text) == found


def test_lengths_fall_into_bins_that_leave_nothing_out() -> None:
    assert bins()[0] == (0, 0)
    assert bins()[-1] == (641, None)
    lengths = TurnLengths()
    assert lengths.mean is None
    for many in (0, 1, 5, 6, 640, 641, 100_000):
        lengths.add(many)
        at = next(at for at, (low, high) in enumerate(bins()) if high is None or many <= high)
        assert bins()[at][0] <= many
        assert lengths.counts[at] > 0
    assert (lengths.turns, lengths.longest, len(lengths.counts)) == (7, 100_000, len(UPPER) + 1)
    assert lengths.mean == pytest.approx(101_293 / 7)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_hashed_n_grams_are_as_different_as_the_n_grams(n: int) -> None:
    turns = ["one two three one two three", "four", "", "今天天气好今天"]
    hashes = gram_hashes([words(turn) for turn in turns], n)
    assert len(set(hashes)) / len(hashes) == distinct_n([turns], n)
