"""Where each thread stands: what the scheduler reads to decide."""

from dataclasses import dataclass
from datetime import datetime

from convo_events.codec import Event
from convo_events.outcomes import StepFact
from convo_events.steps import StepRequested, Verdict
from convo_events.threads import STATE, ThreadState
from convo_events.threads import applies as thread_applies
from convo_events.threads import evolve as evolve_state
from convo_projector.stamp import Key, Stamp

TABLE = "thread"
KEY = ("run", "thread")


@dataclass(frozen=True, slots=True)
class Row:
    """One thread; ``state`` is the whole of it, the other columns are there to find it."""

    run: str
    thread: int
    phase: str
    epoch: int
    not_before: datetime | None
    at: datetime
    seq: int
    state: ThreadState

    @classmethod
    def read(cls, columns: dict[str, object]) -> "Row":
        """The row as it was stored."""
        state = STATE.validate_python(columns.pop("state"))
        return cls(**columns, state=state)  # type: ignore[arg-type]  # columns are named after the fields


def key(event: Event, stamp: Stamp) -> Key | None:
    """The thread an event belongs to."""
    return (
        (event.run, event.thread) if isinstance(event, StepRequested | StepFact | Verdict) else None
    )


def allows(row: Row | None, event: Event) -> bool:
    """Whether the event is the expected next one of its thread."""
    return thread_applies(row.state if row else None, event)


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The thread after the event."""
    if stamp.late:
        return row
    state = evolve_state(row.state if row else None, event)
    return Row(
        run=state.run,
        thread=state.thread,
        phase=state.phase,
        epoch=state.epoch,
        not_before=state.not_before,
        at=stamp.at,
        seq=stamp.seq,
        state=state,
    )
