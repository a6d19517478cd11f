"""What can go wrong with a call to a model, as one closed list."""

from enum import StrEnum
from typing import Literal

from convo_events.usage import Usage


class ErrorKind(StrEnum):
    """Kind of trouble, whatever words the provider chose for it."""

    rate_limited = "rate_limited"
    """Too many requests or tokens for now."""
    overloaded = "overloaded"
    """The provider is in trouble: 500, 502, 503, 504, 529."""
    unreachable = "unreachable"
    """No connection, or it broke."""
    timeout = "timeout"
    """No complete answer before the deadline."""
    refused = "refused"
    """The provider's content policy turned the request down."""
    bad_request = "bad_request"
    """The provider does not take a parameter or the form of the request."""
    context_exceeded = "context_exceeded"
    """Prompt and answer do not fit the model."""
    auth = "auth"
    """The key is missing, wrong, or not allowed."""
    quota = "quota"
    """The account has run dry: waiting does not help."""
    not_found = "not_found"
    """There is no such model or path."""
    malformed = "malformed"
    """The answer is no chat completion."""
    too_large = "too_large"
    """The answer is larger than convo takes."""


Billed = Literal["no", "maybe", "yes"]
"""Whether the provider charges for a call that failed."""

_MAY_PASS = frozenset(
    {
        ErrorKind.rate_limited,
        ErrorKind.overloaded,
        ErrorKind.unreachable,
        ErrorKind.timeout,
        ErrorKind.malformed,
    }
)


class BackendError(Exception):
    """A call that brought no answer. The message never holds a key."""

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        retry_after_s: float | None = None,
        status: int | None = None,
        usage: Usage | None = None,
        provider_cost_micro: int | None = None,
        sent: bool = True,
    ) -> None:
        """Keep what a retry, the ledger and the limiter need to know."""
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after_s = retry_after_s
        """Seconds the provider asked to wait; None where it did not say."""
        self.status = status
        """HTTP status; None where there was none."""
        self.usage = usage
        """Tokens the provider counted although there is no answer."""
        self.provider_cost_micro = provider_cost_micro
        """What the provider itself said it cost; None where it did not."""
        self.sent = sent
        """False only where the request certainly never left."""

    @property
    def retryable(self) -> bool:
        """Whether the same request may pass later."""
        return self.kind in _MAY_PASS

    @property
    def counts(self) -> bool:
        """Whether it uses up one of a step's retries: waiting for a rate limit does not."""
        return self.kind is not ErrorKind.rate_limited

    @property
    def billed(self) -> Billed:
        """Whether it costs money: known usage does, a request that never left or was turned down does not."""
        if self.usage is not None:
            return "yes"
        turned_down = self.status is not None and 300 <= self.status < 500 and self.status != 408
        return "no" if turned_down or not self.sent else "maybe"
