"""Verdicts that may serve a later request that is the same: the newest one of each place."""

from dataclasses import dataclass
from typing import Any

from convo_events import ids
from convo_events.codec import Event
from convo_events.outcomes import Judged
from convo_events.verdict_cache import slot_of
from convo_projector.stamp import Key, Stamp

TABLE = "judge_cache"
KEY = ("slot",)


@dataclass(frozen=True, slots=True)
class Row:
    """One kept verdict."""

    slot: int
    request: str
    conversation: str
    step: int
    usage: dict[str, Any] | None
    seq: int


def key(event: Event, stamp: Stamp) -> Key | None:
    """The place of a verdict that a judge gave and that may be used again."""
    return (slot_of(event.request),) if isinstance(event, Judged) and _may_serve(event) else None


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The place with this verdict in it."""
    if stamp.late or not isinstance(event, Judged) or not _may_serve(event):
        return row
    usage = event.call.usage if event.call else None
    return Row(
        slot=slot_of(event.request),
        request=event.request,
        conversation=ids.conversation_id(event.run, event.thread, event.conversation),
        step=event.step,
        usage=usage.model_dump(mode="json") if usage else None,
        seq=stamp.seq,
    )


def _may_serve(event: Judged) -> bool:
    """A verdict that was paid for and does not contradict itself. Repeats carry no request."""
    if not event.request or event.cached_from:
        return False
    return event.purpose == "verdict" and event.sample == 0 and not event.note
