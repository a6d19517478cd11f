"""How alike accepted conversations are, as answers of the API."""

from typing import Literal

from convo_events.conversations import Role
from convo_gateway.shapes.counts import Counted, Shape

Over = Literal["last", "all"]


class Grams(Shape):
    """Word n-grams, and how many of them are different."""

    n: int
    distinct: float | None
    """Different over all; None where there are none."""
    different: int
    total: int
    estimated: bool
    """Whether ``different`` is an estimate; ``total`` is always exact."""
    standard_error: float | None
    """Of an estimate, relative: two of three are nearer than this to the truth, 19 of 20 than twice of it."""


class LengthBin(Shape):
    """Turns of about the same length."""

    fewest: int
    """Words."""
    most: int | None
    """Words; None for no end."""
    turns: int


class RoleLengths(Shape):
    """Words a turn of one role. In scripts without spaces every character is a word."""

    role: Role
    turns: int
    mean: float | None
    longest: int
    bins: list[LengthBin]
    """Shortest first; always the same ones."""


class Opening(Shape):
    """First words, and how many conversations begin a role's first turn with them."""

    phrase: str
    at_least: int
    at_most: int
    """The same where the count is exact."""


class RoleOpenings(Shape):
    """How the first turns of one role begin."""

    role: Role
    conversations: int
    """Conversations in which the first turn of this role has any words."""
    phrases: list[Opening]
    """The most frequent ones, those first."""


class SelfSimilarity(Shape):
    """How near conversations are to each other: true Jaccard similarity of masked word 3-grams, as in layer 2."""

    conversations: Counted
    """That were compared, each with each: the last accepted, or a sample of all of them."""
    pairs: int
    mean: float | None
    """Over all pairs; None where there is no pair."""
    highest: float | None
    between: list[str]
    """Ids of the nearest two; empty where there is no pair."""
    nearest: list[int]
    """Conversations by the similarity to the nearest one before them, in ten bins from 0 to 1. The first has none."""
    limit: float | None
    """Near-duplicate limit of the config; None where it is off."""


class Distributions(Shape):
    """What accepted conversations have in common."""

    over: Over
    conversations: Counted
    """That were counted."""
    grams: list[Grams]
    """For n = 1, 2, 3."""
    lengths: list[RoleLengths]
    """User first."""
    openings: list[RoleOpenings]
    """User first."""
    similarity: SelfSimilarity
