"""How long turns are: words a turn in bins that never change, so that counts of any time add up. Pure."""

from bisect import bisect_left
from dataclasses import dataclass, field

UPPER = (0, 5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 640)
"""Most words of each bin, the last bin apart, which has no end. Finer where most turns are."""


def bins() -> list[tuple[int, int | None]]:
    """Fewest and most words of each bin; None for no end."""
    lowest = (0, *(upper + 1 for upper in UPPER))
    return list(zip(lowest, (*UPPER, None), strict=True))


@dataclass(slots=True)
class TurnLengths:
    """The lengths of many turns."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(UPPER) + 1))
    """Turns in each bin."""
    words: int = 0
    """In all turns together."""
    longest: int = 0
    """Words of the longest turn."""

    def add(self, words: int) -> None:
        """Count a turn of so many words."""
        self.counts[bisect_left(UPPER, words)] += 1
        self.words += words
        self.longest = max(self.longest, words)

    @property
    def turns(self) -> int:
        """How many there were."""
        return sum(self.counts)

    @property
    def mean(self) -> float | None:
        """Words a turn; None where there were none."""
        return self.words / self.turns if self.turns else None
