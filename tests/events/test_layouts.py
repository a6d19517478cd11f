"""What may be passed over: near pairs share so many bands, and hot bands are left out only where it is safe."""

import random
from itertools import pairwise
from math import comb

import pytest

from convo_events.catalog import LOWEST_CORPUS_LIMIT, Diversity
from convo_events.layouts import MASK_ALLOWANCE, MISS, MISS_HOT, Layout, fewest_shared

LIMITS = (0.31, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def found(layout: Layout, similarity: float, fewest: int) -> float:
    """Share of the pairs of a similarity that share so many bands."""
    p, n = similarity**layout.rows, layout.count
    return 1 - sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(fewest))


@pytest.mark.parametrize("limit", LIMITS)
def test_all_but_one_in_ten_thousand_pairs_at_the_limit_share_enough(limit: float) -> None:
    layout = Layout.of_run(limit)
    fewest = fewest_shared(layout)
    assert fewest is not None
    assert found(layout, limit, fewest) >= 1 - MISS * 1.01
    assert found(layout, limit, fewest + 1) < 1 - MISS or fewest == layout.count


@pytest.mark.parametrize("limit", [one for one in LIMITS if one >= LOWEST_CORPUS_LIMIT])
def test_over_several_runs_two_in_a_hundred_are_missed_at_most(limit: float) -> None:
    """Also where the runs mask different text: a tenth of it less is shared."""
    layout = Layout.of_corpus(limit)
    fewest = fewest_shared(layout) or 99
    assert found(layout, limit, fewest) >= 0.996
    assert found(layout, limit * MASK_ALLOWANCE, fewest) >= 0.98


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("kind", [Layout.of_run, Layout.of_corpus])
def test_the_more_bands_are_hot_the_fewer_must_be_shared_until_none_may_be_left_out(
    kind: type, limit: float
) -> None:
    layout = kind(limit)
    fewest = [fewest_shared(layout, hot) for hot in range(layout.count + 1)]
    assert all((a or 0) >= (b or 0) for a, b in pairwise(fewest))
    assert fewest[-1] is None


def test_of_pairs_with_hot_bands_nearly_all_share_enough_of_the_others() -> None:
    """A third of both is boilerplate, and a band is hot where it is all that counts in it."""
    layout, rng = Layout.of_run(0.7), random.Random(1)
    missed, total = 0, 3_000
    for _ in range(total):
        shared = hot = 0
        for _ in range(layout.count):
            minima = [rng.random() for _ in range(layout.rows)]
            if all(one < 1 / 3 for one in minima):
                hot += 1
            elif all(one < 0.7 for one in minima):
                shared += 1
        fewest = fewest_shared(layout, hot)
        missed += fewest is not None and shared < fewest
    assert missed <= total * MISS_HOT


def test_over_several_runs_a_limit_is_half_or_more() -> None:
    assert Diversity(near_duplicate=0.4).scope == "run"
    assert "scope" not in Diversity(near_duplicate=0.4).model_dump()
    assert Diversity(scope="config").model_dump()["scope"] == "config"
    assert Diversity(near_duplicate=None, scope="everything").near_duplicate is None
    with pytest.raises(ValueError, match=r"near_duplicate 0\.4 is too low for scope everything"):
        Diversity(near_duplicate=0.4, scope="everything")
