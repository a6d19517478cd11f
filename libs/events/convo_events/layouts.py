"""How many bands two near conversations share, and so what may be passed over without missing one. Pure.

A pair of similarity s shares each band of r rows with probability s**r, independently of the others: the number of
shared bands is binomial. What shares fewer than nearly every pair above the limit does need not be looked at.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb

from convo_events.similarity import RECALL, bands

MISS = 1 - RECALL
CORPUS_THRESHOLD = 0.6
"""Chooses the one layout in which conversations of all runs are indexed: 42 bands of 3 rows."""
MASK_ALLOWANCE = 0.9
"""Runs mask different text. Pairs of two runs are looked for as if a tenth less were shared than the limit says."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Bands of a signature, and how much is shared by pairs that must not be missed."""

    rows: int
    count: int
    similarity: float

    @classmethod
    def of_run(cls, limit: float) -> "Layout":
        """The bands of a run's own index."""
        return cls(*bands(limit), limit)

    @classmethod
    def of_corpus(cls, limit: float) -> "Layout":
        """The bands of the index over all runs."""
        return cls(*bands(CORPUS_THRESHOLD), limit * MASK_ALLOWANCE)


@lru_cache(maxsize=1_024)
def fewest_shared(layout: Layout, hot: int = 0) -> int | None:
    """The number of bands, from 1, that all but ``MISS`` of the pairs share; None where bands must not be left out.

    Args:
        layout: The bands.
        hot: How many of a conversation's bands are left out of the count because too many others have them. What is
            common is shared more often, so near pairs share fewer of the bands that are left: of every band, the
            part that is hot is taken off as if all of it had been shared.
    """
    share, left = layout.similarity**layout.rows, layout.count - hot
    if hot:
        lost = (hot + 1) / (layout.count + 1)
        if lost >= share:
            return None
        share = (share - lost) / (1 - lost)
    missed, fewest = 0.0, 0
    while fewest <= left:
        missed += comb(left, fewest) * share**fewest * (1 - share) ** (left - fewest)
        if missed > MISS:
            break
        fewest += 1
    if hot:
        return fewest or None
    return max(1, fewest)
