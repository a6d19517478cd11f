"""Replays: what decides the verdicts of a run, settings that a person tries instead, and what they come to. Pure."""

from typing import Literal

from pydantic import Field

from convo_events.catalog import FilterList, RuleSetting
from convo_events.facts import Fact
from convo_events.snapshot import Snapshot

ReplayStatus = Literal["accepted", "rejected", "failed", "unjudged"]
"""``unjudged``: it would pass the filters, and the judge has never seen it. Neither accepted nor rejected."""


class VerdictSettings(Fact):
    """Everything that turns findings and scores into verdicts."""

    rules: dict[str, RuleSetting] = Field(default={})
    """By reason; a rule that is not named runs with its own defaults."""
    look_again: tuple[str, ...] = ()
    """Rules that look at every conversation again, whatever is recorded of them."""
    filter_lists: tuple[FilterList, ...] = ()
    """In the config's order."""
    near_duplicate: float | None = None
    """Similarity above which a conversation is too near; None: not looked at."""
    example_copy: float | None = None
    """Share of an example above which a conversation is a copy; None: not looked at."""
    threshold: float | None = None
    """A score under it rejects; None: there is no judge."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "VerdictSettings":
        """What a run froze."""
        config = snapshot.config
        return cls(
            rules=config.rules,
            filter_lists=snapshot.filter_lists,
            near_duplicate=config.diversity.near_duplicate,
            example_copy=config.diversity.example_copy,
            threshold=config.judge.threshold if config.judge else None,
        )


class StatusCounts(Fact):
    """Settled conversations by status; they add up to the population."""

    accepted: int
    rejected: int
    failed: int
    unjudged: int


class ReasonShift(Fact):
    """How many conversations have a reason in the run's record, and how many would have it."""

    reason: str
    layer: int
    before: int
    after: int


class FlipCount(Fact):
    """How many conversations go from one status to another, or keep theirs for another reason."""

    was: ReplayStatus
    status: ReplayStatus
    conversations: int


class ReplayCounts(Fact):
    """What a replay came to."""

    before: StatusCounts
    """The run's record."""
    after: StatusCounts
    """With the other settings."""
    reasons: tuple[ReasonShift, ...]
    """By layer, then by reason."""
    flips: tuple[FlipCount, ...]
    """Only what differs from the record, most first."""

    @property
    def flipped(self) -> int:
        """Conversations whose verdict differs from the record, in status or only in reason."""
        return sum(flip.conversations for flip in self.flips)
