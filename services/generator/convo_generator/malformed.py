"""An answer that is no turn and no script: what was wrong with it, for people."""

from dataclasses import dataclass

from convo_models.answers import storable

DETAIL_LIMIT = 300
"""Most characters of a detail."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """The model answered, but not with what was asked for."""

    detail: str
    """What was wrong with the answer, at most ``DETAIL_LIMIT`` characters."""


def malformed(detail: str) -> Malformed:
    """A ``Malformed`` whose detail is cut to its limit."""
    detail = storable(detail)
    return Malformed(detail if len(detail) <= DETAIL_LIMIT else detail[: DETAIL_LIMIT - 1] + "…")
