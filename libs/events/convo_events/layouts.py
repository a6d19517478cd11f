"""How many bands two near conversations share, and so what may be passed over without missing one. Pure.

A pair of similarity s shares each band of r rows with probability s**r, independently of the others: the number of
shared bands is binomial. What shares fewer than nearly every pair above the limit does need not be looked at.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb

from convo_events.similarity import RECALL, bands

MISS = 1 - RECALL
MISS_HOT = 0.005
"""The same where hot bands are left out: recall at the limit itself, and higher above."""
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
    most: int
    """More shared bands than this are never asked for."""

    @classmethod
    def of_run(cls, limit: float) -> "Layout":
        """The bands of a run's own index."""
        rows, count = bands(limit)
        return cls(rows, count, limit, count)

    @classmethod
    def of_corpus(cls, limit: float) -> "Layout":
        """The bands of the index over all runs; two are enough to leave strangers out, whatever each run masks."""
        rows, count = bands(CORPUS_THRESHOLD)
        return cls(rows, count, limit * MASK_ALLOWANCE, 2)


@lru_cache(maxsize=1_024)
def fewest_shared(layout: Layout, hot: int = 0) -> int | None:
    """The number of bands, from 1, that nearly all pairs share; None where no bands may be left out.

    Args:
        layout: The bands.
        hot: How many of a conversation's bands are left out of the count because too many others have them. What is
            common is shared more often, so near pairs share fewer of the bands that are left: of every band, the
            part that is hot is taken off as if all of it had been shared.
    """
    share, left = layout.similarity**layout.rows, layout.count - hot
    if not hot:
        return min(max(1, _all_but(MISS, share, left)), layout.most)
    lost = (hot + 1) / (layout.count + 1)
    if lost >= share:
        return None
    fewest = _all_but(MISS_HOT, (share - lost) / (1 - lost), left)
    return min(fewest, fewest_shared(layout) or 1) or None


def _all_but(missed: float, share: float, count: int) -> int:
    """The largest number of bands under which no more than that share of the pairs stays."""
    under, fewest = 0.0, 0
    while fewest < count:
        under += comb(count, fewest) * share**fewest * (1 - share) ** (count - fewest)
        if under > missed:
            break
        fewest += 1
    return fewest
