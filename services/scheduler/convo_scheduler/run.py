"""The life of a run: which command does what in which status. Pure.

| status | start | pause | resume | kick | cancel | cap | begin | finish | block | stop | closed |
|---|---|---|---|---|---|---|---|---|---|---|---|
| queued | running | refused | refused | refused | cancelling | changed | running | - | - | - | - |
| running | nothing | paused | nothing | kicked | cancelling | changed (1) | - | completed | paused | cancelling | - |
| paused | refused | nothing | running | refused | cancelling | changed | - | - | - | - | - |
| cancelling | refused | refused | refused | refused | nothing | refused | - | - | - | - | cancelled |
| completed, failed | refused | refused | refused | refused | refused | refused | - | - | - | - | - |
| cancelled | refused | refused | refused | refused | nothing | refused | - | - | - | - | - |

(1) and paused, where more is spent than the new cap allows.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from convo_events.commands import CapRun, ControlRun, StartRun
from convo_events.errors import NotFound, Refused
from convo_events.prices import usd
from convo_events.runs import (
    RunCancelled,
    RunCancelRequested,
    RunCapChanged,
    RunCompleted,
    RunFailed,
    RunKicked,
    RunPaused,
    RunPlanned,
    RunResumed,
    RunStarted,
    RunStatus,
)

LifeEvent = (
    RunPlanned
    | RunStarted
    | RunPaused
    | RunResumed
    | RunKicked
    | RunCapChanged
    | RunCancelRequested
    | RunCancelled
    | RunCompleted
    | RunFailed
)


@dataclass(frozen=True, slots=True)
class Control:
    """What the scheduler holds of a run: the will of people, as its row says it."""

    run: str
    status: RunStatus
    epoch: int
    snapshot: str
    target: int
    lanes: int
    not_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Purse:
    """What a run may spend and has spent, in micro-dollars."""

    cap_micro: int | None
    spent_micro: int


@dataclass(frozen=True, slots=True)
class Begin:
    """The time of a queued run has come."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Every planned conversation has its verdict."""


@dataclass(frozen=True, slots=True)
class Block:
    """A step cannot be done until a person acts."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Going on is not worth it, as the config says: what is under way is aborted, what is not made is cancelled."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Closed:
    """All calls of a cancelling run are closed."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """The run cannot go on at all."""

    reason: str
    detail: str


Own = Begin | Finish | Block | Stop | Closed | Abandon
"""What the scheduler itself tells a run."""


def start(command: StartRun, control: Control | None, now: datetime) -> list[LifeEvent]:
    """Plan the run, and begin it where nothing is to be waited for. A run that is there already is left alone."""
    if control is not None:
        return []
    planned = RunPlanned(epoch=0, **command.model_dump(exclude={"type"}))
    waits = command.not_before is not None and command.not_before > now
    return [planned] if waits else [planned, RunStarted(run=command.run, epoch=1)]


def decide(command: ControlRun, control: Control | None, open_threads: int) -> list[LifeEvent]:
    """What a person's command does; nothing where it is done already.

    Raises:
        NotFound: when there is no such run.
        Refused: when the status does not allow it; names the status.
    """
    if control is None:
        raise NotFound(f"there is no run {command.run}")
    run, epoch = control.run, control.epoch + 1
    match command.action, control.status:
        case "start", "queued":
            return [RunStarted(run=run, epoch=epoch)]
        case "pause", "running":
            return [RunPaused(run=run, epoch=epoch, reason="requested")]
        case "resume", "paused":
            return [RunResumed(run=run, epoch=epoch)]
        case "kick", "running":
            return [RunKicked(run=run, epoch=epoch, threads=open_threads)]
        case "cancel", "queued" | "running" | "paused":
            return [RunCancelRequested(run=run, epoch=epoch)]
        case ("start" | "resume", "running") | ("pause", "paused"):
            return []
        case "cancel", "cancelling" | "cancelled":
            return []
        case action, status:
            raise Refused(f"cannot {action} run {run}: it is {status}", state=status)


def decide_cap(command: CapRun, control: Control | None, purse: Purse) -> list[LifeEvent]:
    """What another cap does. A running run that has spent more already is paused.

    Raises:
        NotFound: when there is no such run.
        Refused: when it has ended, or is being cancelled; names the status.
    """
    if control is None:
        raise NotFound(f"there is no run {command.run}")
    run, epoch, cap = control.run, control.epoch + 1, command.spend_cap_micro
    if control.status not in ("queued", "running", "paused"):
        message = f"cannot change the spend cap of run {run}: it is {control.status}"
        raise Refused(message, state=control.status)
    if cap == purse.cap_micro:
        return []
    changed = RunCapChanged(run=run, epoch=epoch, spend_cap_micro=cap)
    if control.status != "running" or cap is None or purse.spent_micro <= cap:
        return [changed]
    detail = (
        f"the spend cap is {usd(cap)} now, and {usd(purse.spent_micro)} is spent: raise it to go on"
    )
    return [changed, RunPaused(run=run, epoch=epoch + 1, reason="spend_cap", detail=detail)]


def decide_own(happening: Own, control: Control) -> list[LifeEvent]:
    """What the scheduler's own observation does; nothing where the status does not ask for it."""
    run, epoch = control.run, control.epoch + 1
    match happening, control.status:
        case Begin(), "queued":
            return [RunStarted(run=run, epoch=epoch)]
        case Finish(), "running":
            return [RunCompleted(run=run, epoch=epoch)]
        case Block(reason, detail), "running":
            return [RunPaused(run=run, epoch=epoch, reason=reason, detail=detail)]
        case Stop(reason, detail), "running":
            return [RunCancelRequested(run=run, epoch=epoch, reason=reason, detail=detail)]
        case Closed(), "cancelling":
            return [RunCancelled(run=run, epoch=epoch)]
        case Abandon(reason, detail), "queued" | "running":
            return [RunFailed(run=run, epoch=epoch, reason=reason, detail=detail)]
        case _:
            return []


def evolve(control: Control | None, event: LifeEvent) -> Control:
    """The control row after an event."""
    if isinstance(event, RunPlanned):
        return Control(
            run=event.run,
            status="queued",
            epoch=event.epoch,
            snapshot=event.snapshot,
            target=event.target,
            lanes=event.lanes,
            not_before=event.not_before,
        )
    if control is None:
        raise ValueError(f"{event.type} before run.planned")
    moved = replace(control, epoch=event.epoch)
    match event:
        case RunStarted() | RunResumed():
            return replace(moved, status="running")
        case RunPaused():
            return replace(moved, status="paused")
        case RunKicked() | RunCapChanged():
            return moved
        case RunCancelRequested():
            return replace(moved, status="cancelling")
        case RunCancelled():
            return replace(moved, status="cancelled")
        case RunCompleted():
            return replace(moved, status="completed")
        case RunFailed():
            return replace(moved, status="failed")
        case _:
            assert_never(event)
