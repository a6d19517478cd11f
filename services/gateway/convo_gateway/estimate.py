"""What a run will cost, before a call is made: calls x expected tokens x frozen price, by role. Pure.

Tokens, calls and what is accepted come from ended runs of the same config where there are any, see ``past_runs``; else
from defaults that the estimate names. An unknown price makes the total unknown, never smaller.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from convo_events.catalog import Model, RoleModel
from convo_events.facts import Micro
from convo_events.prices import Prices
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole
from convo_gateway.call_costs import SPREAD_FEW, cost_of, half_width
from convo_gateway.estimate_basis import ENOUGH_RUNS, basis_of
from convo_gateway.expected_calls import ACCEPTED_SHARE, JUDGED_SHARE, CallGroup, Workload
from convo_gateway.past_runs import History, Telling
from convo_gateway.shapes.estimate import (
    NOTHING,
    Estimate,
    Outcome,
    Range,
    RoleEstimate,
)

__all__ = ["deviation", "estimate"]

_MOMENTS = 24
"""Moments of a run at which prices that depend on the hour are looked up."""
_MICRO_PER_USD = 1_000_000


@dataclass(frozen=True, slots=True)
class _Question:
    """A run, and what is known to estimate it from."""

    snapshot: Snapshot
    workload: Workload
    telling: Telling
    moments: Sequence[datetime]
    """Moments of the run, evenly spread; calls are priced as the mean over them."""
    accepted: float
    """Share of the conversations that are accepted."""


@dataclass(frozen=True, slots=True)
class _Caller:
    """Who makes calls."""

    role: CallRole
    seat: int
    """0 but for the judge's panel."""
    chosen: RoleModel


def estimate(snapshot: Snapshot, history: History, at: datetime) -> Estimate:
    """The estimate of a run.

    Args:
        snapshot: What the run would freeze.
        history: Ended runs of the same config; ``History()`` where there are none.
        at: When the run starts, for prices that depend on the hour.
    """
    telling, target = history.telling(snapshot), snapshot.target
    seconds = telling.seconds(target)
    share = telling.share(lambda run: run.accepted)
    usual = ACCEPTED_SHARE if snapshot.config.judge else JUDGED_SHARE
    asked = _Question(
        snapshot,
        Workload(snapshot),
        telling,
        _moments(snapshot, at, seconds),
        usual if share is None else share,
    )
    roles = tuple(_role(asked, _Caller(*caller)) for caller in snapshot.callers())
    total, accepted = _sum(roles), target * asked.accepted
    return Estimate(
        total=total,
        generation=_sum(r for r in roles if r.role in ("user", "assistant", "script")),
        judge=_sum(r for r in roles if r.role == "judge"),
        memory=_sum(r for r in roles if r.role == "memory"),
        roughen=_sum(r for r in roles if r.role == "roughen"),
        roles=roles,
        unpriced=tuple(dict.fromkeys(f"{r.backend}/{r.model}" for r in roles if r.cost is None)),
        conversations=target,
        accepted=round(accepted, 1),
        outcome=_outcome(telling, target),
        per_accepted_micro=round(total.expected / accepted) if total and accepted else None,
        seconds=seconds,
        basis=basis_of(
            snapshot,
            telling,
            roles,
            accepted=asked.accepted,
            seconds=seconds,
            by_the_hour=_by_the_hour(snapshot),
        ),
        threshold_micro=_micro(snapshot.config.confirm_above_usd),
    )


def deviation(estimated_micro: Micro | None, spent_micro: Micro | None) -> float | None:
    """How far an estimate was off, as a share of what was spent; below 0 where it was too low.

    None where that cannot be said.
    """
    if estimated_micro is None or not spent_micro:
        return None
    return (estimated_micro - spent_micro) / spent_micro


def _role(asked: _Question, caller: _Caller) -> RoleEstimate:
    snapshot, role, chosen = asked.snapshot, caller.role, caller.chosen
    prices = _prices(snapshot, chosen)
    groups = _from_history(asked, caller)
    from_history = groups is not None
    if groups is not None:
        ends = _spread(asked, caller, cost_of(prices, groups, asked.moments))
    else:
        groups = asked.workload.groups(role, "expected", asked.accepted, caller.seat)
        low = asked.workload.groups(role, "low", asked.accepted, caller.seat)
        high = asked.workload.groups(role, "high", asked.accepted, caller.seat)
        ends = (
            cost_of(prices, low, asked.moments),
            cost_of(prices, groups, asked.moments),
            cost_of(prices, high, asked.moments),
        )
    calls = sum(group.calls for group in groups)
    read = sum(group.calls * group.input_tokens for group in groups)
    written = sum(group.calls * group.output_tokens for group in groups)
    return RoleEstimate(
        role=role,
        backend=chosen.backend,
        model=chosen.model,
        calls=round(calls),
        input_tokens=round(read),
        output_tokens=round(written),
        cached_tokens=round(sum(group.calls * group.cached_tokens for group in groups)),
        cost=None if prices is None else Range(*map(round, ends)),
        from_history=from_history,
        calls_per_conversation=round(calls / snapshot.target, 3),
        input_per_call=round(read / calls, 1) if calls else 0.0,
        output_per_call=round(written / calls, 1) if calls else 0.0,
    )


def _prices(snapshot: Snapshot, chosen: RoleModel) -> Prices | None:
    model = snapshot.backend(chosen.backend).model_named(chosen.model)
    return model.prices if isinstance(model, Model) else None


def _from_history(asked: _Question, caller: _Caller) -> list[CallGroup] | None:
    """The calls of a role as ended runs made them, for this many conversations of these lengths."""
    role, seat, chosen = caller.role, caller.seat, caller.chosen
    if not asked.snapshot.config.generates:
        # Other files have conversations of other lengths, and those of this one are known.
        return None
    usual = asked.telling.usual(role, chosen.backend, chosen.model)
    if usual is None:
        return None
    calls = (
        sum(group.calls for group in asked.workload.groups(role, "expected", asked.accepted, seat))
        if usual.calls_a_unit is None
        else usual.calls_a_unit * asked.workload.units(role, asked.accepted, seat)
    )
    return [
        CallGroup(
            calls,
            usual.input_tokens,
            usual.output_tokens,
            usual.cached_tokens,
            usual.cache_write_tokens,
        )
    ]


def _spread(asked: _Question, caller: _Caller, expected: float) -> tuple[float, float, float]:
    """Low, expected and high: as far around as completed runs lie from each other."""
    completed = asked.telling.completed
    half = SPREAD_FEW
    if len(completed) >= ENOUGH_RUNS:
        prices, each = _prices(asked.snapshot, caller.chosen), []
        for one in asked.telling.alone():
            share = one.share(lambda run: run.accepted) or 0.0
            groups = _from_history(replace(asked, telling=one, accepted=share), caller)
            if groups is not None:
                each.append(cost_of(prices, groups, asked.moments))
        half = half_width(each)
    return expected * max(0.0, 1 - half), expected, expected * (1 + half)


def _moments(snapshot: Snapshot, at: datetime, seconds: float | None) -> list[datetime]:
    """Moments of the run, where prices depend on the hour and it is known how long it takes; else its start."""
    if seconds is None or not _by_the_hour(snapshot):
        return [at]
    step = timedelta(seconds=seconds / _MOMENTS)
    return [at + step * (number + 0.5) for number in range(_MOMENTS)]


def _by_the_hour(snapshot: Snapshot) -> bool:
    tables = (_prices(snapshot, chosen) for chosen in snapshot.models())
    return any(prices is not None and prices.off_peak for prices in tables)


def _sum(roles: Iterable[RoleEstimate]) -> Range | None:
    """All roles together; None where one has no price."""
    total = NOTHING
    for role in roles:
        if role.cost is None:
            return None
        total += role.cost
    return total


def _outcome(telling: Telling, target: int) -> Outcome | None:
    def expected(layer: int) -> float:
        return target * (telling.share(lambda run: run.rejected.get(layer, 0)) or 0.0)

    accepted = telling.share(lambda run: run.accepted)
    failed = telling.share(lambda run: run.failed)
    if accepted is None or failed is None:
        return None
    return Outcome(
        accepted=round(target * accepted, 1),
        mechanical=round(expected(1), 1),
        diversity=round(expected(2), 1),
        judge=round(expected(3), 1),
        failed=round(target * failed, 1),
    )


def _micro(usd: float | None) -> Micro | None:
    return None if usd is None else round(usd * _MICRO_PER_USD)
