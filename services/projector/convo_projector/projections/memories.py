"""What is remembered after an accepted conversation. Rows are written once and never change."""

from dataclasses import dataclass

from convo_events import ids
from convo_events.codec import Event
from convo_events.outcomes import Remembered
from convo_projector.stamp import Key, Stamp

TABLE = "memory"
KEY = ("conversation",)


@dataclass(frozen=True, slots=True)
class Row:
    """What one conversation left to the next ones of its thread."""

    conversation: str
    run: str
    thread: int
    number: int
    body: str
    cut: bool


def rows(event: Event, stamp: Stamp) -> list[tuple[Key, Row]]:
    """The memory of an outcome."""
    if not isinstance(event, Remembered) or stamp.late:
        return []
    name = ids.conversation_id(event.run, event.thread, event.conversation)
    place = (event.run, event.thread, event.conversation)
    return [((name,), Row(name, *place, event.memory, event.cut))]
