"""Parts of a run's page that are asked for by themselves."""

from datetime import datetime

from convo_gateway.shapes.counts import Counted, Shape


class Minute(Shape):
    """Verdicts of one minute."""

    minute: datetime
    accepted: int
    rejected: int
    failed: int


class Minutes(Shape):
    """Throughput of a run."""

    items: list[Minute]
    """Oldest first. A minute without a verdict is left out."""
    minutes: Counted
    """How many are here, of those that had a verdict."""


class DiversityPoint(Shape):
    """Distinct-3 at one moment of a run."""

    accepted: int
    """Accepted conversations of the run at that moment."""
    distinct3: float
    """Over the last 100 of them, fewer while there are fewer."""


class DiversityHistory(Shape):
    """Distinct-3 as it went."""

    points: list[DiversityPoint]
    """Oldest first."""
    window: int
    """Conversations that a value is taken over, at most."""
    floor: float | None
    conversations: Counted
    """The last accepted ones that were looked at."""


class FrozenObject(Shape):
    """A catalog object that a run froze, beside what the catalog has now."""

    kind: str
    name: str
    version: int
    """The version that was frozen."""
    latest: int | None
    """Its version now; None where the catalog has no such object."""
    changed: bool
    """Whether its content is another one now."""
    archived: bool


class Frozen(Shape):
    """What a run froze at its start."""

    snapshot: str
    """Content hash over all of it."""
    objects: list[FrozenObject]
    """By kind and name; empty where the run was not started from the catalog."""
