"""Numbers with the population they were counted over, and money with what is not known of it."""

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """What all answers are: fields documented in place."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class Input(BaseModel):
    """What all bodies are: a field that is not known is refused, and no number is read out of text."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )


class Counted(Shape):
    """A number with its unit and population."""

    value: int
    unit: str
    """What is counted, such as ``conversations``."""
    scope: str
    """Where they were counted, such as ``this run``."""
    of: int | None
    """Size of the population; None where it has no end, such as events."""


class Tokens(Shape):
    """Tokens of calls whose usage is known."""

    input: int
    """All prompt tokens, cached ones included."""
    cached: int
    """Read from the provider's cache."""
    cache_write: int
    """Written to the provider's cache."""
    output: int
    """All answer tokens, reasoning included."""
    reasoning: int


class ProviderCosts(Shape):
    """What providers themselves say that calls cost, beside what convo booked for the same calls."""

    calls: int
    """Calls of which the provider told the cost."""
    micro: int
    """What it told, in micro-dollars, all together."""
    booked_micro: int
    """What convo booked for those calls; 0 where the model has no price."""


class CallCosts(Shape):
    """Calls and what they cost, by what is known."""

    calls: int
    failed_calls: int
    known_micro: int | None = Field(examples=[1_250_000])
    """Micro-dollars of the calls whose cost is known; None where no call has a price."""
    unknown_calls: int
    """In flight when a worker died or a cancel cut them: nobody knows whether they were billed."""
    unknown_micro: int
    """The most that the unknown calls can have cost; not part of ``known_micro``."""
    unpriced_calls: int
    """Calls to a model without a price; their cost is unknown."""
    estimated_calls: int
    """Calls whose usage convo counted because the provider gave none."""
    provider: ProviderCosts | None
    """None where no provider told what a call cost. Never part of ``known_micro``."""
    tokens: Tokens
    mean_latency_ms: float | None
    """Mean over all calls; None without calls."""


class Avoided(Shape):
    """Verdicts that were taken from the cache. What they would have cost is no part of any cost."""

    verdicts: int
    micro: int
    """Micro-dollars that their calls would have cost, as far as that is known."""
    unpriced: int
    """Those whose cost is not known."""


class RoleCosts(CallCosts):
    """The same for one role on one model."""

    role: str
    backend: str
    model: str
    avoided: Avoided | None = None
    """Verdicts taken from the cache; None where there were none. In no cost."""


def known_micro(cost_micro: int, calls: int, unpriced_calls: int) -> int | None:
    """What is known of a cost; None where every call is without a price."""
    return None if calls and calls == unpriced_calls else cost_micro


def added(costs: Sequence[CallCosts]) -> CallCosts:
    """All of them together."""
    calls = sum(c.calls for c in costs)
    known = [c.known_micro for c in costs if c.known_micro is not None]
    slow = sum((c.mean_latency_ms or 0) * c.calls for c in costs)
    return CallCosts(
        calls=calls,
        failed_calls=sum(c.failed_calls for c in costs),
        known_micro=sum(known) if known or not costs else None,
        unknown_calls=sum(c.unknown_calls for c in costs),
        unknown_micro=sum(c.unknown_micro for c in costs),
        unpriced_calls=sum(c.unpriced_calls for c in costs),
        estimated_calls=sum(c.estimated_calls for c in costs),
        provider=_told(c.provider for c in costs),
        tokens=Tokens(
            input=sum(c.tokens.input for c in costs),
            cached=sum(c.tokens.cached for c in costs),
            cache_write=sum(c.tokens.cache_write for c in costs),
            output=sum(c.tokens.output for c in costs),
            reasoning=sum(c.tokens.reasoning for c in costs),
        ),
        mean_latency_ms=slow / calls if calls else None,
    )


def _told(parts: Iterable[ProviderCosts | None]) -> ProviderCosts | None:
    told = [part for part in parts if part is not None]
    if not told:
        return None
    return ProviderCosts(
        calls=sum(part.calls for part in told),
        micro=sum(part.micro for part in told),
        booked_micro=sum(part.booked_micro for part in told),
    )


def all_avoided(costs: Sequence[RoleCosts]) -> Avoided | None:
    """What the cache saved altogether; None where nothing came from it."""
    parts = [cost.avoided for cost in costs if cost.avoided is not None]
    if not parts:
        return None
    return Avoided(
        verdicts=sum(part.verdicts for part in parts),
        micro=sum(part.micro for part in parts),
        unpriced=sum(part.unpriced for part in parts),
    )
