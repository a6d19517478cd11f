"""The weighted mean of the scores, exact, so that no rounding decides against the threshold. Pure."""

import math
from collections.abc import Sequence
from fractions import Fraction


def weighted_mean(scores: Sequence[float], weights: Sequence[float]) -> Fraction:
    """The mean of the numbers as people wrote them: 0.1 counts as a tenth, and not as its nearest double.

    Raises:
        ZeroDivisionError: where the weights add up to nothing.
    """
    shares = [written(weight) for weight in weights]
    total = sum(
        (share * written(score) for share, score in zip(shares, scores, strict=True)), Fraction(0)
    )
    return total / sum(shares, Fraction(0))


def written(number: float) -> Fraction:
    """The decimal number that a double is written as."""
    return Fraction(repr(number))


def nearest(mean: Fraction, threshold: float) -> float:
    """The double nearest to a mean that is on the same side of the threshold; on the threshold passes."""
    number = float(mean)
    if number == threshold and mean < written(threshold):
        return math.nextafter(threshold, -math.inf)
    return number
