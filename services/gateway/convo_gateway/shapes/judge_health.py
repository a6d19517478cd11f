"""How the judges of a run do: their answers, the spread of their scores, and whom they agree with."""

from typing import Literal

from convo_events.judge_health import JudgeHealth, Measure
from convo_gateway.shapes.counts import Shape

Condition = Literal["unknown", "well", "doubtful", "sick"]
"""``unknown``: it has not answered since the run was started or resumed. ``doubtful``: many answers failed, and too few
came to tell."""


class AnswerCounts(Shape):
    """Answers of a judge by what they came to. A verdict from the cache is none, nor is a wait for the provider."""

    answers: int
    """All of them."""
    scored: int
    compared: int
    """It said which of two is better."""
    unparsed: int
    truncated: int
    out_of_range: int
    contradictory: int
    refused: int
    other: int
    """Calls that failed for good without an answer."""


class ScoreBin(Shape):
    """Scores that lie nearest to one point of the scale."""

    score: float
    """The point."""
    count: int


class Spread(Shape):
    """How the scores of one judge lie on the scale, those of conversations judged again included."""

    scores: int
    """What all of this is taken over."""
    mean: float
    deviation: float
    """Standard deviation."""
    scale: tuple[float, float]
    bins: list[ScoreBin]
    """From the low end of the scale to its high end, none left out."""
    bin_width: float
    """Points of the scale between two bins."""
    commonest: ScoreBin
    commonest_share: float
    """Of the scores, in the fullest bin."""
    lowest: int
    """Scores at the low end of the scale."""
    highest: int
    """Scores at its high end."""
    ends_share: float
    """Of the scores, at one of the two ends."""


class CriterionSpread(Shape):
    """One criterion of the rubric, by one judge."""

    name: str
    scores: int
    mean: float
    deviation: float


class AgreedBeyondChance(Shape):
    """Cohen's kappa."""

    kappa: float | None
    """Null where it is not defined."""
    low: float | None
    """Lower end of its 95 % interval; null where there are too few cases."""
    high: float | None
    why: str
    """Why there is no kappa, or no interval."""


class Again(AgreedBeyondChance):
    """Conversations that a judge scored twice: does it pass or fail them the same way?"""

    pairs: int
    same: int
    """Of ``pairs``: passed twice or failed twice."""
    mean_apart: float
    """Mean absolute difference of the two scores, on the scale."""


class RecheckCosts(Shape):
    """What it cost to judge again."""

    calls: int
    """Scored calls; what failed is among the answers."""
    known_micro: int | None
    """Micro-dollars of the calls whose cost is known; null where there are calls and no cost is known."""
    unknown_calls: int
    """Calls whose cost is not known."""


class Finding(Shape):
    """A measure beyond its limit."""

    measure: Measure
    value: float
    n: int
    """What it was measured over."""
    limit: float
    sentence: str
    """For people: measure, value, n, limit and what to do."""


class OneJudge(Shape):
    """One judge of the run."""

    judge: str
    """Backend and model, with a slash between them."""
    condition: Condition
    finding: Finding | None
    """What it is sick of."""
    measured: int
    """The last answers, since the run was started or resumed, that the condition rests on."""
    answers: AnswerCounts
    """Of the whole run."""
    last: AnswerCounts
    """The last 50, fewer while there are fewer."""
    spread: Spread | None
    """Null before the first score."""
    criteria: list[CriterionSpread]
    again: Again | None
    """Null before a conversation was judged twice."""
    rechecks: RecheckCosts


class WithPeople(AgreedBeyondChance):
    """The verdict of the judges beside the latest decision of people on the same conversations."""

    both: int
    """Conversations that judges and people decided on: what all of this is taken over."""
    pass_accepted: int
    """Passed by the judges, accepted by people."""
    pass_rejected: int
    fail_accepted: int
    fail_rejected: int
    same: int
    """Of ``both``: with the same outcome."""
    flagged: int
    """Left out: flagged, or withdrawn."""
    unscored: int
    """Left out: no judge scored them, or their verdict is still open."""


class BetweenPeople(AgreedBeyondChance):
    """Conversations that two people or more decided on: the two latest decisions of two people beside each other."""

    both: int
    same: int


class JudgeReport(Shape):
    """How the judges of a run do."""

    judges: list[OneJudge]
    """Every judge that the run names, then others that answered; empty where the run has no judge."""
    limits: JudgeHealth | None
    """When a sick judge pauses the run; null where it never does."""
    recheck_share: float
    """Share of the conversations that is judged again."""
    people: WithPeople
    between_people: BetweenPeople
