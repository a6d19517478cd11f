"""Every review of every conversation. Rows are written once and never change."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from convo_events import ids
from convo_events.codec import Event
from convo_events.reviews import ConversationReviewed
from convo_projector.stamp import Key, Stamp

TABLE = "review"
KEY = ("conversation", "version")


@dataclass(frozen=True, slots=True)
class Row:
    """One review."""

    conversation: str
    version: int
    run: str
    thread: int
    number: int
    reviewer: str
    decision: str
    reason: str
    note: str
    edits: list[dict[str, Any]]
    at: datetime
    seq: int


def rows(event: Event, stamp: Stamp) -> list[tuple[Key, Row]]:
    """The review itself."""
    if not isinstance(event, ConversationReviewed):
        return []
    name = ids.conversation_id(event.run, event.thread, event.conversation)
    row = Row(
        conversation=name,
        version=event.version,
        run=event.run,
        thread=event.thread,
        number=event.conversation,
        reviewer=event.reviewer,
        decision=event.decision,
        reason=event.reason,
        note=event.note,
        edits=[edit.model_dump() for edit in event.edits],
        at=stamp.at,
        seq=stamp.seq,
    )
    return [((name, event.version), row)]
