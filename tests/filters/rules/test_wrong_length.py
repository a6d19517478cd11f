import pytest

from tests.filters.talk import hits, only, talk


@pytest.mark.parametrize(
    ("made", "planned"),
    [(2, 4), (4, 2), (2, 6), (8, 4), (6, 10), (2, 20), (4, 6), (10, 8), (6, 4), (40, 2)],
)
def test_g01_hits(made: int, planned: int) -> None:
    hit = hits(talk(*["A line."] * made, planned=planned))["wrong_length"]
    assert f"{made} turns" in hit.detail
    assert f"{planned} were planned" in hit.detail


@pytest.mark.parametrize(
    ("made", "planned"),
    [(2, 2), (4, 4), (4, 5), (4, 3), (6, 7), (20, 20), (2, 0), (40, 0), (8, 8), (2, 1)],
)
def test_g01_passes(made: int, planned: int) -> None:
    assert "wrong_length" not in hits(talk(*["A line."] * made, planned=planned))


def test_tolerance_is_set_by_the_config() -> None:
    assert "wrong_length" in hits(talk("a", "b", planned=3), only("wrong_length", tolerance=0))
    assert "wrong_length" not in hits(talk("a", "b", planned=6), only("wrong_length", tolerance=4))


def test_turns_have_limits_in_words() -> None:
    limits = only("wrong_length", most_words=5, fewest_words=2)
    assert hits(talk("one two", "one two three four five six"), limits)["wrong_length"].turn == 1
    assert hits(talk("one", "one two three"), limits)["wrong_length"].turn == 0
    assert "wrong_length" not in hits(talk("one two", "我很好啊"), limits)
    assert "wrong_length" in hits(talk("one two", "我真的很好啊"), limits)
    assert "wrong_length" in hits(talk("Hi.", "word " * 2_001))
