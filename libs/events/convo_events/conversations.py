"""Turns and what the filters and the judge found in them."""

from typing import Literal

from pydantic import Field

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


class Overlap(Fact):
    """Words in a row that a turn shares with a turn of another text. Places are characters, one past the last."""

    turn: Count
    """The turn, from 0."""
    start: Count
    end: Count
    other_turn: Count
    """The turn of the neighbour (or the example), from 0."""
    other_start: Count
    other_end: Count


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
    overlaps: tuple[Overlap, ...] = Field(default=(), exclude_if=lambda spans: not spans)
    """Layer 2: passages that both have, weightiest first, at most 20; absent where none are known."""


Compared = Literal["better", "worse", "tie", "undecided", "unparsed"]
"""What comparing a conversation with its reference came to. ``undecided``: the answer changed with the order;
``unparsed``: in one of the orders there was none that could be read."""


class JudgeTally(Fact):
    """What one judge of several, or one with several samples, said of a conversation."""

    judge: str
    """Backend and model, with a slash between them."""
    score: float | None
    """Of its samples, reduced; None where none of them was scored."""
    scored: Count
    """Samples with a score."""
    asked: Count
    """Samples that were asked for; the rest of the planned ones could not have changed the verdict."""


class Tally(Fact):
    """How a verdict of layer 3 came about, where it stands on more than one answer."""

    reducer: str
    """How the samples of a judge became one score."""
    scored: Count
    """Samples with a score, of all judges."""
    planned: Count
    """Samples that the config asks for, of all judges."""
    passing: Count
    """Scored samples at the threshold or above it."""
    judges: tuple[JudgeTally, ...]
    """In the order of their seats."""
    compared: Compared | None = None
    """What the comparison came to; None where there was none."""
