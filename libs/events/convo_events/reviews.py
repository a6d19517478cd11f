"""What people say of conversations after they were made. Reviews stand beside a run's record and never change it."""

from typing import Annotated, Literal

from pydantic import Field

from convo_events.facts import Count, Fact, RunId

Decision = Literal["accepted", "rejected", "flagged", ""]
"""What a person holds of a conversation; empty where nothing was decided, or a decision was withdrawn."""
Reviewer = Annotated[str, Field(min_length=1, max_length=100)]
MOST_NOTE = 4_000
"""Characters of a note."""


class Edit(Fact):
    """A turn with the text that a person gave it."""

    turn: Count
    """Number of the turn, from 0."""
    text: Annotated[str, Field(max_length=200_000)]
    """How it reads now; what was made stays beside it."""


class Opinion(Fact):
    """All that a review says: it stands for itself, whatever was said before."""

    decision: Decision = ""
    """What the reviewer holds of it."""
    reason: Annotated[str, Field(max_length=200)] = ""
    """Why it is rejected or flagged, as a short word or code."""
    note: Annotated[str, Field(max_length=MOST_NOTE)] = ""
    """Free text."""
    edits: Annotated[tuple[Edit, ...], Field(max_length=5_000)] = ()
    """Every turn that reads otherwise than it was made; a turn that is not named is as it was made."""


class ConversationReviewed(Opinion):
    """A person reviewed a conversation. Its verdict, and every count of its run, stay as they were."""

    type: Literal["conversation.reviewed"] = "conversation.reviewed"
    v: Literal[1] = 1
    """Version of this event's shape."""
    run: RunId
    """Id of the run."""
    thread: Count
    """Number of the thread, from 0."""
    conversation: Count
    """Number of the conversation inside the thread, from 0."""
    version: Count
    """Number of this review of the conversation, from 1. The latest one holds."""
    reviewer: str
    """Who."""
