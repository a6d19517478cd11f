"""The permission to make one paid call: no claim, no request."""

from dataclasses import dataclass

from convo_events.grants import GRANT_S


class TooLate(Exception):
    """The claim's moment to start in was over before there was a connection: nothing was sent."""


@dataclass(frozen=True, slots=True)
class ClaimToken:
    """What the ledger hands out when it has booked a call; a model client asks for it before anything is sent."""

    step_key: str
    """Identity of the work; goes out as the ``Idempotency-Key``."""
    attempt: int
    """Attempt number of the step, from 1."""
    fence: int
    """Grows with each claim of the step: an older holder's result is not booked as the step's."""
    granted_at: float
    """When the claim was granted, on this process's monotonic clock, in seconds."""
    deadline_s: float
    """How long after ``granted_at`` the call must have ended; after that the lease may go to someone else."""
    start_within_s: float = GRANT_S
    """How long after ``granted_at`` the request may start; after that a pause of its run may have been answered."""

    def seconds_left(self, now: float) -> float:
        """Time left for the call at ``now`` on the same clock; 0 where the claim is over."""
        return max(0.0, self.granted_at + self.deadline_s - now)
