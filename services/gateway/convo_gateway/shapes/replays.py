"""Replays of runs with other settings, and the verdict sets that were kept of them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from convo_events.catalog import Name
from convo_events.replays import FlipCount, ReasonShift, ReplayStatus, StatusCounts
from convo_gateway.shapes.counts import Counted, Input, Shape

Phrase = Annotated[str, Field(min_length=1, max_length=500)]
Parameter = bool | int | float | str | list[Annotated[str, Field(max_length=500)]] | None
RuleName = Annotated[str, Field(max_length=100)]
ReplayState = Literal["waiting", "running", "done", "failed"]


class RuleChange(Input):
    """A rule that looks at every conversation again, or is left out."""

    enabled: bool = True
    """False: what it found does not count."""
    parameters: dict[str, Parameter] = Field(default={}, max_length=50)
    """Over those of the run; null takes the rule's own default."""


class FilterListChange(Input):
    """Another filter list."""

    latest: bool = False
    """As it stands in the catalog today; else as the run froze it."""
    add: list[Phrase] = Field(default=[], max_length=10_000)
    """Phrases on top."""
    remove: list[Phrase] = Field(default=[], max_length=10_000)
    """Phrases that are left out."""
    left_out: bool = False
    """The list does not count at all."""


class ReplayChanges(Input):
    """What is tried instead of the run's own settings. What is not named stays as the run had it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"threshold": 3.5, "rules": {"stage_direction": {"enabled": False}}},
                {"config": "support-en", "near_duplicate": 0.6},
            ]
        }
    )

    config: Name | None = None
    """As this run config stands today; what else is named here goes on top."""
    threshold: float | None = None
    """Of the judge; null: no judge."""
    rules: dict[RuleName, RuleChange] = Field(default={}, max_length=200)
    """By reason. A rule that is named looks at all conversations again, as it is in this version of convo."""
    filter_lists: dict[Name, FilterListChange] = Field(default={}, max_length=100)
    """By name."""
    near_duplicate: Annotated[float, Field(gt=0.3, le=1)] | None = None
    """Similarity above which a conversation is too near to an accepted one; null: not looked at."""
    example_copy: Annotated[float, Field(gt=0, le=1)] | None = None
    """Share of an example above which a conversation is a copy; null: not looked at."""


class ReplayResult(Shape):
    """What the verdicts would be."""

    population: Counted
    """Conversations of the run that have a verdict; all other numbers add up to it."""
    before: StatusCounts
    """The run's record."""
    after: StatusCounts
    """``unjudged``: would pass the filters, and the judge was not asked, or not for every sample that would now count.

    Never counted as accepted.
    """
    reasons: tuple[ReasonShift, ...]
    """By layer, then by reason."""
    flips: tuple[FlipCount, ...]
    """What differs from the record, most first; the same status twice is another reason."""
    flipped: int
    """All of these together."""


class Replay(Shape):
    """A run's verdicts with other settings. The run's own record stays as it is."""

    id: str
    run: str
    state: ReplayState
    phase: str
    """``reading`` what is recorded, ``comparing`` conversations with each other; empty before it begins."""
    looked_at: int
    """Conversations of this phase that are through."""
    total: int
    """Conversations of this phase."""
    changes: dict[str, JsonValue]
    """As they were asked for: only what was named."""
    notes: list[str]
    """What a replay cannot show of these changes, or shows in part."""
    problem: str
    """Why it failed."""
    result: ReplayResult | None
    """None until it is done."""
    verdict_set: str | None
    """Name under which it was kept."""
    created_at: datetime
    began_at: datetime | None
    ended_at: datetime | None


class Replays(Shape):
    """The last replays of a run."""

    items: list[Replay]
    """Newest first."""


class Flip(Shape):
    """A conversation whose verdict differs from the run's record."""

    conversation: str
    preview: str
    """Beginning of its first turn."""
    score: float | None
    """Of the judge; None where it gave none."""
    was_status: ReplayStatus
    was_reason: str
    was_layer: int | None
    was_detail: str
    status: ReplayStatus
    reason: str
    layer: int | None
    detail: str


class FlipPage(Shape):
    """Conversations that flip, in the order in which the run settled them."""

    items: list[Flip]
    next_cursor: str | None


class KeepReplay(Input):
    """Keep what a replay came to."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "threshold-3.5"}]})

    name: Name
    """No other verdict set of the run may have it."""


class VerdictSet(Shape):
    """Verdicts of a run beside its own record, under a name."""

    id: str
    run: str
    name: str
    changes: dict[str, JsonValue]
    """As they were asked for: only what was named."""
    created_at: datetime
    result: ReplayResult
    """What it came to when it was made. A conversation settled later has the verdict of the record."""


class VerdictSets(Shape):
    """All verdict sets of a run."""

    items: list[VerdictSet]
    """By name."""
