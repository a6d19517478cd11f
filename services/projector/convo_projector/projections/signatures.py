"""The near-duplicate index: band hashes of what was accepted. Rows are written once and never change."""

from dataclasses import dataclass

from convo_events import ids
from convo_events.codec import Event
from convo_events.similarity import decode_signature
from convo_events.steps import ConversationAccepted
from convo_projector.stamp import Key, Stamp

TABLE = "accepted_signature"
KEY = ("conversation",)


@dataclass(frozen=True, slots=True)
class Row:
    """One accepted conversation."""

    conversation: str
    run: str
    bands: list[int]


def rows(event: Event, stamp: Stamp) -> list[tuple[Key, Row]]:
    """The index entry of an accepted conversation; none where layer 2 is off."""
    if not isinstance(event, ConversationAccepted) or stamp.late or not event.signature:
        return []
    conversation = ids.conversation_id(event.run, event.thread, event.conversation)
    return [
        ((conversation,), Row(conversation, event.run, list(decode_signature(event.signature))))
    ]
