"""What a run will cost, before a call is made: calls x expected tokens x frozen price, by role. Pure.

Tokens come from finished runs of the same config where there are any, else from defaults that the estimate names. An
unknown price makes the total unknown, never smaller.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from convo_events.catalog import Model
from convo_events.facts import Micro
from convo_events.prices import Prices
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole
from convo_gateway.expected_calls import JUDGED_SHARE, CallGroup, Workload, assumptions

ACCEPTED_SHARE = 0.8
"""Share of conversations accepted where a judge decides and no run is known."""
ENOUGH_RUNS, SPREAD, SPREAD_FEW = 3, 0.15, 0.25
"""Half width of the range around averages of finished runs: with enough of them, and with fewer."""
_MICRO_PER_USD = 1_000_000


@dataclass(frozen=True, slots=True)
class RoleHistory:
    """What one role used in finished runs, all calls together."""

    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class History:
    """Finished runs of the configs of one name, whatever their version."""

    runs: int = 0
    made: int = 0
    """Conversations that ended, whatever became of them."""
    accepted: int = 0
    turns: int = 0
    """Planned turns of those conversations; 0 where not known. It carries calls over to other lengths."""
    roles: Mapping[CallRole, RoleHistory] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Range:
    """Micro-dollars."""

    low: Micro
    expected: Micro
    high: Micro

    def __add__(self, other: "Range") -> "Range":
        """Both together, end by end."""
        return Range(self.low + other.low, self.expected + other.expected, self.high + other.high)


NOTHING = Range(0, 0, 0)


@dataclass(frozen=True, slots=True)
class RoleEstimate:
    """What one role is expected to use, all calls together."""

    role: CallRole
    backend: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: Range | None
    """None where the model has no price."""
    from_history: bool


@dataclass(frozen=True, slots=True)
class Basis:
    """What an estimate rests on."""

    kind: str
    """``history`` or ``default``."""
    runs: int
    conversations: int
    """Conversations of those runs."""
    assumptions: tuple[str, ...]
    """What was assumed because no run tells, in sentences for people."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run is expected to cost and to bring."""

    total: Range | None
    """None where a model that is needed has no price."""
    generation: Range | None
    judge: Range | None
    memory: Range
    roughen: Range
    roles: tuple[RoleEstimate, ...]
    unpriced: tuple[str, ...]
    """``backend/model`` of every model without a price."""
    conversations: int
    """Conversations to make: the population of all numbers here."""
    accepted: float
    """Conversations expected to be accepted."""
    per_accepted_micro: Micro | None
    """Cost of an accepted conversation; None where the total is unknown or none is expected."""
    basis: Basis
    threshold_micro: Micro | None
    """The config's "Confirm runs estimated above", None where it has none."""

    @property
    def above_threshold(self) -> bool:
        """Whether the expected total is strictly above the threshold."""
        if self.total is None or self.threshold_micro is None:
            return False
        return self.total.expected > self.threshold_micro

    @property
    def needs_confirmation(self) -> bool:
        """Above the threshold, or nobody knows whether it is."""
        unknown = self.total is None and self.threshold_micro is not None
        return unknown or self.above_threshold


def estimate(snapshot: Snapshot, history: History, at: datetime) -> Estimate:
    """The estimate of a run.

    Args:
        snapshot: What the run would freeze.
        history: Finished runs of the same config; ``History()`` where there are none.
        at: When the run starts, for prices that depend on the hour.
    """
    config, workload = snapshot.config, Workload(snapshot)
    roles = tuple(_role(snapshot, role, workload, history, at) for role in snapshot.call_roles())
    generation = _sum(role for role in roles if role.role != "judge")
    judge = _sum(role for role in roles if role.role == "judge")
    total = None if generation is None or judge is None else generation + judge
    accepted = snapshot.target * _accepted_share(snapshot, history)
    return Estimate(
        total=total,
        generation=generation,
        judge=judge,
        memory=NOTHING,
        roughen=NOTHING,
        roles=roles,
        unpriced=tuple(dict.fromkeys(f"{r.backend}/{r.model}" for r in roles if r.cost is None)),
        conversations=snapshot.target,
        accepted=round(accepted, 1),
        per_accepted_micro=round(total.expected / accepted) if total and accepted else None,
        basis=_basis(snapshot, roles, history),
        threshold_micro=_micro(config.confirm_above_usd),
    )


def deviation(estimated_micro: Micro | None, spent_micro: Micro | None) -> float | None:
    """How far an estimate was off, as a share of what was spent; None where that cannot be said."""
    if estimated_micro is None or not spent_micro:
        return None
    return abs(estimated_micro - spent_micro) / spent_micro


def _role(
    snapshot: Snapshot, role: CallRole, workload: Workload, history: History, at: datetime
) -> RoleEstimate:
    chosen = snapshot.role(role)
    model = snapshot.backend(chosen.backend).model_named(chosen.model)
    prices = model.prices if isinstance(model, Model) else None
    known = history.roles.get(role)
    from_history = known is not None and known.calls > 0 and history.made > 0
    cached = 0.0
    if known is not None and from_history:
        groups = [_from_history(role, known, workload, snapshot.target, history)]
        cached = known.cached_tokens / known.calls
        expected = _cost(prices, groups, cached, at)
        spread = SPREAD if history.runs >= ENOUGH_RUNS else SPREAD_FEW
        ends = (expected * (1 - spread), expected, expected * (1 + spread))
    else:
        groups = workload.groups(role, "expected")
        low, high = workload.groups(role, "low"), workload.groups(role, "high")
        ends = (
            _cost(prices, low, 0, at),
            _cost(prices, groups, 0, at),
            _cost(prices, high, 0, at),
        )
    calls = sum(group.calls for group in groups)
    return RoleEstimate(
        role=role,
        backend=chosen.backend,
        model=chosen.model,
        calls=round(calls),
        input_tokens=round(sum(group.calls * group.input_tokens for group in groups)),
        output_tokens=round(sum(group.calls * group.output_tokens for group in groups)),
        cached_tokens=round(calls * cached),
        cost=None if prices is None else Range(*map(round, ends)),
        from_history=from_history,
    )


def _from_history(
    role: CallRole, known: RoleHistory, workload: Workload, target: int, history: History
) -> CallGroup:
    """The calls of a role as finished runs made them, for this many conversations of these lengths."""
    by_turn = history.turns > 0 and role in {"user", "assistant"}
    size = workload.turns / history.turns if by_turn else target / history.made
    return CallGroup(
        calls=known.calls * size,
        input_tokens=known.input_tokens / known.calls,
        output_tokens=known.output_tokens / known.calls,
    )


def _cost(prices: Prices | None, groups: Iterable[CallGroup], cached: float, at: datetime) -> float:
    """Micro-dollars of calls: a dollar a million tokens is a micro-dollar a token. 0 without prices."""
    if prices is None:
        return 0.0
    total = 0.0
    for group in groups:
        rates = prices.at(at, round(group.input_tokens))
        cached_rate = rates.input if rates.cached_input is None else rates.cached_input
        reading = (group.input_tokens - cached) * float(rates.input) + cached * float(cached_rate)
        writing = group.output_tokens * float(rates.output)
        total += group.calls * (reading + writing + float(rates.per_request) * _MICRO_PER_USD)
    return total


def _sum(roles: Iterable[RoleEstimate]) -> Range | None:
    """All roles together; None where one has no price."""
    total = NOTHING
    for role in roles:
        if role.cost is None:
            return None
        total += role.cost
    return total


def _accepted_share(snapshot: Snapshot, history: History) -> float:
    if history.made:
        return history.accepted / history.made
    return ACCEPTED_SHARE if snapshot.config.judge else JUDGED_SHARE


def _basis(snapshot: Snapshot, roles: Iterable[RoleEstimate], history: History) -> Basis:
    guessed = [role.role for role in roles if not role.from_history]
    return Basis(
        kind="history" if history.made else "default",
        runs=history.runs,
        conversations=history.made,
        assumptions=tuple(_assumptions(snapshot, guessed, history)),
    )


def _assumptions(snapshot: Snapshot, guessed: list[CallRole], history: History) -> Iterator[str]:
    yield from assumptions(snapshot, guessed)
    if not history.made:
        yield f"{_accepted_share(snapshot, history):.0%} of the conversations are accepted"


def _micro(usd: float | None) -> Micro | None:
    return None if usd is None else round(usd * _MICRO_PER_USD)
