"""What each role of a run used and cost. Unknown amounts stand beside the known ones and never inside."""

from dataclasses import dataclass, replace
from typing import Any

from convo_events.codec import Event
from convo_events.outcomes import Judged
from convo_events.steps import ThreadFact
from convo_events.usage import Call, Usage
from convo_projector.calls import call_of
from convo_projector.stamp import Key, Stamp

TABLE = "run_cost"
KEY = ("run", "role", "backend", "model")


@dataclass(frozen=True, slots=True)
class Row:
    """One role on one model."""

    run: str
    role: str
    backend: str
    model: str
    calls: int = 0
    failed_calls: int = 0
    unknown_calls: int = 0
    unpriced_calls: int = 0
    estimated_calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cost_micro: int = 0
    unknown_micro: int = 0
    latency_ms: int = 0
    cache_write_tokens: int = 0
    provider_calls: int = 0
    provider_micro: int = 0
    provider_priced_micro: int = 0
    cached_verdicts: int = 0
    avoided_micro: int = 0
    avoided_unpriced: int = 0


def key(event: Event, stamp: Stamp) -> Key | None:
    """The role and model of the call that the event carries, or that it did without."""
    if isinstance(event, Judged) and event.cached_from:
        backend, _, model = event.judge.partition("/")
        return (event.run, "judge", backend, model)
    call = call_of(event)
    if call is None or not isinstance(event, ThreadFact):
        return None
    return (event.run, call.role, call.backend, call.model)


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The costs with this call added; a late event's call was paid all the same."""
    if isinstance(event, Judged) and event.cached_from:
        return row if stamp.late else _avoided(row, event)
    call = call_of(event)
    if call is None or stamp.charged or not isinstance(event, ThreadFact):
        return row
    row = row or Row(event.run, call.role, call.backend, call.model)
    return replace(row, **_booked(row, call), **_used(row, call.usage) if call.usage else {})


def _booked(row: Row, call: Call) -> dict[str, Any]:
    """The counts and amounts that any call moves."""
    cost = call.cost_micro or 0
    unknown = call.usage is None and call.basis != "free"
    booked: dict[str, Any] = {
        "calls": row.calls + 1,
        "failed_calls": row.failed_calls + int(call.error is not None),
        "unknown_calls": row.unknown_calls + int(unknown),
        "unpriced_calls": row.unpriced_calls + int(call.basis == "unpriced"),
        "latency_ms": row.latency_ms + (call.latency_ms or 0),
    }
    if call.basis == "worst_case":
        booked["unknown_micro"] = row.unknown_micro + cost
    else:
        booked["cost_micro"] = row.cost_micro + cost
    if call.provider_cost_micro is not None:
        booked["provider_calls"] = row.provider_calls + 1
        booked["provider_micro"] = row.provider_micro + call.provider_cost_micro
        booked["provider_priced_micro"] = row.provider_priced_micro + cost
    return booked


def _used(row: Row, usage: Usage) -> dict[str, Any]:
    """The tokens of a call whose usage is known."""
    return {
        "estimated_calls": row.estimated_calls + int(usage.estimated),
        "input_tokens": row.input_tokens + usage.input_tokens,
        "cached_tokens": row.cached_tokens + usage.cached_tokens,
        "cache_write_tokens": row.cache_write_tokens + usage.cache_write_tokens,
        "output_tokens": row.output_tokens + usage.output_tokens,
        "reasoning_tokens": row.reasoning_tokens + usage.reasoning_tokens,
    }


def _avoided(row: Row | None, event: Judged) -> Row:
    """A verdict that was taken from the cache: what it would have cost stands beside the costs, never inside."""
    backend, _, model = event.judge.partition("/")
    row = row or Row(event.run, "judge", backend, model)
    return replace(
        row,
        cached_verdicts=row.cached_verdicts + 1,
        avoided_micro=row.avoided_micro + (event.avoided_micro or 0),
        avoided_unpriced=row.avoided_unpriced + int(event.avoided_micro is None),
    )
