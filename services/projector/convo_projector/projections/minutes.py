"""Verdicts a minute, for the rate and the throughput chart."""

from dataclasses import dataclass, replace
from datetime import datetime

from convo_events.codec import Event
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    Verdict,
)
from convo_projector.stamp import Key, Stamp

TABLE = "run_minute"
KEY = ("run", "minute")


@dataclass(frozen=True, slots=True)
class Row:
    """One minute of one run, by the scheduler's clock."""

    run: str
    minute: datetime
    accepted: int = 0
    rejected: int = 0
    failed: int = 0


def key(event: Event, stamp: Stamp) -> Key | None:
    """The run and the minute of a verdict."""
    if not isinstance(event, Verdict):
        return None
    return (event.run, stamp.at.replace(second=0, microsecond=0))


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The minute with this verdict added."""
    if stamp.late or not isinstance(event, Verdict):
        return row
    row = row or Row(event.run, stamp.at.replace(second=0, microsecond=0))
    return replace(
        row,
        accepted=row.accepted + int(isinstance(event, ConversationAccepted)),
        rejected=row.rejected + int(isinstance(event, ConversationRejected)),
        failed=row.failed + int(isinstance(event, ConversationFailed)),
    )
