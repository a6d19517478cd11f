"""What a rule knows besides the conversation. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypeVar

from convo_events.conversations import Conversation
from convo_events.plan import Draw
from convo_events.words import words


class RuleParameters(BaseModel):
    """What can be set on a rule. Rules without parameters have just this."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


P = TypeVar("P", bound=RuleParameters, default=RuleParameters)
Q = TypeVar("Q", default=None)


@dataclass(frozen=True, slots=True)
class Reading:
    """What all rules need of one conversation, read once."""

    words: tuple[Sequence[str], ...]
    """The folded words of each turn, in order."""
    draw: Draw | None = None
    """What the plan drew for the conversation; None where there is no plan."""

    @classmethod
    def of(cls, conversation: Conversation, draw: Draw | None = None) -> "Reading":
        """Read a conversation."""
        return cls(tuple(words(turn.text) for turn in conversation.turns), draw)


@dataclass(frozen=True, slots=True)
class Context(Generic[P, Q]):
    """What one rule is given with a conversation."""

    parameters: P
    """As the config sets them, defaults filled in."""
    prepared: Q
    """What the rule's own ``prepare`` made of the snapshot; None for rules without one."""
    reading: Reading
    """The conversation's words and draw."""
