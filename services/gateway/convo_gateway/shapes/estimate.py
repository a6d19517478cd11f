"""What a run is expected to cost and to bring."""

from dataclasses import dataclass

from convo_events.facts import Micro
from convo_events.usage import CallRole


@dataclass(frozen=True, slots=True)
class Range:
    """Micro-dollars."""

    low: Micro
    expected: Micro
    high: Micro

    def __add__(self, other: "Range") -> "Range":
        """Both together, end by end."""
        return Range(self.low + other.low, self.expected + other.expected, self.high + other.high)


NOTHING = Range(0, 0, 0)


@dataclass(frozen=True, slots=True)
class RoleEstimate:
    """What one role is expected to use, all calls together."""

    role: CallRole
    backend: str
    model: str
    calls: int
    """New tries after errors included, where runs tell."""
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: Range | None
    """None where the model has no price."""
    from_history: bool
    calls_per_conversation: float
    input_per_call: float
    output_per_call: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Conversations by what is expected to become of them; together they are all that are made."""

    accepted: float
    mechanical: float
    """Rejected at layer 1; likewise the next two."""
    diversity: float
    judge: float
    failed: float
    """At layer 0, such as for an answer that cannot be read."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What an estimate rests on."""

    kind: str
    """``history`` or ``default``."""
    runs: int
    """Ended runs that tell about this one, cancelled ones included."""
    conversations: int
    """Conversations of those runs."""
    same_prompts: bool
    """Whether those runs had the same prompt set in the same version."""
    said: str
    """The same in a sentence for people."""
    range: str
    """Where the range comes from, in a sentence for people."""
    assumptions: tuple[str, ...]
    """What was assumed because no run tells, in sentences for people."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run is expected to cost and to bring."""

    total: Range | None
    """None where a model that is needed has no price."""
    generation: Range | None
    judge: Range | None
    memory: Range | None
    roughen: Range | None
    roles: tuple[RoleEstimate, ...]
    unpriced: tuple[str, ...]
    """``backend/model`` of every model without a price."""
    conversations: int
    """Conversations to make: the population of all numbers here."""
    accepted: float
    """Conversations expected to be accepted."""
    outcome: Outcome | None
    """What becomes of them layer by layer; None where no completed run tells."""
    per_accepted_micro: Micro | None
    """Cost of an accepted conversation; None where the total is unknown or none is expected."""
    seconds: float | None
    """How long the run is expected to take; None where no run tells."""
    basis: Basis
    threshold_micro: Micro | None
    """The config's "Confirm runs estimated above", None where it has none."""

    @property
    def above_threshold(self) -> bool:
        """Whether the expected total is strictly above the threshold."""
        if self.total is None or self.threshold_micro is None:
            return False
        return self.total.expected > self.threshold_micro

    @property
    def needs_confirmation(self) -> bool:
        """Above the threshold, or nobody knows whether it is."""
        unknown = self.total is None and self.threshold_micro is not None
        return unknown or self.above_threshold
