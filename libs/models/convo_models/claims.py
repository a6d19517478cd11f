"""May this call be made? A pure decision on what the ledger knows, made inside the claim's transaction."""

from dataclasses import dataclass
from typing import TypeAlias

from convo_events.usage import CallRole
from convo_models.claim import ClaimToken

Place: TypeAlias = tuple[str, int, int]
"""Run, thread and step: a step is paid for once, whichever key it goes under."""


@dataclass(frozen=True, slots=True)
class Work:
    """One piece of paid work that asks for permission."""

    step_key: str
    run: str
    thread: int
    conversation: int
    step: int
    emit: int
    """Which request of the step this answers; a repeat of an answered request is never a new call."""
    epoch: int
    """Control epoch that the request was made under."""
    role: CallRole
    backend: str
    model: str
    worst_micro: int | None
    """The most the call can cost; None where the model has no price."""
    deadline_s: float
    """The call's own deadline; the lease is longer."""

    @property
    def place(self) -> Place:
        """The step that the work is."""
        return (self.run, self.thread, self.step)


@dataclass(frozen=True, slots=True)
class Control:
    """What the run's control row says."""

    status: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Booked:
    """What the ledger already has under the key."""

    state: str
    attempts: int
    emit: int
    leased: bool
    """A worker holds it and its lease lives, by the database's clock."""
    event: str | None
    """The stored outcome of the last attempt."""
    step_key: str = ""
    """The key that the step was first booked under; a step has one, whatever a later worker would derive."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A run's cap and what is gone from it."""

    cap_micro: int
    spent_micro: int
    reserved_micro: int

    @property
    def left_micro(self) -> int:
        """What is neither spent nor reserved; never less than nothing."""
        return max(0, self.cap_micro - self.spent_micro - self.reserved_micro)

    def fits(self, worst_micro: int) -> bool:
        """Whether a call that may cost so much can be reserved."""
        return self.spent_micro + self.reserved_micro + worst_micro <= self.cap_micro


@dataclass(frozen=True, slots=True)
class Granted:
    """The call may start now."""

    token: ClaimToken


@dataclass(frozen=True, slots=True)
class Answered:
    """The request was answered before: publish the stored outcome again, call nobody."""

    event: str


@dataclass(frozen=True, slots=True)
class Held:
    """Another worker has it in hand, or its outcome is being repaired: nothing to do."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run is not running under this epoch: forget the request, a resume sends a new one."""

    status: str


@dataclass(frozen=True, slots=True)
class Crowded:
    """The worst case does not fit beside what calls in flight may cost: they may cost less, so ask again."""

    budget: Budget


@dataclass(frozen=True, slots=True)
class OverCap:
    """The worst case does not fit under the run's cap, and nothing in flight can make room."""

    budget: Budget


Answer = Granted | Answered | Held | Stopped | Crowded | OverCap
Refusal = Answered | Held | Stopped | Crowded | OverCap


def refusal(
    work: Work, control: Control | None, booked: Booked | None, budget: Budget | None
) -> Refusal | None:
    """Why the call may not be made, or None when it may.

    A stored answer goes before everything: it costs nothing to say it again, even on a paused run.
    """
    if booked is not None:
        if booked.state == "finished" or (booked.state == "open" and work.emit <= booked.emit):
            return Answered(booked.event) if booked.event else Held()
        if booked.state in ("started", "aborted"):
            # An expired lease is the reaper's: it books what may have been billed before anyone tries again.
            return Held()
    if control is None or control.status != "running" or control.epoch != work.epoch:
        return Stopped(control.status if control else "unknown")
    if budget is not None and not budget.fits(work.worst_micro or 0):
        return Crowded(budget) if budget.reserved_micro > 0 else OverCap(budget)
    return None
