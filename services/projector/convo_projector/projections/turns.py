"""The text of every turn. Rows are written once and never change."""

from dataclasses import dataclass

from convo_events import ids
from convo_events.codec import Event
from convo_events.outcomes import Generated
from convo_projector.stamp import Key, Stamp

TABLE = "turn"
KEY = ("conversation", "number")


@dataclass(frozen=True, slots=True)
class Row:
    """One turn."""

    conversation: str
    number: int
    role: str
    body: str
    finish: str


def rows(event: Event, stamp: Stamp) -> list[tuple[Key, Row]]:
    """The new turns of an outcome."""
    if not isinstance(event, Generated) or stamp.late:
        return []
    conversation = ids.conversation_id(event.run, event.thread, event.conversation)
    return [
        ((conversation, number), Row(conversation, number, turn.role, turn.text, event.finish))
        for number, turn in enumerate(event.turns, start=event.first_turn)
    ]
