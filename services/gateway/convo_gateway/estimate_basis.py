"""What an estimate rests on, in words. Pure."""

from collections.abc import Iterator, Sequence

from convo_events.snapshot import Snapshot
from convo_gateway.call_costs import DEVIATIONS, SPREAD_FEW, SPREAD_LEAST
from convo_gateway.expected_calls import assumptions
from convo_gateway.past_runs import PastRun, Telling
from convo_gateway.shapes.estimate import Basis, RoleEstimate

ENOUGH_RUNS = 3
"""Completed runs from which the range is what lies between them."""


def basis_of(
    snapshot: Snapshot,
    telling: Telling,
    roles: Sequence[RoleEstimate],
    *,
    accepted: float,
    seconds: float | None,
    by_the_hour: bool,
) -> Basis:
    """The basis of an estimate.

    Args:
        snapshot: What the run would freeze.
        telling: The runs that tell about it.
        roles: What was estimated of each role.
        accepted: Share of the conversations that are expected to be accepted.
        seconds: How long the run is expected to take; None where no run tells.
        by_the_hour: Whether some price depends on the hour.
    """
    runs = telling.runs
    made = sum(run.made for run in runs)
    return Basis(
        kind="history" if runs else "default",
        runs=len(runs),
        conversations=made,
        same_prompts=telling.same_prompts,
        said=_said(runs, made, same_prompts=telling.same_prompts),
        range=_range_said(telling, roles),
        assumptions=(
            *_assumptions(snapshot, telling, roles, accepted),
            *([_hourly(seconds)] if by_the_hour else []),
        ),
    )


def _said(runs: Sequence[PastRun], made: int, *, same_prompts: bool) -> str:
    if not runs:
        return "defaults, as no run of this config has ended"
    cancelled = sum(not run.completed for run in runs)
    number = "1 ended run" if len(runs) == 1 else f"{len(runs):,} ended runs"
    with_them = f", {cancelled:,} of them cancelled" if cancelled else ""
    prompts = "the same prompts" if same_prompts else "other prompts"
    return f"{number} of this config with {prompts}{with_them}; {made:,} conversations"


def _range_said(telling: Telling, roles: Sequence[RoleEstimate]) -> str:
    if not any(role.from_history for role in roles):
        return "from short answers to answers as long as they may be"
    count = len(telling.completed)
    if count < ENOUGH_RUNS:
        return f"{SPREAD_FEW:.0%} either way, as fewer than {ENOUGH_RUNS} runs were completed"
    return f"{DEVIATIONS} standard deviations of what {count:,} completed runs used, {SPREAD_LEAST:.0%} at least"


def _assumptions(
    snapshot: Snapshot, telling: Telling, roles: Sequence[RoleEstimate], accepted: float
) -> Iterator[str]:
    unknown = dict.fromkeys(role.role for role in roles if not role.from_history)
    yield from assumptions(snapshot, list(unknown))
    if not telling.completed:
        yield f"{accepted:.0%} of the conversations are accepted"
    for role in roles:
        usual = telling.usual(role.role, role.backend, role.model)
        if usual is not None and not usual.same_model:
            yield f"calls of {role.role} to {role.backend}/{role.model} are as long as those to the model before"


def _hourly(seconds: float | None) -> str:
    if seconds is None:
        return "all calls cost what they cost at the start of the run, as no run tells how long it takes"
    return f"the run takes about {_hours(seconds)}, and its calls are spread evenly over that time"


def _hours(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "a minute"
    return f"{minutes} min" if minutes < 120 else f"{round(minutes / 60)} h"
