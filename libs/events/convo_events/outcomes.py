"""What steps came back with, and facts about calls that have no outcome."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue

from convo_events.conversations import Hit, Turn
from convo_events.facts import Count, Fact, Micro, Utc
from convo_events.steps import Asked, First, StepRequested, ThreadFact
from convo_events.usage import Call


def _unsaid(value: str | int | None) -> bool:
    """Left out where it is written: events from before it was said stay as they were, byte for byte."""
    return value is None or value == ""


Said = Annotated[str, Field(exclude_if=_unsaid)]


class StepFact(ThreadFact):
    """What all outcomes carry."""

    step: Count
    """Number of the step inside the thread."""

    @classmethod
    def of(cls, asked: StepRequested, **fields: Any) -> Self:
        """The fact about a step that was asked for."""
        return cls(
            run=asked.run,
            thread=asked.thread,
            conversation=asked.conversation,
            step=asked.step,
            **fields,
        )


class Origin(Fact):
    """Where a conversation comes from that was made elsewhere."""

    source: str
    """Id of the import."""
    row: Count
    """Number of the row in its file, from 1."""
    metadata: dict[str, JsonValue] = Field(default={})
    """What else stood in the row, bounded; a leading system message, whole, as ``system``."""
    left_out: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    """Fields of the row that were too much to keep: the first names, each cut; ``…`` stands for more."""


class Generated(StepFact):
    """A model wrote one turn, or in mode ``scripted`` all of them; in mode ``import`` all of them were read."""

    type: Literal["step.generated"] = "step.generated"
    turns: tuple[Turn, ...]
    """New turns, oldest first."""
    first_turn: Count
    """Number of the first new turn, from 0."""
    finish: str
    """``stop``, ``length`` or ``content_filter``."""
    call: Call | None = None
    """The attempt that was paid for; None where the turns were read."""
    origin: Annotated[Origin | None, Field(exclude_if=lambda origin: origin is None)] = None
    """Mode ``import``: where they were read."""


class Rewritten(Fact):
    """A user turn after roughening."""

    turn: Count
    """Number of the turn, from 0."""
    text: str
    """How it stands now; what it was before is kept beside it."""


class Kept(Fact):
    """A user turn whose rewriting was not taken."""

    turn: Count
    """Number of the turn, from 0."""
    why: str
    """What the rewriting would have lost or changed, for people."""


class Roughened(StepFact):
    """User turns were rewritten the way people type."""

    type: Literal["step.roughened"] = "step.roughened"
    rewritten: tuple[Rewritten, ...]
    """Turns with a new text, oldest first."""
    kept: tuple[Kept, ...] = ()
    """Turns that stay as they were, oldest first."""
    call: Call
    """The attempt that was paid for."""


class Remembered(StepFact):
    """What the persona takes from an accepted conversation into the next one of its thread."""

    type: Literal["step.remembered"] = "step.remembered"
    memory: str
    """All that is remembered, earlier conversations included; bounded by the config."""
    cut: bool = False
    """Whether the model wrote more than is kept."""
    call: Call
    """The attempt that was paid for."""


class Filtered(StepFact):
    """The filters looked at a whole conversation."""

    type: Literal["step.filtered"] = "step.filtered"
    hits: tuple[Hit, ...]
    """Everything found, in precedence order; empty for a clean pass."""
    signature: str
    """MinHash band hashes for the near-duplicate index: base 64 of big-endian 32-bit numbers; empty: layer 2 is off."""
    words: Count
    """Words in all turns."""
    looked_at: Count = 0
    """Position in the near-duplicate index up to which accepted conversations were looked at."""
    fingerprint: str = Field(default="", exclude_if=lambda text: not text)
    """For looks over several runs: band hashes in one layout for all, then a sample of the shingles; encoded like the
    signature. Absent where an earlier convo looked."""


class CriterionScore(Fact):
    """What the judge said of one criterion."""

    name: str
    """Name of the criterion."""
    score: float
    """On the rubric's own scale."""
    why: str = ""
    """The judge's reason, as data; at most 1,000 characters."""


class Judged(StepFact):
    """The judge scored the conversation."""

    type: Literal["step.judged"] = "step.judged"
    score: float
    """Weighted mean over the criteria, on the rubric's scale."""
    scale_min: float
    """Lowest possible score."""
    scale_max: float
    """Highest possible score."""
    threshold: float
    """A score under it rejects."""
    criteria: tuple[CriterionScore, ...]
    """Every criterion of the rubric, in its order."""
    call: Call | None = None
    """The attempt that was paid for; None where an earlier verdict was taken from the cache."""
    judge: Said = ""
    """Who judged: backend and model, with a slash between them; empty in events from before it was said."""
    purpose: Asked = "verdict"
    """``recheck``: it only measures the judge, and touches no verdict."""
    earlier: Annotated[float | None, Field(exclude_if=lambda score: score is None)] = None
    """recheck: what that judge gave the conversation before."""
    seat: First = 0
    """Who judged: 0 is the model of the role ``judge``, the panel follows in its order."""
    sample: First = 0
    """Which sample of that judge it is, from 0."""
    note: Said = ""
    """For people, where an overall verdict of the judge's own contradicts its scores; the threshold decides."""
    request: Said = ""
    """Hash of the whole request, where the verdict may serve a later one that is the same."""
    cached_from: Said = ""
    """Conversation whose verdict was taken from the cache; empty where the judge was asked."""
    avoided_micro: Annotated[Micro | None, Field(exclude_if=_unsaid)] = None
    """What that call would have cost; None where it has no price, or was made."""


Side = Literal["candidate", "reference", "tie"]


class Compared(StepFact):
    """The judge said which is better, the conversation or its reference, in one of the two orders."""

    type: Literal["step.compared"] = "step.compared"
    reference: str
    """Example of the prompt set that it was compared with."""
    swapped: bool
    """Whether the reference came first."""
    better: Side
    """What the judge said, whichever letter that was."""
    why: str = ""
    """The judge's reason, as data; at most 1,000 characters."""
    judge: str
    """Backend and model, with a slash between them."""
    call: Call
    """The attempt that was paid for."""


BadAnswer = Literal["", "unparsed", "truncated", "out_of_range", "contradictory", "refused"]


class StepFailed(StepFact):
    """A step came back with nothing usable. The scheduler decides whether it is tried again."""

    type: Literal["step.failed"] = "step.failed"
    reason: str
    """One of the layer 0 reasons."""
    detail: str
    """What went wrong, for people."""
    retryable: bool
    """True where a new try may end otherwise, such as an answer that did not parse."""
    state: Annotated[BadAnswer, Field(exclude_if=_unsaid)] = ""
    """judge: in which way its answer was none; empty elsewhere, and in events from before it was said."""
    call: Call | None = None
    """The attempt, where one was made."""


class StepDeferred(StepFact):
    """The backend asked to wait or was away; the same step is due again later."""

    type: Literal["step.deferred"] = "step.deferred"
    not_before: Utc
    """When it is due again."""
    reason: str
    """``rate_limited``, ``overloaded``, ``timeout``, ``unreachable``, ``malformed``."""
    detail: str = ""
    """For people."""
    counts: bool
    """False where waiting is not a failure (a rate limit); true where it uses up a retry."""
    call: Call | None = None
    """The attempt, where one was made."""


class StepBlocked(StepFact):
    """The step cannot be done until a person acts; the run pauses with the reason and loses nothing."""

    type: Literal["step.blocked"] = "step.blocked"
    reason: Literal["backend_auth", "backend_quota", "backend_model", "spend_cap"]
    """Why."""
    detail: str
    """What to do, for people."""
    epoch: First = 0
    """Control epoch under which the step was asked for; 0 in events from before it was said."""
    call: Call | None = None
    """The attempt, where one was made."""


class CallLost(StepFact):
    """A call was in flight when its worker died; nobody knows whether it was billed."""

    type: Literal["call.lost"] = "call.lost"
    call: Call
    """Booked at its worst case, basis ``worst_case`` (or ``unpriced``)."""


class CallAborted(StepFact):
    """A call was cut by cancel; what it cost is not known exactly."""

    type: Literal["call.aborted"] = "call.aborted"
    call: Call
    """Booked at its worst case unless usage is known."""
