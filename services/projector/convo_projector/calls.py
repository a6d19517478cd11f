"""The call that an event carries, if any."""

from convo_events.codec import Event
from convo_events.outcomes import (
    CallAborted,
    CallLost,
    Compared,
    Generated,
    Judged,
    Remembered,
    Roughened,
    StepBlocked,
    StepDeferred,
    StepFailed,
)
from convo_events.usage import Call


def call_of(event: Event) -> Call | None:
    """The attempt that was booked with this event; None where none was made."""
    match event:
        case Generated() | Roughened() | Compared() | Remembered() | CallLost() | CallAborted():
            return event.call
        case Judged() | StepFailed() | StepDeferred() | StepBlocked():
            return event.call
        case _:
            return None
