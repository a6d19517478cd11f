"""Facets of the corpus: how many conversations each choice of a filter would leave."""

from convo_gateway.shapes.counts import Shape


class FacetValue(Shape):
    """One choice."""

    value: str
    """As a filter takes it."""
    label: str
    """The name of a run; empty for what is its own name."""
    n: int | None
    """Conversations that have it under all other filters; None where they were not counted."""


class Facet(Shape):
    """One field of the filter."""

    name: str
    exact: bool
    """False where only the first so many conversations were counted: there are at least so many."""
    values: list[FacetValue]
    """The most frequent first, and all that are chosen."""
    left_out: int
    """Values that are not listed."""


class Facets(Shape):
    """What a filter leaves, and what each other choice would."""

    total: int
    """Conversations that the filter leaves."""
    exact: bool
    """False where counting stopped: there are at least so many."""
    of: int
    """All conversations without samples, or those of the chosen sample run."""
    facets: list[Facet]
