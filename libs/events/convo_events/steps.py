"""What the scheduler asks for, and the verdicts it settles. Every one names the leader that wrote it (the fence)."""

from typing import Annotated, Literal

from pydantic import Field

from convo_events.conversations import Hit, Tally
from convo_events.facts import Count, Fact, RunId

StepKind = Literal["generate", "roughen", "filter", "judge", "memory"]
Purpose = Literal["verdict", "comparison", "recheck"]
"""What a judge is asked for: a score that counts, which of two is better, or a score that only measures the judge."""


def _plain(purpose: str) -> bool:
    """Left out where it is written: requests from before there was a choice stay as they were, byte for byte."""
    return purpose == "verdict"


def _first(number: int) -> bool:
    """Likewise."""
    return number == 0


First = Annotated[Count, Field(exclude_if=_first)]
Asked = Annotated[Purpose, Field(exclude_if=_plain)]


class ThreadFact(Fact):
    """What all facts of a thread carry."""

    v: Literal[1] = 1
    """Version of this event's shape."""
    run: RunId
    """Id of the run."""
    thread: Count
    """Number of the thread, from 0."""
    conversation: Count
    """Number of the conversation inside the thread, from 0."""


class Drawn(Fact):
    """What the plan drew for a conversation, as far as lists show it."""

    persona: str
    """Name of the persona."""
    voice: str
    """Name of the voice."""
    turns: Count
    """Planned number of turns."""


class StepRequested(ThreadFact):
    """One step of a thread is due; a worker of its stage takes it."""

    type: Literal["step.requested"] = "step.requested"
    leader: Count
    """Fencing epoch of the scheduler that decided it."""
    epoch: Count
    """Control epoch of the run; a worker drops a request of an older one."""
    step: Count
    """Number of the step inside the thread, from 1."""
    kind: StepKind
    """Stage that does it."""
    turn: Count = 0
    """generate: how many turns there are already."""
    emit: Count
    """How often this step has been requested, from 1."""
    snapshot: str
    """Content hash of what the run froze."""
    draw: Drawn | None = None
    """Set on the first step of a conversation: here it begins."""
    gave_up: str = ""
    """Why the roughening or the memory before it is gone without; empty where nothing was given up."""
    purpose: Asked = "verdict"
    """judge: what is asked for."""
    seat: First = 0
    """judge: who is asked; 0 is the model of the role ``judge``, the panel follows in its order."""
    sample: First = 0
    """judge: which sample of that judge it is, from 0; comparison: 1 has the reference first."""
    retry: First = 0
    """judge: answers to the same question that were of no use before."""
    earlier: Annotated[float | None, Field(exclude_if=lambda score: score is None)] = None
    """recheck: what that judge gave the conversation before, to see whether it agrees with itself."""


class Verdict(ThreadFact):
    """What all verdicts carry. A conversation has exactly one."""

    leader: Count
    """Fencing epoch of the scheduler that decided it."""
    last: bool
    """True for the last conversation of the thread: the thread is closed."""
    tally: Annotated[Tally | None, Field(exclude_if=lambda tally: tally is None)] = None
    """How the judges came to their verdict, where there was more than one answer."""


class ConversationAccepted(Verdict):
    """The conversation passed every layer."""

    type: Literal["conversation.accepted"] = "conversation.accepted"
    score: float | None = None
    """The judge's score; None where the config has no judge."""
    signature: str = ""
    """MinHash band hashes for the near-duplicate index; empty where layer 2 is off."""
    fingerprint: str = Field(default="", exclude_if=lambda text: not text)
    """The same for looks over several runs, as ``step.filtered`` has it."""


class ConversationRejected(Verdict):
    """A layer said no."""

    type: Literal["conversation.rejected"] = "conversation.rejected"
    hit: Hit
    """The first hit in precedence order."""
    also: tuple[Hit, ...] = ()
    """The other hits, in precedence order."""
    score: float | None = None
    """The judge's score, where it was asked."""


class ConversationFailed(Verdict):
    """A step failed for good. Layer 0."""

    type: Literal["conversation.failed"] = "conversation.failed"
    reason: str
    """One of the layer 0 reasons."""
    detail: str = ""
    """What went wrong, for people; never a secret, never a stack trace."""


class LeaderElected(Fact):
    """A scheduler took over; decisions of older leaders that come later in the log are void."""

    type: Literal["leader.elected"] = "leader.elected"
    v: Literal[1] = 1
    """Version of this event's shape."""
    leader: Count
    """The new fencing epoch."""
    instance: str
    """Who took over."""
