"""A conversation beside what it is too near to."""

from typing import Literal

from convo_events.conversations import Overlap
from convo_gateway.shapes.counts import Shape


class TextSpan(Shape):
    """Characters of a turn, from 0; ``end`` is one past the last."""

    start: int
    end: int


class ComparedTurn(Shape):
    """One turn, as far as it is shown."""

    number: int
    """From 0."""
    role: Literal["user", "assistant"]
    text: str
    cut: bool
    """Whether the turn is longer."""
    template: list[TextSpan]
    """Words that were left out of the comparison, as the prompt has them."""


class ComparedSide(Shape):
    """Turns of one of the two, oldest first."""

    turns: list[ComparedTurn]
    of: int
    """How many it has."""


class Alike(Shape):
    """Why a conversation was too near to another one, or to an example: both side by side."""

    conversation: str
    reason: str
    detail: str
    similarity: float | None
    """Share of three-word runs in both, 0 to 1; of an example: the share of its own."""
    limit: float | None
    """Above which it is too near, as its run was frozen; None where that is not known."""
    kind: Literal["conversation", "example"]
    neighbour: str
    """Id of the conversation, or name of the example."""
    neighbour_run: str | None
    """The other conversation's run; None for an example, and where it is in this database no more."""
    prompt_set: str
    """Where an example is from."""
    overlaps: list[Overlap]
    """Words in a row that both have, weightiest first; at most 20."""
    worked_out: bool
    """Whether the overlaps were found now, because the verdict kept no more than one place."""
    mine: ComparedSide
    theirs: ComparedSide
