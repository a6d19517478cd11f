"""How many calls the judges make for a conversation that reaches them, if every answer can be read. Pure."""

from dataclasses import dataclass

from convo_events.catalog import Judging
from convo_events.plan import draw_at, share_sizes
from convo_events.snapshot import Snapshot

COMPARISON_TOKENS = 40
"""Length of an answer that says which of two is better, with its reason."""
BOTH_ORDERS = 2


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a config asks of its judges."""

    samples: int = 1
    judges: int = 1
    compared: bool = False
    rechecked: float = 0.0
    """Share of the conversations that are judged once more."""

    @property
    def calls(self) -> float:
        """Calls for a conversation that reaches the judges and passes, of all judges together."""
        return sum(self.of_seat(seat) for seat in range(self.judges))

    def of_seat(self, seat: int) -> float:
        """Calls of one judge; the first one compares and is rechecked."""
        if seat > 0:
            return self.samples
        return self.samples + BOTH_ORDERS * self.compared + self.rechecked


def sitting_of(snapshot: Snapshot) -> Sitting:
    """What the config of a run asks of its judges; for a sample, what its one conversation needs."""
    judging = snapshot.config.judge
    if judging is None:
        return Sitting()
    return Sitting(
        judging.samples,
        1 + len(judging.panel),
        judging.comparison is not None,
        _rechecked(snapshot, judging),
    )


def _rechecked(snapshot: Snapshot, judging: Judging) -> float:
    if snapshot.only is not None:
        return float(draw_at(snapshot, snapshot.only).recheck)
    return share_sizes(snapshot.target, judging.recheck_share) / snapshot.target
