"""How far two raters agree who both say yes or no: share, Cohen's kappa, and its 95 % interval. Pure.

Sources: Cohen, "A Coefficient of Agreement for Nominal Scales" (1960); the interval from the large-sample standard
error of Fleiss, Cohen and Everitt, "Large Sample Standard Errors of Kappa and Weighted Kappa" (1969).
"""

import math
from dataclasses import dataclass

FEWEST_FOR_INTERVAL = 30
"""The standard error is one of large samples; under 30 the normal curve is no guide."""
FEWEST_A_SIDE = 5
"""Least yes and no of each rater for an interval: the rule of five for counts (Cochran 1954)."""
_Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Confusion:
    """What two raters said of the same cases, counted."""

    both_yes: int = 0
    first_only: int = 0
    """The first rater said yes, the second no."""
    second_only: int = 0
    both_no: int = 0

    @property
    def n(self) -> int:
        """Cases that both rated."""
        return self.both_yes + self.first_only + self.second_only + self.both_no

    @property
    def share(self) -> float | None:
        """Share of the cases of which both said the same; None without cases."""
        return (self.both_yes + self.both_no) / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement beyond chance: 1 is all of it, 0 is what chance gives. Never made up where it is not defined."""

    value: float | None
    """None where it is not defined; ``why`` says so in words."""
    low: float | None = None
    """Lower end of the 95 % interval; None where there are too few cases for one."""
    high: float | None = None
    why: str = ""
    """Why there is no value, or no interval; empty where there are both."""


def kappa(table: Confusion) -> Kappa:
    """Cohen's kappa of two raters, with an interval where the counts carry one.

    It is not defined without cases, and says nothing where a rater never varies: then chance alone explains all that
    the two have in common.
    """
    n = table.n
    if n == 0:
        return Kappa(None, why="nothing was rated by both")
    first = table.both_yes + table.first_only
    second = table.both_yes + table.second_only
    stuck = [who for who, yes in (("first", first), ("second", second)) if yes in (0, n)]
    if stuck:
        who = "both raters say" if len(stuck) == 2 else f"the {stuck[0]} rater says"
        return Kappa(None, why=f"not defined: {who} the same of all {n}")
    agreed = (table.both_yes + table.both_no) / n
    chance = (first * second + (n - first) * (n - second)) / n**2
    value = (agreed - chance) / (1 - chance)
    if n < FEWEST_FOR_INTERVAL or min(first, second, n - first, n - second) < FEWEST_A_SIDE:
        need = f"an interval takes {FEWEST_FOR_INTERVAL} cases and {FEWEST_A_SIDE} of each kind"
        return Kappa(value, why=need)
    if agreed == 1:
        return Kappa(value, why="without one disagreement there is no interval")
    error = _standard_error(table, agreed, chance)
    return Kappa(value, max(-1.0, value - _Z95 * error), min(1.0, value + _Z95 * error))


def _standard_error(table: Confusion, agreed: float, chance: float) -> float:
    """Of kappa where it is not zero, for two categories."""
    n = table.n
    cells = [
        [table.both_yes / n, table.first_only / n],
        [table.second_only / n, table.both_no / n],
    ]
    rows = [sum(row) for row in cells]
    columns = [cells[0][at] + cells[1][at] for at in (0, 1)]
    same = sum(
        cells[at][at] * ((1 - chance) - (rows[at] + columns[at]) * (1 - agreed)) ** 2
        for at in (0, 1)
    )
    other = (1 - agreed) ** 2 * sum(
        cells[at][1 - at] * (columns[at] + rows[1 - at]) ** 2 for at in (0, 1)
    )
    spread = same + other - (agreed * chance - 2 * chance + agreed) ** 2
    return math.sqrt(max(0.0, spread)) / ((1 - chance) ** 2 * math.sqrt(n))
