"""Layers, and the reasons that are not rules.

A reason is a stable code with a layer and a precedence. The recorded reason of a conversation is its first hit in
precedence order: layer first, then the number inside the layer. Rules of layer 1 carry their own precedence in their
own file and announce it with every hit, so nothing here lists them.
"""

from enum import IntEnum


class Layer(IntEnum):
    """Who set a reason."""

    PIPELINE = 0
    """A generation or pipeline step failed; counts under Failed."""
    MECHANICAL = 1
    """A mechanical rule of the filters."""
    DIVERSITY = 2
    """Too near to an accepted conversation, or a copy of an example."""
    JUDGE = 3
    """The judge's score."""


PIPELINE_REASONS: tuple[str, ...] = (
    "generation_failed",
    "backend_refused",
    "malformed_output",
    "context_exceeded",
    "judge_failed",
    "judge_unparsed",
    "judge_truncated",
    "spend_cap",
    "pipeline_failed",
)
"""Layer 0, in precedence order."""

DIVERSITY_REASONS: tuple[str, ...] = ("near_duplicate", "example_copy")
"""Layer 2, in precedence order."""

JUDGE_REASONS: tuple[str, ...] = ("judge_below_threshold", "judge_worse_than_reference")
"""Layer 3, in precedence order."""


def precedence(layer: Layer, reason: str) -> int:
    """The place of a reason that is not a rule inside its layer, from 1; after all others where unknown."""
    listed = {
        Layer.PIPELINE: PIPELINE_REASONS,
        Layer.DIVERSITY: DIVERSITY_REASONS,
        Layer.JUDGE: JUDGE_REASONS,
    }.get(layer, ())
    return listed.index(reason) + 1 if reason in listed else 999
