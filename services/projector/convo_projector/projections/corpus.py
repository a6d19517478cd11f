"""What the corpus is filtered and sorted by: one narrow row a conversation, made of its row and its run's.

Numbers are known from the verdict on, so that a conversation under way changes its row at most when it begins and ends.
"""

from dataclasses import dataclass
from datetime import datetime

from convo_projector.projections import conversations, run_view

TABLE = "corpus"
KEY = ("id",)
UNSETTLED = frozenset({"open", "cancelled"})
"""Statuses without a verdict."""


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation."""

    id: str
    run: str
    sample: bool
    config: str
    mode: str
    language: str
    status: str
    reason: str
    layer: int | None
    persona: str
    voice: str
    review: str
    edited: bool
    turns: int | None
    words: int | None
    score: float | None
    cost_micro: int | None
    created_at: datetime


def row_of(conversation: conversations.Row, run: run_view.Row) -> Row:
    """The row of a conversation of a run. What nobody knows is None, never 0."""
    settled = conversation.status not in UNSETTLED
    read = conversation.words > 0 or conversation.turns == 0
    priced = conversation.cost_micro > 0 or conversation.unknown_calls == 0
    return Row(
        id=conversation.id,
        run=conversation.run,
        sample=run.kind == "sample",
        config=run.config,
        mode=run.mode,
        language=run.language,
        status=conversation.status,
        reason=conversation.reason,
        layer=conversation.layer,
        persona=conversation.persona,
        voice=conversation.voice,
        review=conversation.review,
        edited=conversation.edited,
        turns=conversation.turns if settled else None,
        words=conversation.words if settled and read else None,
        score=conversation.score if settled else None,
        cost_micro=conversation.cost_micro if settled and priced else None,
        created_at=conversation.created_at,
    )
