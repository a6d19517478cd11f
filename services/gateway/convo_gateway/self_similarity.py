"""How near conversations are to each other. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from convo_events.similarity import Shingles, jaccard

BINS = 10


@dataclass(slots=True)
class Compared:
    """Every pair of some conversations."""

    conversations: int = 0
    pairs: int = 0
    total: float = 0.0
    highest: float | None = None
    between: tuple[str, ...] = ()
    nearest: list[int] = field(default_factory=lambda: [0] * BINS)
    """Conversations by the similarity to the nearest one before them; the last bin has its upper end."""

    @property
    def mean(self) -> float | None:
        """Over all pairs; None without one."""
        return self.total / self.pairs if self.pairs else None


def compared(conversations: Sequence[tuple[str, Shingles]]) -> Compared:
    """Each with each, in the order of their acceptance; a conversation without any words is left out."""
    spoken = [(name, found) for name, found in conversations if found]
    result = Compared(conversations=len(spoken))
    best = [0.0] * len(spoken)
    for (_, (earlier, found)), (at, (later, other)) in combinations(enumerate(spoken), 2):
        near = jaccard(found, other)
        result.pairs += 1
        result.total += near
        best[at] = max(best[at], near)
        if result.highest is None or near > result.highest:
            result.highest, result.between = near, (earlier, later)
    for near in best[1:]:
        result.nearest[min(int(near * BINS), BINS - 1)] += 1
    return result
