"""Several scores of one conversation become one, and when more of them could not change the verdict. Pure.

Scores are counted as they are written, so that a mean of tenths is a mean of tenths. A judge whose samples were all
unscored has no part in the mean over the judges; it is never a low score.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from convo_events.judging import Judging, Reducer


@dataclass(frozen=True, slots=True)
class Reduced:
    """What all scores of a conversation come to."""

    score: float
    """On the rubric's scale: the mean over the judges."""
    passes: bool
    """Whether that reaches the threshold; ``majority``: whether more than half of the samples do."""


def reduced(by_judge: Sequence[Sequence[float]], judging: Judging) -> Reduced | None:
    """The score and the verdict of scores by judge; None where no judge has one.

    Each judge's samples are reduced first; the mean over the judges follows. With ``majority`` the score shown is the
    mean, and the judges' shares of passing samples decide: half of them are no majority.
    """
    heard = [scores for scores in by_judge if scores]
    if not heard:
        return None
    mean = _mean([_of_judge(scores, judging.reducer) for scores in heard])
    score = _on_its_side(mean, [score for scores in heard for score in scores], judging.threshold)
    if judging.reducer != "majority":
        return Reduced(score, score >= judging.threshold)
    shares = [
        Fraction(sum(score >= judging.threshold for score in scores), len(scores))
        for scores in heard
    ]
    return Reduced(score, _mean(shares) > Fraction(1, 2))


def of_judge(scores: Sequence[float], judging: Judging) -> float | None:
    """The score of one judge; None where none of its samples was scored."""
    return float(_of_judge(scores, judging.reducer)) if scores else None


def is_decided(by_judge: Sequence[tuple[Sequence[float], int]], judging: Judging) -> bool:
    """Whether the verdict is the same whatever the samples still to come say, or if they say nothing.

    Every reducer rises with each score, so it is enough to look at the ends of the scale.

    Args:
        by_judge: Scores of each judge, and how many samples it is still to be asked for.
        judging: Scale, threshold and reducer.
    """
    if not any(scores for scores, _ in by_judge):
        return False
    low, high = (
        reduced([[*scores, *[float(end)] * left] for scores, left in by_judge], judging)
        for end in judging.scale
    )
    return low is not None and high is not None and low.passes == high.passes


def _of_judge(scores: Sequence[float], reducer: Reducer) -> Fraction:
    written = sorted(_written(score) for score in scores)
    middle = len(written) // 2
    match reducer:
        case "lowest":
            return written[0]
        case "median":
            return _mean(
                written[middle : middle + 1]
                if len(written) % 2
                else written[middle - 1 : middle + 1]
            )
        case "mean" | "majority":
            return _mean(written)


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


@lru_cache(maxsize=1_024)
def _written(number: float) -> Fraction:
    return Fraction(repr(number))


def _on_its_side(mean: Fraction, scores: Sequence[float], threshold: float) -> float:
    """The mean as a double on its side of the threshold; one that rounding of the scores alone keeps off it is on it.

    Scores are doubles next to exact means themselves, so their mean is off by one step of the largest at most.
    """
    step = Fraction(math.ulp(max(abs(score) for score in scores)))
    off = mean - _written(threshold)
    if abs(off) <= step and min(scores) < threshold <= max(scores):
        return threshold
    number = float(mean)
    return math.nextafter(threshold, -math.inf) if number == threshold and off < 0 else number
