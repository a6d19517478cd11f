"""The weighted mean and its threshold: exact, whatever doubles make of the weights."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.catalog import JudgedCriterion, Judging
from convo_judge.mean import nearest, weighted_mean, written
from convo_judge.verdict import Scored, read

SCORES = st.one_of(st.integers(1, 5).map(float), st.integers(10, 50).map(lambda n: n / 10))
WEIGHTS = st.one_of(
    st.integers(1, 1_000).map(lambda n: n / 10),
    st.floats(min_value=0, max_value=1_000_000, exclude_min=True, allow_subnormal=False),
)
PAIRS = st.lists(st.tuples(SCORES, WEIGHTS), min_size=1, max_size=20)


def mean(pairs: list[tuple[float, float]]) -> Fraction:
    return weighted_mean([score for score, _ in pairs], [weight for _, weight in pairs])


def scored(scores: list[float], weights: list[float], threshold: float) -> Scored:
    criteria = tuple(
        JudgedCriterion(name=f"c{at}", question="?", weight=weight)
        for at, weight in enumerate(weights)
    )
    said = json.dumps({f"c{at}": score for at, score in enumerate(scores)})
    found = read(said, "stop", None, Judging(criteria=criteria, threshold=threshold))
    assert isinstance(found, Scored)
    return found


@pytest.mark.parametrize(
    ("scores", "weights", "threshold", "passes"),
    [
        ([3, 4], [1, 1], 3.5, True),
        ([3, 4], [0.1, 0.1], 3.5, True),
        # In doubles these come to a little less.
        ([2, 4], [0.1, 0.3], 3.5, True),
        ([1, 3], [0.1, 0.3], 2.5, True),
        ([4, 1], [0.1, 1.1], 1.25, True),
        ([5, 1, 3], [0.1, 0.2, 0.3], 2.6666666666666665, True),
        ([4.1, 4.1, 4.1], [0.1, 0.2, 0.7], 4.1, True),
        ([3.3, 3.3, 3.3], [1, 1, 1], 3.3, True),
        ([1.1, 2.2], [1, 1], 1.65, True),
        ([2, 5], [0.7, 0.3], 2.9, True),
        ([4, 3], [0.4, 0.6], 3.4, True),
        ([3.4999999], [1], 3.5, False),
        ([3.4999999999999996], [1], 3.5, False),
        ([3.5], [1], 3.5, True),
        ([4, 3], [1, 1 + 1e-9], 3.5, False),
        ([4, 3], [1e6, 1e6], 3.5, True),
        ([4, 3], [1e6, 1e-12], 4, False),
        ([1], [5e-324], 1, True),
        ([5, 5], [1e6, 5e-324], 5, True),
    ],
)
def test_the_threshold_is_met_exactly_or_not(
    scores: list[float], weights: list[float], threshold: float, passes: bool
) -> None:
    assert (scored(scores, weights, threshold).score >= threshold) is passes


@given(PAIRS)
def test_a_mean_is_between_the_lowest_and_the_highest_score(
    pairs: list[tuple[float, float]],
) -> None:
    scores = [written(score) for score, _ in pairs]
    assert min(scores) <= mean(pairs) <= max(scores)


@given(PAIRS, st.integers(1, 1_000))
def test_a_mean_knows_shares_and_neither_order_nor_size(
    pairs: list[tuple[float, float]], times: int
) -> None:
    assert mean(pairs[::-1]) == mean(pairs)
    exact = [(score, written(weight) * times) for score, weight in pairs]
    total = sum(weight for _, weight in exact)
    assert sum(written(score) * weight for score, weight in exact) / total == mean(pairs)


@given(PAIRS, st.integers(100, 500).map(lambda n: n / 100))
def test_a_score_is_on_the_side_of_the_threshold_that_its_exact_mean_is_on(
    pairs: list[tuple[float, float]], threshold: float
) -> None:
    exact = mean(pairs)
    for limit in (threshold, float(exact)):
        score = nearest(exact, limit)
        assert (score >= limit) is (exact >= written(limit))
        assert abs(score - float(exact)) <= math.ulp(score)


@given(SCORES, st.lists(WEIGHTS, min_size=1, max_size=20))
def test_equal_scores_have_themselves_as_their_mean(score: float, weights: list[float]) -> None:
    found = scored([score] * len(weights), weights, score)
    assert found.score == score
