"""What the gateway asks of the scheduler, and what it answers: request and reply on ``convo.cmd.run``."""

from typing import Annotated, Literal

from pydantic import Field

from convo_events.facts import Count, Fact, Micro, RunId, Utc
from convo_events.reviews import Opinion, Reviewer
from convo_events.runs import RunKind, RunStatus


class StartRun(Fact):
    """Plan a run whose inputs are frozen already, and start it at once or at ``not_before``."""

    type: Literal["start"] = "start"
    run: RunId
    """Id derived from the request's idempotency key: starting twice is starting once."""
    kind: RunKind = "generation"
    name: str
    config: str
    config_version: Count
    mode: str
    snapshot: str
    """Hash of a row in table ``snapshot``."""
    target: Count
    seed: int
    lanes: Count
    estimate_micro: Micro | None
    expected_accepted: float | None
    spend_cap_micro: Micro | None = None
    distinct3_floor: float | None = None
    not_before: Utc | None = None
    language: str = ""


class ControlRun(Fact):
    """Change the life of a run."""

    type: Literal["control"] = "control"
    run: str
    action: Literal["start", "pause", "resume", "kick", "cancel"]


class CapRun(Fact):
    """Give an unfinished run another spend cap, or none."""

    type: Literal["cap"] = "cap"
    run: str
    spend_cap_micro: Annotated[Micro, Field(ge=0)] | None
    """None for no cap."""


class Review(Fact):
    """What a person says of one conversation, knowing all reviews up to ``seen``."""

    thread: Count
    conversation: Count
    seen: Count
    """Version of the latest review that its author saw; 0 where there was none."""
    opinion: Opinion


class ReviewRun(Fact):
    """Review conversations of a run, in this order."""

    type: Literal["review"] = "review"
    run: RunId
    reviewer: Reviewer
    reviews: Annotated[tuple[Review, ...], Field(min_length=1, max_length=500)]


Command = Annotated[StartRun | ControlRun | CapRun | ReviewRun, Field(discriminator="type")]


class ReviewReply(Fact):
    """What became of one review."""

    conversation: str
    """Id."""
    version: Count
    """Of the conversation's latest review now."""
    code: str = ""
    """Empty when taken; otherwise ``changed`` (somebody else reviewed it meanwhile), ``conflict`` (not settled yet),
    ``not_found`` or ``invalid``."""
    message: str = ""
    """For people, where it was refused."""


class Reply(Fact):
    """The scheduler's answer."""

    run: str
    status: RunStatus | None = None
    """Status after the command; None where there is no such run."""
    epoch: Count = 0
    """Control epoch after the command."""
    seq: Count = 0
    """Position of the command's last event in the log; 0 where it changed nothing."""
    threads: Count | None = None
    """kick: threads with an open step that are sent again."""
    reviews: tuple[ReviewReply, ...] = ()
    """review: one for each, in the order they were asked in."""
    code: str = ""
    """Empty when done; otherwise ``conflict``, ``not_found`` or ``unavailable``."""
    message: str = ""
    """For people, where the command was refused."""
