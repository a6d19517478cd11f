"""What becomes of one row of an import. Pure."""

from dataclasses import dataclass, field
from typing import Literal

from convo_events.conversations import Turn

ProblemCode = Literal[
    "not_json",
    "not_text",
    "too_long",
    "not_a_conversation",
    "empty",
    "bad_message",
    "bad_role",
    "no_text",
    "tool_call",
    "duplicate",
]
"""Why a row is refused: stable, for counting."""
MOST_TURNS = 5_000
MOST_BYTES = 1_500_000
"""Of the text of a conversation, its system message included, written as JSON: its event has to fit into a message of
the log, which holds 2 MB."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A row that is a conversation."""

    row: int
    """Number of the row in its file, from 1."""
    turns: tuple[Turn, ...]
    """As they are in the row, oldest first; nothing is put in another order or left out."""
    metadata: dict[str, object] = field(default_factory=dict)
    """What else stands in the row, bounded; a leading system message, whole, as ``system``."""
    left_out: tuple[str, ...] = ()
    """Names of fields that were too much to keep; the last is ``…`` where there are more."""
    mended: int = 0
    """Characters that no database holds (NUL, halves of surrogate pairs) and that are U+FFFD now."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that is none."""

    row: int
    code: ProblemCode
    message: str
    """What is wrong, what was expected."""
    pointer: str = ""
    """JSON pointer into the row; empty for all of it."""


Row = Taken | Refused
