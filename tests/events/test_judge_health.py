"""When a judge is sick: every measure over, at and under its limit, and where too little is known to tell."""

import pytest
from pydantic import ValidationError

from convo_events.catalog import Judging
from convo_events.judge_answers import AnswerState
from convo_events.judge_health import Answers, JudgeHealth, Measure, is_doubtful, sickness

LIMITS = JudgeHealth()
SPREAD = JudgeHealth(min_spread=0.1)
OFF = JudgeHealth(max_failure_rate=None, min_self_agreement=None)


def answers(
    scored: int = 0,
    *failures: AnswerState,
    scores: tuple[float, ...] | None = None,
    same: int = 0,
    other: int = 0,
) -> Answers:
    """So many scored answers and these failures, and so many that were judged twice the same way or otherwise."""
    states: list[AnswerState] = [*failures]
    states += ["scored"] * scored
    agreed = (*(False,) * other, *(True,) * same)
    return Answers("fake/judge", states, (4.0,) * scored if scores is None else scores, agreed)


UNPARSED: tuple[AnswerState, ...] = ("unparsed",)


@pytest.mark.parametrize(
    ("known", "limits", "measure", "value"),
    [
        (answers(), LIMITS, None, None),
        (answers(16, *UNPARSED * 4), LIMITS, None, None),  # 20 % is not over 20 %
        (answers(15, *UNPARSED * 5), LIMITS, "failure_rate", 0.25),
        (answers(0, *UNPARSED * 19), LIMITS, None, None),  # one too few to tell
        (answers(0, *UNPARSED * 20), LIMITS, "failure_rate", 1.0),
        (answers(36, *UNPARSED * 14), LIMITS, "failure_rate", 0.28),
        (answers(0, *UNPARSED * 50), OFF, None, None),
        (answers(0, *UNPARSED * 5), JudgeHealth(min_answers=5), "failure_rate", 1.0),
        (answers(19, "refused"), JudgeHealth(max_failure_rate=0), "failure_rate", 0.05),
        (answers(0, *("compared",) * 50), LIMITS, None, None),
        (answers(50), LIMITS, None, None),  # the spread is not measured unless asked for
        (answers(29), SPREAD, None, None),
        (answers(30), SPREAD, "spread", 0.0),
        (answers(30, scores=(4.0,) * 29 + (1.0,)), SPREAD, None, None),
        (answers(same=13, other=6), LIMITS, None, None),
        (answers(same=14, other=6), LIMITS, None, None),  # 70 % is not under 70 %
        (answers(same=13, other=7), LIMITS, "self_agreement", 0.65),
        # Shares are compared as they are written: 11 of 20 is 0.55.
        (answers(same=11, other=9), JudgeHealth(min_self_agreement=0.55), None, None),
        (answers(9, *UNPARSED * 11), JudgeHealth(max_failure_rate=0.55), None, None),
        (answers(same=0, other=50), OFF, None, None),
        (answers(0, *UNPARSED * 20, same=0, other=50), LIMITS, "failure_rate", 1.0),
    ],
)
def test_a_measure_beyond_its_limit_is_found(
    known: Answers, limits: JudgeHealth, measure: Measure | None, value: float | None
) -> None:
    found = sickness(known, limits)
    assert (found and found.measure) == measure
    assert (found and found.value) == value


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            answers(36, *UNPARSED * 12, *("truncated",) * 2),
            ("no verdict in 14 of its last 50", "(12 unparsed, 2 truncated), limit 20 %"),
        ),
        (answers(0, *("truncated",) * 20), ("20 truncated", "roles.judge.max_tokens")),
        (answers(0, *("refused",) * 20), ("20 refused", "another model")),
        (answers(0, *("other",) * 20), ("20 calls that failed", "turns its calls down")),
        (answers(same=13, other=7), ("13 of the last 20", "limit 70 %", "temperature")),
    ],
)
def test_the_sentence_says_which_measure_its_value_its_n_its_limit_and_what_to_do(
    known: Answers, said: tuple[str, ...]
) -> None:
    found = sickness(known, LIMITS)
    assert found is not None
    assert "fake/judge" in found.sentence
    assert "Resume" in found.sentence
    assert len(found.sentence) < 500
    for part in said:
        assert part in found.sentence


@pytest.mark.parametrize(
    ("known", "limits", "doubtful"),
    [
        (answers(), LIMITS, False),
        (answers(0, *UNPARSED), LIMITS, True),
        (answers(4, *UNPARSED), LIMITS, False),
        (answers(3, *UNPARSED), LIMITS, True),
        (answers(0, *UNPARSED * 19), LIMITS, True),
        (answers(0, *UNPARSED * 20), LIMITS, False),  # known by now: sick
        (answers(16, *UNPARSED * 4), LIMITS, False),  # known by now: well
        (answers(0, *UNPARSED * 19), OFF, False),
    ],
)
def test_a_judge_is_doubtful_while_it_may_be_sick_and_nobody_can_tell(
    known: Answers, limits: JudgeHealth, doubtful: bool
) -> None:
    assert is_doubtful(known, limits) is doubtful


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_failure_rate": 1.1},
        {"min_answers": 51},
        {"min_answers": 4},
        {"min_spread": 0},
        {"min_pairs": 0},
        {"window": 10},
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        JudgeHealth.model_validate(wrong)


def test_a_spread_that_no_scores_can_have_is_refused() -> None:
    rubric = {"criteria": [{"name": "natural", "question": "Is it?"}], "threshold": 3}
    assert Judging.model_validate(rubric | {"health": {"min_spread": 2}}).health is not None
    with pytest.raises(ValidationError, match="cannot spread more than 2"):
        Judging.model_validate(rubric | {"health": {"min_spread": 2.1}})


def test_a_config_that_says_nothing_of_health_is_written_as_before() -> None:
    rubric = {"criteria": [{"name": "natural", "question": "Is it?"}], "threshold": 3}
    assert "health" not in Judging.model_validate(rubric).model_dump()
