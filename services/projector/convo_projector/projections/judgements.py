"""What the judges were asked about each conversation and what they said, one row a step."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from convo_events import ids
from convo_events.codec import Event
from convo_events.outcomes import Compared, Judged, StepFailed
from convo_events.steps import StepRequested
from convo_projector.stamp import Key, Stamp

TABLE = "judgement"
KEY = ("conversation", "step")


@dataclass(frozen=True, slots=True)
class Row:
    """One question to a judge, with its answer."""

    conversation: str
    step: int
    run: str
    purpose: str
    seat: int
    sample: int
    at: datetime
    seq: int
    judge: str = ""
    state: str = "asked"
    score: float | None = None
    better: str = ""
    criteria: list[dict[str, Any]] | tuple[()] = ()
    why: str = ""
    reason: str = ""
    detail: str = ""
    note: str = ""
    cached_from: str = ""
    avoided_micro: int | None = None


def key(event: Event, stamp: Stamp) -> Key | None:
    """The step, where a judge may have been asked in it."""
    if not isinstance(event, StepRequested | Judged | Compared | StepFailed):
        return None
    if isinstance(event, StepRequested) and event.kind != "judge":
        return None
    return (ids.conversation_id(event.run, event.thread, event.conversation), event.step)


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The question with its answer."""
    if stamp.late:
        return row
    if row is None:
        return _asked(event, stamp) if isinstance(event, StepRequested) else None
    answer = _answer(event)
    return replace(row, at=stamp.at, seq=stamp.seq, **answer) if answer else row


def _asked(event: StepRequested, stamp: Stamp) -> Row:
    return Row(
        conversation=ids.conversation_id(event.run, event.thread, event.conversation),
        step=event.step,
        run=event.run,
        purpose=event.purpose,
        seat=event.seat,
        sample=event.sample,
        at=stamp.at,
        seq=stamp.seq,
    )


def _answer(event: Event) -> dict[str, Any]:
    match event:
        case Judged():
            return {
                "state": "scored",
                "judge": event.judge or _caller(event),
                "score": event.score,
                "criteria": [criterion.model_dump() for criterion in event.criteria],
                "note": event.note,
                "cached_from": event.cached_from,
                "avoided_micro": event.avoided_micro,
            }
        case Compared():
            said = {"better": event.better, "why": event.why, "judge": event.judge}
            return {"state": "compared"} | said
        case StepFailed():
            why = {"reason": event.reason, "detail": event.detail, "judge": _caller(event)}
            return {"state": event.state or "failed"} | why
        case _:
            return {}


def _caller(event: Judged | StepFailed) -> str:
    return f"{event.call.backend}/{event.call.model}" if event.call else ""
