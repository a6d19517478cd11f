"""Several scores become one: each reducer, the threshold to the last digit, and when more samples change nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import JudgedCriterion, Judging
from convo_events.judging import Reducer
from convo_events.reducing import is_decided, of_judge, reduced


def judging(reducer: Reducer = "mean", threshold: float = 3.5) -> Judging:
    criteria = (JudgedCriterion(name="natural", question="?"),)
    return Judging(criteria=criteria, threshold=threshold, reducer=reducer)


@pytest.mark.parametrize(
    ("reducer", "scores", "score", "passes"),
    [
        ("mean", [5, 3, 4], 4, True),
        ("mean", [5, 1, 3], 3, False),
        ("median", [5, 1, 4], 4, True),
        ("median", [5, 1, 4, 2], 3, False),
        ("lowest", [5, 5, 3.5], 3.5, True),
        ("lowest", [5, 5, 3], 3, False),
        ("majority", [4, 4, 1], 3, True),
        ("majority", [4, 1], 2.5, False),
        ("majority", [3.4, 3.4, 5], pytest.approx(3.9333333), False),
    ],
)
def test_each_reducer(reducer: Reducer, scores: list[float], score: float, passes: bool) -> None:
    found = reduced([scores], judging(reducer))
    assert found is not None
    assert (found.score, found.passes) == (score, passes)


def test_a_panel_is_the_mean_of_its_judges_however_often_each_was_scored() -> None:
    found = reduced([[5, 5, 5], [2]], judging())
    assert found is not None
    assert (found.score, found.passes) == (3.5, True)


def test_a_judge_without_a_score_has_no_part_and_no_low_score() -> None:
    assert reduced([[4], []], judging()) == reduced([[4]], judging())
    assert reduced([[], []], judging()) is None
    assert of_judge([], judging()) is None


def test_a_majority_of_a_panel_is_the_mean_of_shares() -> None:
    strict = judging("majority")
    one_third_and_all = reduced([[4, 1, 1], [4, 4, 4]], strict)
    one_third_and_none = reduced([[4, 4, 1], [1, 1, 1]], strict)
    assert one_third_and_all is not None
    assert one_third_and_none is not None
    assert (one_third_and_all.passes, one_third_and_none.passes) == (True, False)


def test_scores_that_are_rounded_means_meet_the_threshold_that_they_meet_exactly() -> None:
    thirds = [10 / 3, 11 / 3, 10 / 3, 11 / 3, 3.5]
    for count in (2, 4, 5):
        found = reduced([thirds[:count]], judging())
        assert found is not None
        assert found.passes
        assert found.score >= 3.5
    just_under = 3.4999999999999996
    below = reduced([[just_under, just_under]], judging())
    assert below is not None
    assert not below.passes


@given(
    st.sampled_from(["mean", "median", "lowest", "majority"]),
    st.lists(
        st.tuples(st.lists(st.integers(1, 5), max_size=4), st.integers(0, 3)),
        min_size=1,
        max_size=3,
    ),
    st.data(),
)
@settings(max_examples=300, deadline=None)
def test_what_is_decided_stays_whatever_else_is_said(
    reducer: Reducer, standing: list[tuple[list[int], int]], data: st.DataObject
) -> None:
    config = judging(reducer, threshold=3)
    scored: list[tuple[list[float], int]] = [
        ([float(s) for s in ss], left) for ss, left in standing
    ]
    if not is_decided(scored, config):
        return
    now = reduced([scores for scores, _ in scored], config)
    later = reduced(
        [
            [*scores, *data.draw(st.lists(st.integers(1, 5).map(float), max_size=left))]
            for scores, left in scored
        ],
        config,
    )
    assert now is not None
    assert later is not None
    assert now.passes == later.passes


def test_nothing_is_decided_before_a_score_and_everything_when_none_can_follow() -> None:
    assert not is_decided([([], 2)], judging())
    assert is_decided([([4.0], 0)], judging())
    assert not is_decided([([4.0], 2)], judging())
    assert is_decided([([1.0], 1)], judging("lowest"))
    assert is_decided([([4.0, 4.0], 1)], judging("majority"))
