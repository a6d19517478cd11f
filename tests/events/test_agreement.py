"""Cohen's kappa against hand-made and published tables, and in words where it is not defined."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.agreement import Confusion, Kappa, kappa

COUNTS = st.integers(0, 400)


@pytest.mark.parametrize(
    ("table", "value"),
    [
        # Agreed 0.7, chance 0.5.
        (Confusion(20, 5, 10, 15), 0.4),
        # The same agreement of 0.6, and less beyond chance where both say yes more often.
        (Confusion(45, 15, 25, 15), 0.1304),
        (Confusion(25, 35, 5, 35), 0.2593),
        (Confusion(0, 10, 10, 0), -1.0),
        (Confusion(10, 0, 0, 10), 1.0),
    ],
)
def test_kappa_is_what_agreement_is_beyond_chance(table: Confusion, value: float) -> None:
    assert kappa(table).value == pytest.approx(value, abs=1e-4)


def test_the_interval_is_the_one_of_the_large_sample_error() -> None:
    """The same as the delta method gives, worked out by differences of kappa itself."""
    table = Confusion(45, 15, 25, 15)
    found = kappa(table)
    assert found.value is not None
    assert found.high is not None
    assert (found.high - found.value) / 1.959964 == pytest.approx(_by_differences(table), rel=1e-4)


def _by_differences(table: Confusion) -> float:
    """Standard error by the delta method for a multinomial sample."""
    cells = [table.both_yes, table.first_only, table.second_only, table.both_no]
    n = sum(cells)
    shares = [cell / n for cell in cells]
    step = 1e-6

    def at(shares: list[float]) -> float:
        yes, first, second, no = shares
        chance = (yes + first) * (yes + second) + (no + first) * (no + second)
        return (yes + no - chance) / (1 - chance)

    slopes = []
    for place in range(4):
        moved = list(shares)
        moved[place] += step
        slopes.append((at(moved) - at(shares)) / step)
    mean = sum(share * slope for share, slope in zip(shares, slopes, strict=True))
    variance = sum(s * g * g for s, g in zip(shares, slopes, strict=True)) - mean**2
    return math.sqrt(variance / n)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (Confusion(), "nothing was rated by both"),
        (Confusion(both_yes=50), "both raters say the same of all 50"),
        (Confusion(both_yes=40, first_only=10), "the first rater says the same of all 50"),
        (Confusion(second_only=10, both_no=40), "the first rater says the same of all 50"),
        (Confusion(first_only=10, both_no=40), "the second rater says the same of all 50"),
    ],
)
def test_without_variation_kappa_is_said_in_words_and_never_a_number(
    table: Confusion, why: str
) -> None:
    found = kappa(table)
    assert (found.value, found.low, found.high) == (None, None, None)
    assert why in found.why


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (Confusion(10, 2, 3, 10), "takes 30 cases"),
        (Confusion(50, 2, 1, 2), "5 of each kind"),
        (Confusion(30, 0, 0, 30), "without one disagreement"),
    ],
)
def test_an_interval_takes_enough_cases(table: Confusion, why: str) -> None:
    found = kappa(table)
    assert found.value is not None
    assert (found.low, found.high) == (None, None)
    assert why in found.why


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_kappa_stays_in_its_bounds_and_does_not_care_who_is_first(
    yes: int, first: int, second: int, no: int
) -> None:
    one, other = kappa(Confusion(yes, first, second, no)), kappa(Confusion(yes, second, first, no))
    assert _rounded(one) == _rounded(other)
    if one.value is not None:
        assert -1 <= one.value <= 1
    if one.value is not None and one.low is not None and one.high is not None:
        assert -1 <= one.low <= one.value <= one.high <= 1


def _rounded(found: Kappa) -> list[float | None]:
    parts = (found.value, found.low, found.high)
    return [None if part is None else round(part, 9) for part in parts]
