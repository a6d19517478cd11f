"""What a projection knows of an event besides its content."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where an event stands in the log."""

    seq: int
    """Its position."""
    at: datetime
    """Its producer's clock."""
    late: bool
    """True where it moves nothing any more; what it cost still counts."""
    charged: bool = False
    """True where it was folded before, as late: what it cost is counted already."""


Key = tuple[str | int | datetime, ...]
"""Primary key of a row."""
