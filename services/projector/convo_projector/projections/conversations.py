"""Every conversation with its verdict and its cost, without its text."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from convo_events import ids
from convo_events.codec import Event
from convo_events.conversations import Hit
from convo_events.outcomes import Filtered, Generated, Judged, StepFact
from convo_events.reasons import Layer
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    StepRequested,
    Verdict,
)
from convo_projector.calls import call_of
from convo_projector.stamp import Key, Stamp

TABLE = "conversation"
KEY = ("id",)
PREVIEW = 120
"""Characters of the first turn that lists show."""


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation."""

    id: str
    run: str
    thread: int
    number: int
    status: str
    reason: str
    layer: int | None
    hit: dict[str, Any] | None
    also: list[dict[str, Any]]
    detail: str
    score: float | None
    criteria: list[dict[str, Any]]
    persona: str
    voice: str
    planned_turns: int
    turns: int
    words: int
    preview: str
    cost_micro: int
    unknown_calls: int
    created_at: datetime
    settled_at: datetime | None
    seq: int
    settled_seq: int | None


def key(event: Event, stamp: Stamp) -> Key | None:
    """The conversation an event belongs to; None for requests that do not begin one."""
    begins = isinstance(event, StepRequested) and event.draw is not None
    if begins or isinstance(event, StepFact | Verdict):
        return (ids.conversation_id(event.run, event.thread, event.conversation),)  # type: ignore[union-attr]
    return None


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The conversation after the event."""
    if row is None:
        begins = isinstance(event, StepRequested) and not stamp.late
        return _begun(event, stamp) if begins and isinstance(event, StepRequested) else None
    row = _charged(row, event)
    if stamp.late or isinstance(event, StepRequested):
        return row
    row = replace(row, seq=stamp.seq)
    match event:
        case Generated():
            first = event.first_turn == 0
            preview = event.turns[0].text[:PREVIEW] if first and event.turns else row.preview
            return replace(row, turns=event.first_turn + len(event.turns), preview=preview)
        case Filtered():
            return replace(row, words=event.words)
        case Judged():
            criteria = [criterion.model_dump() for criterion in event.criteria]
            return replace(row, score=event.score, criteria=criteria)
        case Verdict():
            return _settled(row, event, stamp)
        case _:
            return row


def _begun(event: StepRequested, stamp: Stamp) -> Row | None:
    if event.draw is None:
        return None
    return Row(
        id=ids.conversation_id(event.run, event.thread, event.conversation),
        run=event.run,
        thread=event.thread,
        number=event.conversation,
        status="open",
        reason="",
        layer=None,
        hit=None,
        also=[],
        detail="",
        score=None,
        criteria=[],
        persona=event.draw.persona,
        voice=event.draw.voice,
        planned_turns=event.draw.turns,
        turns=0,
        words=0,
        preview="",
        cost_micro=0,
        unknown_calls=0,
        created_at=stamp.at,
        settled_at=None,
        seq=stamp.seq,
        settled_seq=None,
    )


def _charged(row: Row, event: Event) -> Row:
    call = call_of(event)
    if call is None:
        return row
    unknown = call.basis in ("worst_case", "unpriced")
    known = 0 if unknown else call.cost_micro or 0
    return replace(
        row, cost_micro=row.cost_micro + known, unknown_calls=row.unknown_calls + unknown
    )


def _settled(row: Row, event: Verdict, stamp: Stamp) -> Row:
    row = replace(row, settled_at=stamp.at, settled_seq=stamp.seq)
    match event:
        case ConversationAccepted():
            return replace(row, status="accepted")
        case ConversationRejected():
            return replace(
                row,
                status="rejected",
                reason=event.hit.reason,
                layer=event.hit.layer,
                hit=_json(event.hit),
                also=[_json(hit) for hit in event.also],
                detail=event.hit.detail,
            )
        case ConversationFailed():
            pipeline = int(Layer.PIPELINE)
            return replace(
                row, status="failed", reason=event.reason, layer=pipeline, detail=event.detail
            )
        case _:
            return row


def _json(hit: Hit) -> dict[str, Any]:
    return hit.model_dump(mode="json")
