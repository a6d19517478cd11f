"""Is a judge well? The limits that a config sets, and what a run's last answers say against them. Pure.

A measure is a function of the last answers and the limits. It finds nothing where there are too few answers to tell.
"""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field

from convo_events.catalog_parts import CatalogObject, Share
from convo_events.judge_answers import FAILURES, GOOD, AnswerState

WINDOW = 50
"""The last answers, and the last pairs of answers, that a judge is measured by."""
FEWEST_SCORES = 30
"""Scores before the spread is measured. A judge that gives four in five conversations the same score gives it to 30 in
a row once in 800 times (0.8 to the 30th)."""

FINE_SCALE = 10
"""Longest scale, highest less lowest, whose bins are half a point wide."""
MOST_BINS = 21

Measure = Literal["failure_rate", "spread", "self_agreement"]


class JudgeHealth(CatalogObject):
    """When a judge is too sick to decide: the run pauses before its answers cost good conversations their place."""

    max_failure_rate: Share | None = 0.2
    """Most of the last 50 answers that may be no verdict. With one new try an independent 20 % lose 4 % of the
    conversations (0.2 squared); None: not measured."""
    min_answers: Annotated[int, Field(ge=5, le=WINDOW)] = 20
    """Answers before that is measured. At 20, a judge that fails one in twenty is over 20 % by chance once in 400
    times."""
    min_spread: Annotated[float, Field(gt=0)] | None = None
    """Least standard deviation of the last scores, on the rubric's scale, once there are 30; None: not measured."""
    min_self_agreement: Share | None = 0.7
    """Least share of the conversations judged again that pass or fail again; None: not measured. Two coins agree on
    half: 0.7 of an even mix is a kappa of 0.4, under which agreement is called fair at most (Landis and Koch 1977)."""
    min_pairs: Annotated[int, Field(ge=5, le=WINDOW)] = 20
    """Conversations judged again before that is measured."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The last answers of one judge in a run, none from before the run was last resumed; oldest first."""

    judge: str
    """``backend/model``."""
    states: Sequence[AnswerState] = ()
    """At most ``WINDOW``."""
    scores: Sequence[float] = ()
    """Of the scored ones among them."""
    agreed: Sequence[bool] = ()
    """Conversations judged again: whether both answers pass or both fail. At most ``WINDOW``."""

    @classmethod
    def after(
        cls,
        position: int,
        judge: str,
        recent: Sequence[tuple[int, AnswerState, float | None]],
        pairs: Sequence[tuple[int, int]],
    ) -> Self:
        """The answers that stand in the log behind a position.

        Args:
            position: Where the run was last resumed; 0 where it never was.
            judge: ``backend/model``.
            recent: Position, state and score of the last answers.
            pairs: Position of the last answers that judged again, and 1 where they pass or fail as the one before.
        """
        fresh = [(state, score) for seq, state, score in recent if seq > position]
        return cls(
            judge,
            [state for state, _ in fresh],
            [score for _, score in fresh if score is not None],
            [bool(same) for seq, same in pairs if seq > position],
        )


@dataclass(frozen=True, slots=True)
class Sickness:
    """A measure beyond its limit."""

    judge: str
    measure: Measure
    value: float
    n: int
    """What it was measured over."""
    limit: float
    sentence: str
    """For people: measure, value, n, limit and what to do."""


def sickness(answers: Answers, limits: JudgeHealth) -> Sickness | None:
    """The first measure beyond its limit; None for a judge that is well, or of whom too little is known."""
    found = (measure(answers, limits) for measure in MEASURES)
    return next((sick for sick in found if sick is not None), None)


def bin_width(scale_min: float, scale_max: float) -> float:
    """Points of the scale that share a bin where scores are counted: half a point on short scales, else whole ones."""
    points = scale_max - scale_min
    return 0.5 if points <= FINE_SCALE else math.ceil(points / (MOST_BINS - 1))


def is_doubtful(answers: Answers, limits: JudgeHealth) -> bool:
    """Whether so many answers failed that the judge may be sick, and too few came to tell."""
    limit, n = limits.max_failure_rate, len(answers.states)
    return limit is not None and 0 < n < limits.min_answers and _failed(answers) / n > limit


def _failed(answers: Answers) -> int:
    return sum(state not in GOOD for state in answers.states)


def _failure_rate(answers: Answers, limits: JudgeHealth) -> Sickness | None:
    limit, n, failed = limits.max_failure_rate, len(answers.states), _failed(answers)
    if limit is None or n < limits.min_answers or failed / n <= limit:
        return None
    counts = Counter(answers.states)
    parts = [f"{counts[state]} {_WORDS[state]}" for state in FAILURES if counts[state]]
    sentence = (
        f"Judge {answers.judge} gave no verdict in {failed} of its last {n} answers ({', '.join(parts)}), "
        f"limit {_percent(limit)}: {_cure(counts)}. Resume judges those that wait for it once more, and counts anew."
    )
    return Sickness(answers.judge, "failure_rate", failed / n, n, limit, sentence)


def _spread(answers: Answers, limits: JudgeHealth) -> Sickness | None:
    limit, n = limits.min_spread, len(answers.scores)
    if limit is None or n < FEWEST_SCORES:
        return None
    value = statistics.pstdev(answers.scores)
    if value >= limit:
        return None
    common, times = Counter(answers.scores).most_common(1)[0]
    sentence = (
        f"Judge {answers.judge} hardly tells conversations apart: {times} of its last {n} scores are {common:g}, "
        f"standard deviation {value:.2f}, limit {limit:g}: look at some of them; anchors and sharper questions help. "
        "Resume goes on and counts anew."
    )
    return Sickness(answers.judge, "spread", value, n, limit, sentence)


def _self_agreement(answers: Answers, limits: JudgeHealth) -> Sickness | None:
    limit, n, same = limits.min_self_agreement, len(answers.agreed), sum(answers.agreed)
    if limit is None or n < limits.min_pairs or same / n >= limit:
        return None
    sentence = (
        f"Judge {answers.judge} passed or failed the same way in {same} of the last {n} conversations that it judged "
        f"twice, limit {_percent(limit)}: lower its temperature, add anchors, or take the mean of several samples. "
        "Resume goes on and counts anew."
    )
    return Sickness(answers.judge, "self_agreement", same / n, n, limit, sentence)


MEASURES: tuple[Callable[[Answers, JudgeHealth], Sickness | None], ...] = (
    _failure_rate,
    _spread,
    _self_agreement,
)
"""In the order in which they are looked at. A new one is added here."""

_WORDS: dict[AnswerState, str] = {
    "unparsed": "unparsed",
    "truncated": "truncated",
    "out_of_range": "out of range",
    "contradictory": "contradictory",
    "refused": "refused",
    "other": "calls that failed",
}


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def _cure(counts: Counter[AnswerState]) -> str:
    """What helps against the commonest failure."""
    worst = max(FAILURES, key=lambda state: counts[state])
    if worst == "truncated":
        return "its answers are cut off; give roles.judge.max_tokens more room in a new run"
    if worst == "refused":
        return "it declines to judge this content; another model may not"
    if worst == "other":
        return "the provider turns its calls down; read a failed call's detail"
    return "read its answers on the failed steps; the model or what serves it may have changed"
