"""Reviews of conversations: what people say, and what was said before."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from convo_events.conversations import Hit
from convo_events.reviews import MOST_NOTE, Decision
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
