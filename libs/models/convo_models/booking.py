"""How an attempt is booked and what the step comes back with, for every way a call can end. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from convo_events.catalog import Backend
from convo_events.outcomes import (
    CallAborted,
    StepBlocked,
    StepDeferred,
    StepFact,
    StepFailed,
)
from convo_events.prices import cost_micro, usd
from convo_events.steps import StepRequested
from convo_events.usage import Call, CallRole, CostBasis
from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.protocol import ChatReply
from convo_models.claim import ClaimToken
from convo_models.claims import Budget
from convo_models.ledger_rows import Ending

LONGEST_BACKOFF_S = 60.0
LONGEST_CROWDED_S = 8.0
"""Between two looks at a cap that calls in flight hold."""
_BLOCKING = {
    ErrorKind.auth: "backend_auth",
    ErrorKind.quota: "backend_quota",
    ErrorKind.not_found: "backend_model",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One attempt: who was asked for what, when."""

    role: CallRole
    backend: Backend
    model: str
    token: ClaimToken
    worst_micro: int | None
    sent_at: datetime

    def call(
        self, *, basis: CostBasis, cost: int | None, error: str | None = None, **known: object
    ) -> Call:
        """The attempt as it is booked."""
        return Call.model_validate(
            {
                "role": self.role,
                "backend": self.backend.name,
                "model": self.model,
                "attempt": self.token.attempt,
                "step_key": self.token.step_key,
                "basis": basis,
                "cost_micro": cost,
                "error": error,
                **known,
            }
        )

    def answered(self, reply: ChatReply) -> Call:
        """The booking of an answer."""
        model = self.backend.model_named(self.model)
        cost = cost_micro(model.prices if model else None, reply.usage, self.sent_at)
        exact: CostBasis = "estimated" if reply.usage.estimated else "exact"
        return self.call(
            basis="unpriced" if cost is None else exact,
            cost=cost,
            usage=reply.usage,
            latency_ms=reply.latency_ms,
            response_model=reply.response_model if reply.response_model != self.model else None,
            provider_id=reply.provider_id,
            provider_cost_micro=reply.provider_cost_micro,
            finish=reply.finish,
        )

    def went_wrong(self, error: BackendError) -> Call:
        """The booking of a call without an answer: nothing where it surely cost nothing, else usage or worst case."""
        if error.billed == "no":
            return self.call(basis="free", cost=0, error=error.kind.value)
        if error.usage is not None:
            model = self.backend.model_named(self.model)
            cost = cost_micro(model.prices if model else None, error.usage, self.sent_at)
            counted: CostBasis = "estimated" if error.usage.estimated else "exact"
            basis: CostBasis = "unpriced" if cost is None else counted
            return self.call(
                basis=basis,
                cost=cost,
                usage=error.usage,
                provider_cost_micro=error.provider_cost_micro,
                error=error.kind.value,
            )
        return self.unknown(error.kind.value)

    def unknown(self, error: str) -> Call:
        """The booking of a call of which nobody knows whether it was billed."""
        if self.worst_micro is None:
            return self.call(basis="unpriced", cost=None, error=error)
        return self.call(basis="worst_case", cost=self.worst_micro, error=error)


def after_error(
    step: StepRequested, error: BackendError, call: Call, at: datetime, jitter: float
) -> tuple[Ending, StepFact]:
    """What a step comes back with after a call without an answer.

    Args:
        step: The request.
        error: What went wrong.
        call: The booked attempt.
        at: Now.
        jitter: 0 to 1; spreads the next tries of many steps.
    """
    if error.kind in _BLOCKING:
        return "deferred", StepBlocked.of(
            step,
            reason=_BLOCKING[error.kind],
            detail=error.message,
            epoch=step.epoch,
            call=call,
        )
    if error.retryable:
        wait_s = backoff_s(call.attempt, error.retry_after_s, jitter)
        deferred = StepDeferred.of(
            step,
            not_before=at + timedelta(seconds=wait_s),
            reason=error.kind.value,
            detail=error.message,
            counts=error.counts,
            call=call,
        )
        return "deferred", deferred
    reason = _failure_reason(step, error.kind)
    retryable = error.kind is ErrorKind.too_large
    return "failed", StepFailed.of(
        step, reason=reason, detail=error.message, retryable=retryable, call=call
    )


def backoff_s(attempt: int, asked_s: float | None, jitter: float) -> float:
    """Seconds to wait after attempt number ``attempt`` (from 1): what the provider asked for, or 1, 2, 4 ... up to 60.

    Spread upwards, never downwards: by up to 20 % (at least a quarter of a second).
    """
    # Beyond 2 ** 10 all are the longest, and a float holds no more than 2 ** 1023.
    doubled_s = 2.0 ** min(attempt - 1, 10)
    wait_s = min(LONGEST_BACKOFF_S, doubled_s) if asked_s is None else asked_s
    return wait_s + jitter * max(0.25, wait_s * 0.2)


def _failure_reason(step: StepRequested, kind: ErrorKind) -> str:
    if kind is ErrorKind.context_exceeded:
        return "context_exceeded"
    if step.kind == "judge":
        return "judge_failed"
    if kind is ErrorKind.too_large:
        return "malformed_output"
    return "backend_refused" if kind is ErrorKind.refused else "generation_failed"


def crowded(step: StepRequested, budget: Budget, at: datetime) -> StepDeferred:
    """What a step comes back with while calls in flight hold what is left of the cap: they may give some of it back."""
    wait_s = min(LONGEST_CROWDED_S, 0.5 * 2.0 ** min(step.emit - 1, 10))
    held, left = usd(budget.reserved_micro), usd(budget.left_micro)
    detail = f"calls in flight hold {held} of the spend cap, and {left} is free: less than this call may cost"
    return StepDeferred.of(
        step,
        not_before=at + timedelta(seconds=wait_s),
        reason="spend_cap",
        detail=detail,
        counts=False,
    )


def over_cap(step: StepRequested, budget: Budget) -> StepBlocked:
    """What a step comes back with where nothing in flight can make room for it under the cap."""
    cap, left = usd(budget.cap_micro), usd(budget.left_micro)
    detail = f"the spend cap of {cap} leaves {left}, less than the next call may cost: raise the cap to go on"
    return StepBlocked.of(step, reason="spend_cap", detail=detail, epoch=step.epoch)


def aborted(step: StepRequested, call: Call) -> CallAborted:
    """The fact that a cancel cut the call."""
    return CallAborted.of(step, call=call)
