"""Reviews of conversations: what people say, and what was said before."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from convo_events.conversations import Hit
from convo_events.reviews import MOST_NOTE, Decision
from convo_gateway.shapes.conversations import ConversationStatus
from convo_gateway.shapes.counts import Input, Shape

Reviewer = Annotated[str, Field(min_length=1, max_length=100, pattern=r"\S")]


class TurnEdit(Input):
    """A turn with another text."""

    turn: Annotated[int, Field(ge=0, lt=2**31)]
    """Number of the turn, from 0."""
    text: Annotated[str, Field(max_length=200_000)]


class EditsWanted(Input):
    """Turns as they would read."""

    edits: Annotated[list[TurnEdit], Field(max_length=5_000)] = Field(default_factory=list)
    """Every turn that reads otherwise than it was made."""


class ReviewWanted(EditsWanted):
    """All that a review says; it stands for itself, whatever was said before."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"reviewer": "Ana", "decision": "flagged", "reason": "tone", "note": "Curt."}
            ]
        }
    )

    reviewer: Reviewer
    decision: Decision = ""
    """Empty withdraws a decision."""
    reason: Annotated[str, Field(max_length=200)] = ""
    """Why it is rejected or flagged, as a short word or code."""
    note: Annotated[str, Field(max_length=MOST_NOTE)] = ""
    despite: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=100)] = Field(
        default_factory=list
    )
    """Reasons of layer 1 that the edited text hits and that the reviewer has seen and lets stand."""


class TurnEdited(Shape):
    """A turn with the text that a person gave it."""

    turn: int
    text: str


class ReviewShown(Shape):
    """One review."""

    version: int
    """From 1, in the order they were made; the latest one holds."""
    reviewer: str
    decision: Decision
    reason: str
    note: str
    edits: list[TurnEdited]
    at: datetime


class Reviews(Shape):
    """What people said of a conversation."""

    conversation: str
    version: int
    """Of the latest review; 0 where there is none. It is the ``ETag``, and ``If-Match`` of the next review."""
    latest: ReviewShown | None
    history: list[ReviewShown]
    """Newest first, at most 100."""


class ReviewTaken(Shape):
    """A review that was recorded."""

    conversation: str
    version: int


class TextChecked(Shape):
    """What layer 1 says of a conversation as it would read."""

    hits: list[Hit]
    """Every rule's first finding, in precedence order; empty where nothing was found."""


class BulkPlace(Input):
    """A conversation to review, and what was known of it."""

    conversation: Annotated[str, Field(min_length=1, max_length=200)]
    seen: Annotated[int, Field(ge=0, lt=2**31)]
    """Version of the latest review that the reviewer saw; 0 where there was none."""


class BulkWanted(Input):
    """The same decision about many conversations. Texts that were edited stay edited."""

    reviewer: Reviewer
    decision: Decision = ""
    reason: Annotated[str, Field(max_length=200)] = ""
    note: Annotated[str, Field(max_length=MOST_NOTE)] = ""
    conversations: Annotated[list[BulkPlace], Field(min_length=1, max_length=500)]


class BulkItem(Shape):
    """What became of one of them."""

    conversation: str
    version: int
    """Of its latest review now."""
    code: Literal["", "changed", "conflict", "not_found", "invalid"]
    """Empty where the review was recorded."""
    message: str


class BulkDone(Shape):
    """What became of all of them, in the order they were asked in."""

    taken: int
    refused: int
    items: list[BulkItem]


class Queued(Shape):
    """A conversation to review, without its text."""

    conversation: str
    part: str
    """What it was sampled for, such as its reason; empty in a queue that is no sample."""
    status: ConversationStatus
    reason: str
    preview: str
    review: Decision
    """Latest decision of anybody."""
    version: int
    """Of the latest review; 0 where there is none."""
    mine: Decision | None
    """What the reviewer that was named decided last; null where they said nothing."""


class Queue(Shape):
    """Conversations to review, in the order to go through them."""

    items: list[Queued]
    """At most 1,000."""
    reviewed: int
    """Of ``of``: with a review of anybody."""
    reviewed_by_you: int
    """Of ``of``: with a review of the reviewer that was named."""
    of: int
    """Conversations of this queue."""
    more: bool
    """Whether the filter has more than fit."""


class PairAgreement(Shape):
    """How far two people agree who both accepted or rejected the same conversations. Flags are left out."""

    first: str
    second: str
    both: int
    """Conversations that both decided."""
    same: int
    """Of ``both``: with the same decision."""
    kappa: float | None
    """Cohen's kappa; null where it is not defined."""
    low: float | None
    """Lower end of its 95 % interval; null where there are too few cases."""
    high: float | None
    why: str
    """Why there is no kappa, or no interval."""


class Agreement(Shape):
    """Every pair of people with conversations in common, most of them first."""

    pairs: list[PairAgreement]
