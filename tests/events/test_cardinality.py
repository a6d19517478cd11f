"""The sketch of a count against the true count."""

import pytest

from convo_events.cardinality import REGISTERS, STANDARD_ERROR, Cardinality
from convo_events.distinct import gram_hashes


def hashes(many: int, seed: int = 0) -> list[int]:
    """Hashes of different words, as the text has them."""
    return gram_hashes([[f"word{seed}x{at}" for at in range(many)]], 1)


@pytest.mark.parametrize("many", [1, 10, 100, 1_000, 10_000, 100_000])
def test_it_is_near_the_truth_from_few_to_many(many: int) -> None:
    sketch = Cardinality()
    sketch.add(hashes(many))
    assert sketch.estimate() == pytest.approx(many, rel=3 * STANDARD_ERROR)


def test_the_error_is_as_stated() -> None:
    """Root mean square over many sets, which is what a standard error is."""
    off = []
    for seed in range(60):
        sketch = Cardinality()
        sketch.add(hashes(2_000, seed))
        off.append((sketch.estimate() / 2_000 - 1) ** 2)
    assert (sum(off) / len(off)) ** 0.5 < 1.3 * STANDARD_ERROR


def test_nothing_is_exactly_none() -> None:
    assert Cardinality().estimate() == 0


def test_repeats_order_and_a_stop_between_change_nothing() -> None:
    once, again = Cardinality(), Cardinality()
    once.add(hashes(500))
    again.add(reversed(hashes(300)))
    again = Cardinality(bytes(again.registers))
    again.add(hashes(500) * 3)
    assert again.registers == once.registers
    assert len(once.registers) == REGISTERS


def test_another_size_is_no_sketch() -> None:
    with pytest.raises(ValueError, match="4096 bytes, not 5"):
        Cardinality(b"12345")
