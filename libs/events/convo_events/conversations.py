"""Turns and what the filters and the judge found in them."""

from typing import Literal

from convo_events.facts import Count, Fact

Role = Literal["user", "assistant"]


class Turn(Fact):
    """One message of a conversation."""

    role: Role
    """Who speaks."""
    text: str
    """What was said, as it is stored and exported."""


class Conversation(Fact):
    """What a rule or the judge looks at: the turns, oldest first."""

    turns: tuple[Turn, ...]
    """Oldest first; numbered from 0."""
    finish: str = "stop"
    """Why the model stopped on the last generated turn: ``stop``, ``length`` or ``content_filter``."""
    planned_turns: Count = 0
    """How many turns the plan asked for; 0 where it asked for none."""
    language: str = "en"
    """BCP 47 code of the language that the config asks for."""


class Hit(Fact):
    """One reason found by a filter, with the words that fired it."""

    reason: str
    """Stable code, such as ``stage_direction``."""
    layer: Count
    """1 mechanical or 2 diversity."""
    precedence: Count
    """Place inside the layer; lower wins."""
    turn: int | None = None
    """The turn it was found in, from 0; None for the conversation as a whole."""
    start: int | None = None
    """First character of the span inside the turn, from 0."""
    end: int | None = None
    """One past the last character of the span."""
    excerpt: str = ""
    """The words that fired it, at most 200 characters, cut between characters."""
    detail: str = ""
    """What a person needs to know to agree or disagree."""
    neighbour: str | None = None
    """Layer 2: the id of the accepted conversation (or the name of the example) it is too near to."""
    similarity: float | None = None
    """Layer 2: true similarity to the neighbour, 0 to 1."""
