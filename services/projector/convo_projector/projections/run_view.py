"""The page of a run: its life and its counters. accepted + rejected + failed + cancelled + open = target, always."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from convo_events.codec import Event
from convo_events.outcomes import StepBlocked
from convo_events.reviews import ConversationReviewed
from convo_events.runs import (
    FINAL,
    RunCancelled,
    RunCancelRequested,
    RunCapChanged,
    RunCompleted,
    RunFact,
    RunFailed,
    RunKicked,
    RunPaused,
    RunPlanned,
    RunResumed,
    RunStarted,
)
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    StepRequested,
    ThreadFact,
)
from convo_projector.stamp import Key, Stamp

TABLE = "run_view"
KEY = ("run",)


@dataclass(frozen=True, slots=True)
class Row:
    """One run."""

    run: str
    kind: str
    name: str
    config: str
    config_version: int
    mode: str
    snapshot: str
    target: int
    seed: int
    lanes: int
    status: str
    reason: str
    detail: str
    epoch: int
    estimate_micro: int | None
    expected_accepted: float | None
    spend_cap_micro: int | None
    distinct3_floor: float | None
    not_before: datetime | None
    planned_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    generated: int
    accepted: int
    rejected: int
    failed: int
    cancelled: int
    opened: int
    closed: int
    blocked_reason: str
    blocked_detail: str
    seq: int
    language: str = ""
    floor_paused_at: int | None = None
    resumed_seq: int = 0

    @property
    def settled(self) -> int:
        """Conversations that have their verdict."""
        return self.accepted + self.rejected + self.failed


def key(event: Event, stamp: Stamp) -> Key | None:
    """The run an event belongs to. A review changes nothing of it, but the corpus tells a conversation with its run."""
    told = RunFact | ThreadFact | ConversationReviewed
    return (event.run,) if isinstance(event, told) else None


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The run after the event; None where the event is about a run that was never planned."""
    if isinstance(event, RunPlanned):
        return _planned(event, stamp)
    if row is None or stamp.late:
        return row
    if isinstance(event, RunFact):
        return replace(row, epoch=event.epoch, seq=stamp.seq, **_life(row, event, stamp))
    changed = _progress(row, event)
    # What moves no counter leaves the row alone: most events do.
    return replace(row, seq=stamp.seq, **changed) if changed else row


def allows(row: Row | None, event: Event) -> bool:
    """Whether the run's life lets the event count; an event that it does not is late."""
    if isinstance(event, RunPlanned):
        return row is None
    if row is None or row.status in FINAL:
        return False
    return not isinstance(event, RunFact) or event.epoch > row.epoch


def _planned(event: RunPlanned, stamp: Stamp) -> Row:
    return Row(
        run=event.run,
        kind=event.kind,
        name=event.name,
        config=event.config,
        config_version=event.config_version,
        mode=event.mode,
        snapshot=event.snapshot,
        target=event.target,
        seed=event.seed,
        lanes=event.lanes,
        status="queued",
        reason="",
        detail="",
        epoch=event.epoch,
        estimate_micro=event.estimate_micro,
        expected_accepted=event.expected_accepted,
        spend_cap_micro=event.spend_cap_micro,
        distinct3_floor=event.distinct3_floor,
        not_before=event.not_before,
        planned_at=stamp.at,
        started_at=None,
        ended_at=None,
        generated=0,
        accepted=0,
        rejected=0,
        failed=0,
        cancelled=0,
        opened=0,
        closed=0,
        blocked_reason="",
        blocked_detail="",
        seq=stamp.seq,
        language=event.language,
    )


def _life(row: Row, event: RunFact, stamp: Stamp) -> dict[str, Any]:
    """The fields that a fact of the run's life changes."""
    match event:
        case RunStarted():
            return {"status": "running", "started_at": stamp.at}
        case RunPaused():
            why = {"reason": event.reason, "detail": event.detail}
            at = {"floor_paused_at": row.accepted} if event.reason == "diversity_floor" else {}
            return {"status": "paused"} | why | at
        case RunResumed():
            cleared = {"blocked_reason": "", "blocked_detail": ""}
            told = {"reason": "", "detail": "", "resumed_seq": stamp.seq}
            return {"status": "running"} | told | cleared
        case RunKicked():
            return {}
        case RunCapChanged():
            return {"spend_cap_micro": event.spend_cap_micro} | _room_again(row)
        case RunCancelRequested():
            # Of its own accord convo says why; a person's cancel leaves what was said last.
            why = {"reason": event.reason, "detail": event.detail} if event.reason else {}
            return {"status": "cancelling"} | why
        case RunCancelled():
            return _ended("cancelled", row, stamp)
        case RunCompleted():
            return {"status": "completed", "ended_at": stamp.at}
        case RunFailed():
            why = {"reason": event.reason, "detail": event.detail}
            return _ended("failed", row, stamp) | why
        case _:
            raise TypeError(f"{type(event).__name__} has no place in the life of a run")


def _room_again(row: Row) -> dict[str, Any]:
    """A step that the old cap blocked is asked for again under the new one."""
    free = {"blocked_reason": "", "blocked_detail": ""} if row.blocked_reason == "spend_cap" else {}
    if row.status == "paused" and row.reason == "spend_cap":
        free["detail"] = "the spend cap was changed; resume the run to go on"
    return free


def _ended(status: str, row: Row, stamp: Stamp) -> dict[str, Any]:
    """What is still open when a run ends early is cancelled."""
    return {"status": status, "ended_at": stamp.at, "cancelled": row.target - row.settled}


def _progress(row: Row, event: Event) -> dict[str, Any]:
    """The counters that an event of a thread moves."""
    match event:
        case StepRequested(step=1, emit=1):
            return {"opened": row.opened + 1}
        case StepRequested(kind="filter", emit=1):
            # The filters are asked once a conversation: then its generation is finished.
            return {"generated": row.generated + 1}
        case StepBlocked(epoch=epoch) if epoch and epoch < row.epoch:
            # It was asked for before somebody acted, and is asked for again.
            return {}
        case StepBlocked():
            return {"blocked_reason": event.reason, "blocked_detail": event.detail}
        case ConversationAccepted():
            return {"accepted": row.accepted + 1, "closed": row.closed + int(event.last)}
        case ConversationRejected():
            return {"rejected": row.rejected + 1, "closed": row.closed + int(event.last)}
        case ConversationFailed():
            return {"failed": row.failed + 1, "closed": row.closed + int(event.last)}
        case _:
            return {}
