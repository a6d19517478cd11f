"""The page of a run, put together in reading order from what one moment of the read model says. Pure."""

from contextlib import suppress
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

import orjson
from pydantic import ValidationError

from convo_events.snapshot import Snapshot
from convo_gateway.estimate import deviation
from convo_gateway.off_peak import next_window
from convo_gateway.reads.run import Moment
from convo_gateway.shapes.counts import Counted, added, all_avoided
from convo_gateway.shapes.runs import (
    CostSplit,
    DiversityNow,
    Evidence,
    Happened,
    JudgeRequested,
    Produced,
    Requested,
    RoleRequested,
    Run,
    RunCost,
    RunSummary,
)

GENERATION = frozenset({"user", "assistant", "script"})
_STILL_AFTER_S = 120.0


def run_page(moment: Moment) -> Run:
    """The page."""
    fields = {name: getattr(moment.summary, name) for name in RunSummary.model_fields}
    return Run(
        **fields,
        requested=_requested(moment),
        happened=_happened(moment),
        produced=_produced(moment),
        evidence=_evidence(moment),
    )


def _requested(moment: Moment) -> Requested:
    row = moment.row
    frozen = orjson.loads(moment.frozen) if moment.frozen else {}
    config = frozen.get("config", {})
    judge = config.get("judge")
    roles = {name: role for name, role in config.get("roles", {}).items() if role}
    return Requested(
        name=row["name"],
        config=row["config"],
        config_version=row["config_version"],
        mode=row["mode"],
        conversations=Counted(
            value=row["target"], unit="conversations", scope="this run", of=row["target"]
        ),
        seed=row["seed"],
        lanes=row["lanes"],
        language=config.get("language", ""),
        prompt_set=config.get("prompt_set", ""),
        personas=[entry["name"] for entry in config.get("personas", [])],
        voices=[entry["name"] for entry in config.get("voices", [])],
        roles=[
            RoleRequested(role=name, backend=role["backend"], model=role["model"])
            for name, role in roles.items()
        ],
        judge=JudgeRequested(
            criteria=[criterion["name"] for criterion in judge["criteria"]],
            scale=tuple(judge["scale"]),
            threshold=judge["threshold"],
            samples=judge.get("samples", 1),
            reducer=judge.get("reducer", "mean"),
            panel=[f"{one['backend']}/{one['model']}" for one in judge.get("panel", [])],
            comparison=(judge.get("comparison") or {}).get("example"),
            recheck_share=judge.get("recheck_share", 0),
            cache=judge.get("cache", False),
        )
        if judge
        else None,
        versions=frozen.get("versions", {}),
        estimate_micro=row["estimate_micro"],
        expected_accepted=row["expected_accepted"],
        spend_cap_micro=row["spend_cap_micro"],
        not_before=row["not_before"],
    )


def _happened(moment: Moment) -> Happened:
    row = moment.row
    lanes = row["lanes"]
    return Happened(
        status=row["status"],
        reason=row["reason"],
        detail=row["detail"],
        blocked_reason=row["blocked_reason"],
        blocked_detail=row["blocked_detail"],
        why_not_moving=why_not_moving(moment),
        planned_at=row["planned_at"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        threads=Counted(value=row["closed"], unit="threads", scope="this run", of=lanes),
        threads_started=Counted(value=row["opened"], unit="threads", scope="this run", of=lanes),
    )


def why_not_moving(moment: Moment) -> str | None:
    """What a run waits for, in a sentence; None where it moves or has ended."""
    row = moment.row
    match row["status"]:
        case "queued" if row["not_before"] and row["not_before"] > moment.at:
            return _what_it_waits_for(moment, row["not_before"])
        case "queued":
            return "It waits for the scheduler to start it."
        case "paused" if row["reason"] in ("", "requested"):
            return "It was paused; resume it to go on."
        case "paused":
            return f"convo paused it ({row['reason']}): {row['detail'] or 'resume it when that is settled'}"
        case "cancelling":
            return "It closes the calls in flight."
        case "running":
            return _why_running_stands(moment)
        case _:
            return None


def _what_it_waits_for(moment: Moment, until: datetime) -> str:
    """The off-peak window that opens then, by the clock of its zone."""
    window = None
    if moment.frozen:
        with suppress(ValidationError):
            window = next_window(Snapshot.model_validate_json(moment.frozen), until)
    when = f"{until:%Y-%m-%d %H:%M} UTC"
    if window is None or not window.open_now:
        return f"It waits for its start at {when}."
    if window.zone != "UTC":
        when = f"{until.astimezone(ZoneInfo(window.zone)):%H:%M} {window.zone} ({when})"
    return f"It waits for the off-peak window of {window.model} at {when}."


def _why_running_stands(moment: Moment) -> str | None:
    row = moment.row
    if row["blocked_reason"]:
        return f"A step is blocked ({row['blocked_reason']}): {row['blocked_detail']}"
    if moment.waiting:
        first, threads = moment.waiting[0], row["opened"] - row["closed"]
        waiting = sum(w.threads for w in moment.waiting)
        if first.reason == "spend_cap":
            return (
                f"{waiting} of {threads} open threads wait for room under the spend cap: "
                "calls in flight hold what is left of it until they end."
            )
        return (
            f"{waiting} of {threads} open threads wait for a backend ({first.reason}), "
            f"the next one until {min(w.until for w in moment.waiting):%H:%M:%S} UTC."
        )
    began = row["started_at"]
    still = began and (moment.at - began).total_seconds() > _STILL_AFTER_S
    if still and not moment.summary.rate_per_minute:
        steps = sum(s.queued.value for s in moment.stages)
        flying = sum(s.in_flight.value for s in moment.stages)
        return f"No verdict in the last 2 minutes; {flying} calls are in flight and {steps} steps wait for a worker."
    return None


def _produced(moment: Moment) -> Produced:
    row, summary = moment.row, moment.summary

    def made(value: int) -> Counted:
        return Counted(value=value, unit="conversations", scope="this run", of=row["target"])

    known, floor = moment.distinct3, row["distinct3_floor"]
    below = None if known.value is None or floor is None else known.value < floor
    window = Counted(
        value=known.conversations,
        unit="conversations",
        scope="last 100 accepted of this run",
        of=row["accepted"],
    )
    return Produced(
        generated=made(row["generated"]),
        accepted=made(row["accepted"]),
        rejected=made(row["rejected"]),
        failed=made(row["failed"]),
        cancelled=made(row["cancelled"]),
        open=made(summary.open),
        cost=_cost(moment),
        comparisons=moment.comparisons,
        diversity=DiversityNow(
            distinct3=known.value,
            conversations=window,
            floor=floor,
            below_floor=below,
            then=_below_the_floor(moment),
        ),
    )


def _below_the_floor(moment: Moment) -> Literal["show", "pause", "stop"]:
    frozen = orjson.loads(moment.frozen) if moment.frozen else {}
    asked = frozen.get("config", {}).get("diversity", {}).get("below_floor")
    return asked if asked in ("pause", "stop") else "show"


def _cost(moment: Moment) -> RunCost:
    row, costs = moment.row, moment.costs
    total = added(costs)
    completed = row["status"] == "completed"
    return RunCost(
        total=total,
        split=CostSplit(
            generation=added([c for c in costs if c.role in GENERATION]),
            judge=added([c for c in costs if c.role == "judge"]),
            memory=added([c for c in costs if c.role == "memory"]),
            roughen=added([c for c in costs if c.role == "roughen"]),
        ),
        roles=list(costs),
        avoided=all_avoided(costs),
        estimate_micro=row["estimate_micro"],
        estimate_error=deviation(row["estimate_micro"], total.known_micro) if completed else None,
        spend_cap_micro=row["spend_cap_micro"],
    )


def _evidence(moment: Moment) -> Evidence:
    run = moment.row["run"]
    here = f"/api/v1/runs/{run}"
    calls = sum(cost.calls for cost in moment.costs)
    return Evidence(
        snapshot=moment.row["snapshot"],
        snapshot_url=f"{here}/snapshot",
        conversations_url=f"/api/v1/conversations?run={run}",
        rejects_url=f"{here}/rejects",
        events_url=f"{here}/events",
        export_url=f"{here}/export",
        manifest_url=f"{here}/export/manifest",
        events=Counted(value=moment.events, unit="events", scope="this run", of=None),
        calls=Counted(value=calls, unit="calls", scope="this run", of=None),
        pipeline=list(moment.stages),
    )
