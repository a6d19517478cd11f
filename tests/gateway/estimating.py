"""Estimates of the sample config, and runs of it that have ended."""

from datetime import UTC, datetime

from convo_events.catalog import RunConfig
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole
from convo_gateway.catalog.documents import Named
from convo_gateway.catalog.freeze import freeze, lookup_in
from convo_gateway.estimate import estimate
from convo_gateway.past_runs import History, PastRun, RoleHistory
from convo_gateway.shapes.estimate import Estimate, RoleEstimate
from tests.gateway.catalog.samples import catalog, config

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def snapshot(wanted: RunConfig | None = None, objects: list[Named] | None = None) -> Snapshot:
    return freeze(wanted or config(), 1, lookup_in(objects or catalog())).snapshot


def estimated(wanted: RunConfig | None = None, history: History | None = None) -> Estimate:
    return estimate(snapshot(wanted), history or History(), NOON)


def role(found: Estimate, name: CallRole) -> RoleEstimate:
    return next(part for part in found.roles if part.role == name)


def used(calls: int, read: int, written: int, cached: int = 0, model: str = "small") -> RoleHistory:
    return RoleHistory(calls, read, written, cached, backend="api", model=model)


def past(**changes: object) -> PastRun:
    """Ten conversations of two turns, of which seven were judged and five accepted."""
    fields: dict[str, object] = {
        "mode": "dialogue",
        "made": 10,
        "accepted": 5,
        "rejected": {1: 2, 2: 1, 3: 1},
        "failed": 1,
        "turns": 20,
        "roles": {
            "user": (used(11, 1100, 330),),
            "assistant": (used(10, 3000, 500),),
            "judge": (used(7, 4200, 140, 2100, "large"),),
        },
        "prompt_set": "prompts 1",
    }
    return PastRun(**(fields | changes))  # type: ignore[arg-type]


def runs(*known: PastRun) -> History:
    return History(known)
