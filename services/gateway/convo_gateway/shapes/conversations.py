"""Conversations in lists and one by one."""

from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from convo_events.conversations import Hit
from convo_events.outcomes import CriterionScore
from convo_gateway.shapes.counts import Shape, Tokens
from convo_gateway.shapes.judging import Judgement, TallyShown
from convo_gateway.shapes.runs import LoggedEvent

ConversationStatus = Literal["open", "accepted", "rejected", "failed", "cancelled"]


class ConversationSummary(Shape):
    """A conversation without its text."""

    id: str
    run: str
    thread: int
    number: int
    """Number inside the thread, from 0."""
    status: ConversationStatus
    reason: str
    """Recorded reason; empty where it was not rejected and did not fail."""
    layer: int | None
    score: float | None
    config: str
    mode: str
    language: str
    """Language that the config asks for; empty where it is not known."""
    persona: str
    voice: str
    review: str
    """Latest decision of a person: ``accepted``, ``rejected`` or ``flagged``; empty where nobody has decided."""
    edited: bool
    """Whether a person changed a turn."""
    planned_turns: int
    turns: int
    words: int
    roughened: int
    """User turns that have a roughened text."""
    preview: str
    """Beginning of the first turn."""
    cost_micro: int
    """Known cost of its calls."""
    unknown_calls: int
    created_at: datetime
    settled_at: datetime | None


class ConversationPage(Shape):
    """Conversations in the order that was asked for."""

    items: list[ConversationSummary]
    next_cursor: str | None


class StoredTurn(Shape):
    """One message."""

    number: int
    """From 0."""
    role: Literal["user", "assistant"]
    text: str
    """As filters, judge and exports have it."""
    raw: str | None
    """As it was generated, where it was roughened since."""
    kept: str
    """Why a roughened text was not taken; empty where none was offered."""
    finish: str
    """Why the model stopped: ``stop``, ``length`` or ``content_filter``."""


class TurnPage(Shape):
    """Some turns of a conversation, oldest first."""

    items: list[StoredTurn]


class MemoryKept(Shape):
    """What a persona remembers after an accepted conversation."""

    conversation: str
    """The conversation that it was written after."""
    text: str
    cut: bool
    """Whether the model wrote more than the config lets stand."""


class BookedCall(Shape):
    """One call of the ledger."""

    step: int
    attempt: int
    role: str
    backend: str
    model: str
    state: Literal["started", "finished", "failed", "deferred", "unknown", "aborted"]
    cost_micro: int | None
    """None where it is not known, or not yet."""
    worst_micro: int | None
    """The most it can cost."""
    basis: str | None
    """How the cost was found."""
    provider_cost_micro: int | None
    """What the provider itself said it cost; None where it said nothing."""
    tokens: Tokens | None
    latency_ms: int | None
    """From sending to the last byte; None where it was not measured."""
    started_at: datetime
    ended_at: datetime | None


class ScoreShown(CriterionScore):
    """What the judge said of one criterion, beside what the rubric says of that score."""

    anchor: str = ""
    """What the frozen rubric says a conversation with this score looks like; empty where it says nothing."""


class OriginShown(Shape):
    """The row of a file that a conversation was before it was brought in."""

    source: str
    """Id of the import."""
    name: str | None
    """Of the file; None where what the run froze is not kept."""
    row: int
    """Number of the row in the file, from 1."""
    metadata: dict[str, JsonValue]
    """What else stood in the row; its system message, whole, as ``system``."""
    left_out: list[str]
    """Names of fields that were too much to keep; ``…`` stands for more."""
    is_there: bool
    """Whether the import is still there; what came of it stays without it."""


class Conversation(ConversationSummary):
    """A conversation with everything that is known of it."""

    config_version: int
    snapshot: str
    detail: str
    """Why, for people."""
    hit: Hit | None
    """The recorded reason, with the words that fired it."""
    also: list[Hit]
    """Other hits, in precedence order."""
    criteria: list[ScoreShown]
    """What the first scored sample said of each criterion; empty where no judge was asked."""
    judgements: list[Judgement]
    """Every question to a judge and what came back, oldest first: samples, tries, comparisons, rechecks."""
    tally: TallyShown | None
    """How the verdict came about; None before it, and where it stands on one answer."""
    messages: list[StoredTurn]
    calls: list[BookedCall]
    """Every attempt, oldest first."""
    memory_before: MemoryKept | None
    """What the persona remembered when it began; None where there was nothing to remember."""
    memory_after: MemoryKept | None
    """What is remembered after it; None where it was not accepted, or no conversation follows."""
    memory_gave_up: str
    """Why it left no memory though one was asked for: the next one starts from the memory before it."""
    roughen_gave_up: str
    """Why none of its turns was roughened though the plan says so."""
    origin: OriginShown | None
    """Where it was made, if not here; None where a run made it."""


class Beside(Shape):
    """The conversations before and after one, in the order of a list."""

    previous: str | None
    """The one above it: newer."""
    next: str | None
    """The one below it: older."""


class Drawn(Shape):
    """What the plan drew for a conversation."""

    persona: str
    voice: str
    pools: dict[str, str]
    """Pool to the value drawn."""
    turns: int
    seed: int
    visit: int
    """Mode ``sessions``: which conversation of its persona's thread it is, from 1; else 1."""
    roughen: bool
    """Whether its user turns are roughened."""


class PromptUsed(Shape):
    """A segment of the prompt set as it was sent: the system message of a call."""

    role: str
    """Who was prompted with it."""
    segment: str
    turns: list[int]
    """Turns that were written from it, from 0; empty for a script, the roughening, the judge and the memory."""
    text: str


class PromptsUsed(Shape):
    """The plan and the prompts of a conversation, from what its run froze."""

    drawn: Drawn
    prompts: list[PromptUsed]


class ConversationEvents(Shape):
    """What the archive has of a conversation."""

    items: list[LoggedEvent]
    """Oldest first."""
