"""The call that an event carries, if any."""

from typing import cast, get_args

from pydantic import BaseModel

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

_PAID = (
    Generated
    | Roughened
    | Compared
    | Remembered
    | CallLost
    | CallAborted
    | Judged
    | StepFailed
    | StepDeferred
    | StepBlocked
)
_TYPES: frozenset[type[BaseModel]] = frozenset(get_args(_PAID))


def call_of(event: Event) -> Call | None:
    """The attempt that was booked with this event; None where none was made."""
    # By its own class: to try one class after another costs more than all that is done with the call.
    return cast(_PAID, event).call if type(event) in _TYPES else None
