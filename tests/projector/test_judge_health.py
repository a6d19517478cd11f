"""The health of a judge, folded: each answer counted once under its state, in rows that do not grow with the run."""

import math
import statistics
from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.codec import Event
from convo_events.judge_answers import STATES, AnswerState
from convo_events.judge_health import WINDOW, bin_width
from convo_events.outcomes import CriterionScore, Judged, StepDeferred, StepFailed
from convo_events.usage import Call
from convo_projector.projections import judge_health
from convo_projector.projections.judge_health import Row
from convo_projector.stamp import Stamp

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
HERE = {"run": "run-abc", "thread": 3, "conversation": 1, "step": 7}


def call(**known: object) -> Call:
    plain = {"role": "judge", "backend": "fake", "model": "judge", "attempt": 1, "step_key": "k"}
    return Call.model_validate({**plain, "basis": "exact", "cost_micro": 7, **known})


def judged(score: float, *, paid: Call | None = None, **known: object) -> Judged:
    scores = (CriterionScore(name="natural", score=score), CriterionScore(name="helpful", score=2))
    plain = {"scale_min": 1, "scale_max": 5, "threshold": 3, "call": paid or call()}
    return Judged.model_validate({**HERE, **plain, "score": score, "criteria": scores, **known})


def failed(reason: str, *, paid: Call | None = None, **known: object) -> StepFailed:
    plain = {"reason": reason, "detail": "", "retryable": True, "call": paid or call()}
    return StepFailed.model_validate({**HERE, **plain, **known})


def folded(*events: Event, late: bool = False) -> Row | None:
    row: Row | None = None
    for seq, event in enumerate(events, start=1):
        row = judge_health.evolve(row, event, Stamp(seq, AT, late=late))
    return row


def known(*events: Event) -> Row:
    row = folded(*events)
    assert row is not None
    return row


def counts(row: Row) -> dict[str, int]:
    return {state: n for state in STATES if (n := getattr(row, state))}


@pytest.mark.parametrize(
    ("event", "state"),
    [
        (judged(4), "scored"),
        (failed("judge_unparsed", state="unparsed"), "unparsed"),
        (failed("judge_unparsed", state="out_of_range"), "out_of_range"),
        (failed("judge_unparsed", state="contradictory"), "contradictory"),
        (failed("judge_truncated", state="truncated"), "truncated"),
        (failed("judge_failed", state="refused"), "refused"),
        # From before events said their state.
        (failed("judge_unparsed"), "unparsed"),
        (failed("judge_truncated"), "truncated"),
        (failed("judge_failed"), "refused"),
        (failed("judge_failed", paid=call(error="bad_request")), "other"),
    ],
)
def test_every_answer_counts_under_its_own_state(event: Event, state: AnswerState) -> None:
    row = known(event)
    assert counts(row) == {state: 1}
    assert row.recent == [[1, state, 4 if state == "scored" else None]]
    assert (row.run, row.judge) == judge_health.key(event, Stamp(1, AT, late=False))


@pytest.mark.parametrize(
    "event",
    [
        failed("judge_failed").model_copy(update={"call": None}),
        failed("malformed_output", paid=call(role="assistant")),
        judged(4, cached_from="run-abc.0.0"),
        StepDeferred(**HERE, not_before=AT, reason="rate_limited", counts=False, call=call()),
    ],
)
def test_what_no_judge_answered_is_not_counted(event: Event) -> None:
    assert judge_health.key(event, Stamp(1, AT, late=False)) is None
    assert folded(event) is None


def test_what_comes_late_is_not_counted_and_its_recheck_was_paid_all_the_same() -> None:
    assert folded(judged(4), late=True) is None
    again = folded(judged(4, purpose="recheck", earlier=2), late=True)
    assert again is not None
    assert (counts(again), again.rechecks, again.recheck_micro) == ({}, 1, 7)


@given(st.lists(st.sampled_from([1.0, 1.5, 2.75, 3.0, 3.9, 5.0]), min_size=1, max_size=120))
def test_spread_is_that_of_all_scores_however_many(scores: list[float]) -> None:
    row = known(*(judged(score) for score in scores))
    assert row.mean == pytest.approx(statistics.fmean(scores))
    assert math.sqrt((row.squares or 0) / row.scored) == pytest.approx(
        statistics.pstdev(scores), abs=1e-9
    )
    assert sum(row.bins) == row.scored == len(scores)
    assert (row.lowest, row.highest) == (scores.count(1.0), scores.count(5.0))
    natural, helpful = row.criteria["natural"], row.criteria["helpful"]
    assert natural == [row.scored, row.mean, row.squares]
    assert helpful == [row.scored, 2, 0]


def test_a_row_does_not_grow_with_the_run() -> None:
    def size(n: int) -> int:
        many = (judged(1 + 4 / (1 + m % 7), purpose="recheck", earlier=3) for m in range(n))
        return len(orjson.dumps(known(*many)))

    row = known(*(judged(3, purpose="recheck", earlier=3) for _ in range(400)))
    assert [len(row.recent), len(row.recent_pairs)] == [WINDOW, WINDOW]
    assert row.recent[0][0] == 400 - WINDOW + 1
    assert size(1_000) < 1.1 * size(100) < 6_000


@pytest.mark.parametrize(
    ("scale", "score", "width", "place", "bins"),
    [
        ((1, 5), 1, 0.5, 0, 9),
        ((1, 5), 3.5, 0.5, 5, 9),
        ((1, 5), 3.75, 0.5, 6, 9),
        ((0, 100), 100, 5, 20, 21),
        ((0, 100), 52.5, 5, 11, 21),
        ((0, 7_919), 7_919, 396, 20, 21),
        ((-3, 3), -3, 0.5, 0, 13),
    ],
)
def test_bins_lie_on_the_scale(
    scale: tuple[float, float], score: float, width: float, place: int, bins: int
) -> None:
    row = known(judged(score, scale_min=scale[0], scale_max=scale[1], threshold=scale[0]))
    assert bin_width(*scale) == width
    assert (row.bins.index(1), len(row.bins)) == (place, bins)


def test_pairs_are_what_one_judge_said_twice() -> None:
    again = [(4, 5), (4, 2), (2, 3), (1, 2), (3, 3)]
    row = known(
        judged(4),
        *(judged(second, purpose="recheck", earlier=first) for first, second in again),
        judged(5, purpose="recheck"),  # nothing to compare with
        judged(3, purpose="recheck", earlier=3, paid=call(cost_micro=None, basis="unpriced")),
    )
    assert (row.pass_pass, row.pass_fail, row.fail_pass, row.fail_fail) == (3, 1, 1, 1)
    assert row.apart == 1 + 2 + 1 + 1
    assert [same for _, same in row.recent_pairs] == [1, 0, 0, 1, 1, 1]
    assert (row.rechecks, row.recheck_micro, row.recheck_unknown) == (7, 42, 1)
