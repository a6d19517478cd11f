"""The text of every turn. Rows are written once, and changed at most once more: when user turns are roughened."""

from dataclasses import dataclass

from convo_events import ids
from convo_events.codec import Event
from convo_events.outcomes import Generated, Roughened
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


@dataclass(frozen=True, slots=True)
class Amendment:
    """What roughening made of a stored turn."""

    conversation: str
    number: int
    text: str | None
    """Its new text; None where it stays."""
    kept: str
    """Why it stays; empty where it has a new text."""


def amendments(event: Event, stamp: Stamp) -> list[Amendment]:
    """What an outcome changes in turns that are stored."""
    if not isinstance(event, Roughened) or stamp.late:
        return []
    name = ids.conversation_id(event.run, event.thread, event.conversation)
    return [
        *(Amendment(name, turn.turn, turn.text, "") for turn in event.rewritten),
        *(Amendment(name, turn.turn, None, turn.why) for turn in event.kept),
    ]
