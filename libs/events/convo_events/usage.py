"""What one call to a model used and cost."""

from typing import Annotated, Literal

from pydantic import Field

from convo_events.facts import Count, Fact, Micro

CallRole = Literal["user", "assistant", "script", "judge", "memory", "roughen"]
"""What a call was for. ``user``, ``assistant`` and ``script`` together are generation."""

CostBasis = Literal["exact", "estimated", "worst_case", "unpriced", "free"]
"""How a cost was found: priced from the provider's usage, from usage that convo had to count itself, booked at the
most it can be because nobody knows, unknown because the model has no price, or certainly nothing (a refused call)."""


def _nothing(count: int) -> bool:
    """Left out where it is written: events from before this count stay as they were, byte for byte."""
    return count == 0


class Usage(Fact):
    """Tokens of one call, in the vocabulary that genai-prices and OpenTelemetry share."""

    input_tokens: Count
    """All prompt tokens, cached ones included."""
    cached_tokens: Count = 0
    """The part of ``input_tokens`` that was read from the provider's cache."""
    cache_write_tokens: Annotated[Count, Field(exclude_if=_nothing)] = 0
    """The part of ``input_tokens`` that was written to the provider's cache; none of it is in ``cached_tokens``."""
    output_tokens: Count
    """All answer tokens, reasoning included."""
    reasoning_tokens: Count = 0
    """The part of ``output_tokens`` that was reasoning."""
    estimated: bool = False
    """True where the provider gave no usable usage and convo counted characters instead."""


class Call(Fact):
    """One attempt at a model, as it is booked."""

    role: CallRole
    """What the call was for."""
    backend: str
    """Name of the backend."""
    model: str
    """Model as requested."""
    attempt: Count
    """Attempt number of this step, from 1."""
    step_key: str
    """Identity of the work; every attempt of it carries the same key."""
    usage: Usage | None = None
    """None where nothing is known or nothing was used."""
    cost_micro: Micro | None = None
    """None where the model has no price: unknown, not zero."""
    basis: CostBasis
    """How the cost was found."""
    latency_ms: Count | None = None
    """From sending to the last byte."""
    response_model: str | None = None
    """Model as the provider named it, where it differs from the one requested."""
    provider_id: str | None = None
    """The provider's own id of the call."""
    provider_cost_micro: Micro | None = None
    """What the provider itself said it cost, where it says so."""
    finish: str | None = None
    """The provider's finish reason."""
    error: str | None = None
    """Kind of the error, for an attempt that failed."""
