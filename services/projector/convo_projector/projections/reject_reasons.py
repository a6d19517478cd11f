"""How often each reason was recorded: the first hit in precedence order, one a conversation."""

from dataclasses import dataclass, replace

from convo_events.codec import Event
from convo_events.reasons import Layer, precedence
from convo_events.steps import ConversationFailed, ConversationRejected
from convo_projector.stamp import Key, Stamp

TABLE = "reject_count"
KEY = ("run", "reason")


@dataclass(frozen=True, slots=True)
class Row:
    """One reason of one run."""

    run: str
    reason: str
    layer: int
    precedence: int
    n: int


def key(event: Event, stamp: Stamp) -> Key | None:
    """The run and the recorded reason."""
    match event:
        case ConversationRejected():
            return (event.run, event.hit.reason)
        case ConversationFailed():
            return (event.run, event.reason)
        case _:
            return None


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The count with this verdict added."""
    if stamp.late:
        return row
    if row is not None:
        return replace(row, n=row.n + 1)
    match event:
        case ConversationRejected():
            return Row(event.run, event.hit.reason, event.hit.layer, event.hit.precedence, 1)
        case ConversationFailed():
            place = precedence(Layer.PIPELINE, event.reason)
            return Row(event.run, event.reason, int(Layer.PIPELINE), place, 1)
        case _:
            return None
