"""Where each conversation comes from that was made elsewhere. Rows are written once and never change."""

from dataclasses import dataclass
from typing import Any

from convo_events import ids
from convo_events.codec import Event
from convo_events.outcomes import Generated
from convo_projector.stamp import Key, Stamp

TABLE = "origin"
KEY = ("conversation",)


@dataclass(frozen=True, slots=True)
class Row:
    """The row of a file that one conversation was."""

    conversation: str
    source: str
    row: int
    metadata: dict[str, Any]
    left_out: list[str]


def rows(event: Event, stamp: Stamp) -> list[tuple[Key, Row]]:
    """The origin of a conversation that was read."""
    if not isinstance(event, Generated) or event.origin is None or stamp.late:
        return []
    name = ids.conversation_id(event.run, event.thread, event.conversation)
    origin = event.origin
    row = Row(name, origin.source, origin.row, dict(origin.metadata), list(origin.left_out))
    return [((name,), row)]
