"""What is measured: dialogues of two turns and a judge, all on one model, so that its limit is the calls in flight."""

from dataclasses import dataclass

from convo_events.snapshot import Snapshot
from tests.journeys.configs import snapshot

CALLS = 3
"""Calls of a conversation: the user's turn, the assistant's, the judge's."""
MODEL = "writer"


@dataclass(frozen=True, slots=True)
class Case:
    """One measurement."""

    name: str
    conversations: int
    in_flight: int
    """Most calls at once, over all services."""
    latency_s: float
    """What the provider adds to every answer."""

    @property
    def ideal_s(self) -> float:
        """Time of a perfect client: every place always taken, nothing but the provider's latency."""
        return CALLS * self.latency_s * -(-self.conversations // self.in_flight)


def frozen(case: Case) -> Snapshot:
    """The run of a case: all rules and the near-duplicate check on, and a lane for each conversation."""
    made = snapshot(
        case.conversations,
        threads=case.conversations,
        concurrency=case.in_flight,
        timeout_s=60,
    )
    roles = made.config.roles
    assert roles.judge is not None
    judge = roles.judge.model_copy(update={"model": MODEL})
    config = made.config.model_copy(update={"roles": roles.model_copy(update={"judge": judge})})
    return made.model_copy(update={"config": config})
