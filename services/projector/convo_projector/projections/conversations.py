"""Every conversation with its verdict and its cost, without its text."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from convo_events import ids
from convo_events.codec import Event
from convo_events.conversations import Hit
from convo_events.outcomes import Filtered, Generated, Judged, Roughened, StepFact
from convo_events.reasons import Layer
from convo_events.reviews import ConversationReviewed
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
    roughened: int = 0
    roughen_gave_up: str = ""
    memory_gave_up: str = ""
    review: str = ""
    edited: bool = False
    review_version: int = 0
    tally: dict[str, Any] | None = None


def key(event: Event, stamp: Stamp) -> Key | None:
    """The conversation an event belongs to; None for requests that say nothing of it."""
    says = isinstance(event, StepRequested) and (event.draw is not None or event.gave_up)
    if says or isinstance(event, StepFact | Verdict | ConversationReviewed):
        return (ids.conversation_id(event.run, event.thread, event.conversation),)  # type: ignore[union-attr]
    return None


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The conversation after the event."""
    if row is None:
        begins = isinstance(event, StepRequested) and not stamp.late
        return _begun(event, stamp) if begins and isinstance(event, StepRequested) else None
    changed = {} if stamp.charged else _charge(row, event)
    progress = {} if stamp.late else _progress(row, event, stamp)
    if progress or not (stamp.late or isinstance(event, StepRequested)):
        changed |= {"seq": stamp.seq} | progress
    return replace(row, **changed) if changed else row


def _progress(row: Row, event: Event, stamp: Stamp) -> dict[str, Any]:
    """The fields that an outcome or a verdict changes."""
    match event:
        case Generated():
            first = event.first_turn == 0 and bool(event.turns)
            preview = event.turns[0].text[:PREVIEW] if first else row.preview
            return {"turns": event.first_turn + len(event.turns), "preview": preview}
        case Roughened():
            shown = [turn.text for turn in event.rewritten if turn.turn == 0]
            preview = shown[0][:PREVIEW] if shown else row.preview
            return {"roughened": len(event.rewritten), "preview": preview}
        case StepRequested(draw=None):
            return {"roughen_gave_up": event.gave_up}
        case Filtered():
            return {"words": event.words}
        case Judged():
            return _judged(row, event)
        case Verdict():
            return _settled(event, stamp)
        case ConversationReviewed():
            return _reviewed(row, event)
        case _:
            return {}


def _reviewed(row: Row, event: ConversationReviewed) -> dict[str, Any]:
    """The latest review holds; the verdict stays what it is."""
    if event.version <= row.review_version:
        return {}
    return {
        "review": event.decision,
        "edited": bool(event.edits),
        "review_version": event.version,
    }


def _judged(row: Row, event: Judged) -> dict[str, Any]:
    """The first score is shown until the verdict says what all of them come to; a recheck is none of them."""
    if event.purpose != "verdict" or row.score is not None:
        return {}
    criteria = [criterion.model_dump() for criterion in event.criteria]
    return {"score": event.score, "criteria": criteria}


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
        memory_gave_up=event.gave_up,
    )


def _charge(row: Row, event: Event) -> dict[str, Any]:
    call = call_of(event)
    if call is None:
        return {}
    unknown = call.basis in ("worst_case", "unpriced")
    known = 0 if unknown else call.cost_micro or 0
    return {
        "cost_micro": row.cost_micro + known,
        "unknown_calls": row.unknown_calls + int(unknown),
    }


def _settled(event: Verdict, stamp: Stamp) -> dict[str, Any]:
    settled: dict[str, Any] = {"settled_at": stamp.at, "settled_seq": stamp.seq}
    if event.tally is not None:
        settled["tally"] = event.tally.model_dump(mode="json")
    if isinstance(event, ConversationAccepted | ConversationRejected) and event.score is not None:
        settled["score"] = event.score
    match event:
        case ConversationRejected():
            return settled | {
                "status": "rejected",
                "reason": event.hit.reason,
                "layer": event.hit.layer,
                "hit": _json(event.hit),
                "also": [_json(hit) for hit in event.also],
                "detail": event.hit.detail,
            }
        case ConversationFailed():
            failed = {"status": "failed", "layer": int(Layer.PIPELINE)}
            return settled | failed | {"reason": event.reason, "detail": event.detail}
        case _:
            return settled | {"status": "accepted"}


def _json(hit: Hit) -> dict[str, Any]:
    return hit.model_dump(mode="json")
