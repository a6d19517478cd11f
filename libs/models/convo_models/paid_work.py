"""One paid step from its request to its outcome in the log: permit, claim, call, settle, append.

Nothing is sent without a claim, and no answer is dropped: a settle that fails is tried again until it is stored.
"""

import asyncio
import hashlib
import logging
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import aiohttp
from opentelemetry.trace import SpanKind

from convo_events import ids
from convo_events.catalog import RoleModel
from convo_events.clock import now
from convo_events.errors import Unavailable
from convo_events.log import stored_letter
from convo_events.outcomes import StepBlocked, StepDeferred, StepFact, StepFailed
from convo_events.prices import worst_case_micro
from convo_events.service import Parts
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.steps_queue import Delivery
from convo_events.telemetry import span
from convo_events.usage import Call, CallRole
from convo_models.aborts import Aborted, Aborts
from convo_models.backends.errors import BackendError
from convo_models.backends.openai_compatible import connect
from convo_models.backends.protocol import ChatReply, ChatRequest
from convo_models.booking import Asked, aborted, after_error, crowded, over_cap
from convo_models.claim import ClaimToken, TooLate
from convo_models.claims import Answered, Crowded, Granted, Held, OverCap, Refusal, Stopped, Work
from convo_models.ledger import Ledger
from convo_models.ledger_rows import Ending, Settlement
from convo_models.limiter import Limiter, Permit

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Order:
    """What to ask of which role's model."""

    role: CallRole
    request: ChatRequest
    model: RoleModel | None = None
    """Who is asked, where it is not the model that the config gives the role."""
    cache_key: str = ""
    """Hash of the request, where the answer to an earlier one that is the same will do; empty: it has to be asked."""

    def chosen(self, snapshot: Snapshot) -> RoleModel:
        """Who is asked, and how it samples."""
        return self.model or snapshot.role(self.role)


Read = Callable[[ChatReply, Call], StepFact]
"""Turns an answer into the step's outcome: what it is worth is the room's business."""


class PaidWork:
    """Makes the calls of one worker process."""

    def __init__(
        self,
        parts: Parts,
        ledger: Ledger,
        limiter: Limiter,
        aborts: Aborts,
        session: aiohttp.ClientSession,
        environment: Mapping[str, str],
        rng: random.Random,
    ) -> None:
        """Take everything that a call needs."""
        self._parts = parts
        self._ledger = ledger
        self._limiter = limiter
        self._aborts = aborts
        self._session = session
        self._environment = environment
        self._rng = rng

    async def perform(
        self, delivery: Delivery, snapshot: Snapshot, order: Order, read: Read
    ) -> None:
        """Do a step once; returns when its outcome is in the log, or when there is nothing to do.

        Raises:
            Unavailable: when a part is away before anything was sent.
        """
        step = delivery.step
        work, asked = self._work(step, snapshot, order)
        while True:
            async with self._permit(snapshot, order) as permit:
                if permit.cooldown_s:
                    await self._cool_down(delivery, permit.cooldown_s)
                    return
                answer = await self._ledger.claim(work)
                if not isinstance(answer, Granted):
                    await self._not_granted(delivery, answer)
                    return
                asked = replace(asked, token=answer.token, sent_at=now())
                try:
                    ending, event = await self._call(delivery, order, asked, read)
                except TooLate:
                    # Its run may have been paused since: a new claim knows.
                    await self._ledger.release(answer.token)
                    continue
            await self._finish(delivery, answer.token, ending, event)
            return

    def _work(self, step: StepRequested, snapshot: Snapshot, order: Order) -> tuple[Work, Asked]:
        chosen = order.chosen(snapshot)
        backend = snapshot.backend(chosen.backend)
        model = backend.model_named(chosen.model)
        body = order.request.body(backend)
        key = ids.step_key(
            step.run, step.thread, step.step, step.snapshot, hashlib.sha256(body).hexdigest()
        )
        worst = worst_case_micro(model.prices if model else None, len(body), chosen.max_tokens)
        work = Work(
            step_key=key,
            run=step.run,
            thread=step.thread,
            conversation=step.conversation,
            step=step.step,
            emit=step.emit,
            epoch=step.epoch,
            role=order.role,
            backend=backend.name,
            model=chosen.model,
            worst_micro=worst,
            deadline_s=backend.timeout_s,
        )
        nothing = ClaimToken(key, 0, 0, 0.0, 0.0)
        return work, Asked(order.role, backend, chosen.model, nothing, worst, now())

    def _permit(self, snapshot: Snapshot, order: Order) -> Permit:
        chosen = order.chosen(snapshot)
        model = snapshot.backend(chosen.backend).model_named(chosen.model)
        return self._limiter.permit(
            chosen.backend, chosen.model, model.max_concurrency if model else 1
        )

    async def _not_granted(self, delivery: Delivery, answer: Refusal) -> None:
        match answer:
            case Answered(event):
                await self._parts.publisher.append([stored_letter(event)])
            case Crowded(budget):
                await self._append(
                    delivery, _unpaid_id("d", delivery.step), crowded(delivery.step, budget, now())
                )
            case OverCap(budget):
                await self._append(
                    delivery, _unpaid_id("b", delivery.step), over_cap(delivery.step, budget)
                )
            case Held() | Stopped():
                return

    async def _cool_down(self, delivery: Delivery, seconds: float) -> None:
        """The model rests: give the step back to the scheduler instead of holding the message."""
        step = delivery.step
        deferred = StepDeferred.of(
            step,
            not_before=now() + timedelta(seconds=seconds),
            reason="rate_limited",
            detail="the model asked all callers to wait",
            counts=False,
        )
        await self._append(delivery, _unpaid_id("d", step), deferred)

    async def _call(
        self, delivery: Delivery, order: Order, asked: Asked, read: Read
    ) -> tuple[Ending, StepFact]:
        step, model = delivery.step, asked.model
        metrics = self._parts.metrics
        backend = connect(asked.backend, self._environment, self._session)
        with span(
            f"chat {model}",
            delivery.envelope.trace,
            SpanKind.CLIENT,
            step=step.step,
            run=step.run,
            role=order.role,
        ) as traced:
            traced.set_attribute("gen_ai.operation.name", "chat")
            traced.set_attribute("gen_ai.request.model", model)
            try:
                reply = await self._aborts.run_call(
                    step.run, backend.complete(order.request, asked.token)
                )
            except BackendError as error:
                traced.set_attribute("error.type", error.kind.value)
                metrics.llm_errors.labels(model, error.kind.value).inc()
                await self._limiter.report(asked.backend.name, model, error)
                call = asked.went_wrong(error)
                return after_error(step, error, call, now(), self._rng.random())
            except Aborted:
                return "aborted", aborted(step, asked.unknown("aborted"))
            await self._limiter.report(asked.backend.name, model, None)
            call = asked.answered(reply)
            self._measure(call)
            traced.set_attribute("gen_ai.usage.input_tokens", reply.usage.input_tokens)
            traced.set_attribute("gen_ai.usage.output_tokens", reply.usage.output_tokens)
        event = read(reply, call)
        return ("failed" if isinstance(event, StepFailed) else "finished"), event

    def _measure(self, call: Call) -> None:
        metrics = self._parts.metrics
        metrics.llm_seconds.labels(call.model).observe((call.latency_ms or 0) / 1000)
        if call.usage is not None:
            metrics.llm_tokens.labels(call.model, "input").inc(call.usage.input_tokens)
            metrics.llm_tokens.labels(call.model, "output").inc(call.usage.output_tokens)
        if call.cost_micro is not None:
            purpose = call.role if call.role in ("judge", "memory", "roughen") else "generation"
            metrics.llm_cost_usd.labels(call.model, purpose).inc(call.cost_micro / 1e6)

    async def _finish(
        self, delivery: Delivery, token: ClaimToken, ending: Ending, event: StepFact
    ) -> None:
        step = delivery.step
        if ending == "aborted":
            event_id = ids.call_event_id(token.step_key, token.attempt, "aborted")
        else:
            event_id = ids.outcome_id(step.run, step.thread, step.step, token.attempt)
        letter = self._parts.letter(
            event_id,
            event,  # type: ignore[arg-type]  # every StepFact that a step comes back with is an Event
            cause=delivery.envelope.id,
            trace=delivery.envelope.trace,
        )
        call: Call = event.call  # type: ignore[attr-defined]  # outcomes of paid steps carry their call
        settlement = Settlement(token, ending, call, event_id, letter.body.decode())
        if await self._settle(settlement):
            await self._parts.publisher.append([letter])
        else:
            log.warning(
                "lease lost, answer not used",
                extra={"action": "settle", "step_key": token.step_key},
            )

    async def _settle(self, settlement: Settlement) -> bool:
        """Store how the call ended, however long Postgres is away; an answer that was paid for is not given up."""
        wait_s = 0.1
        while True:
            try:
                return await self._ledger.settle(settlement)
            except Exception as error:
                # Whatever it is, a later try may pass; without an outage only as long as nobody else books the call.
                lasts = isinstance(error, Unavailable)
                if not lasts and not settlement.token.seconds_left(time.monotonic()):
                    raise
                log.warning("settle waits", extra={"action": "settle", "error": repr(error)})
                await asyncio.sleep(wait_s)
                wait_s = min(2.0, wait_s * 2)

    async def _append(
        self, delivery: Delivery, event_id: str, event: StepBlocked | StepDeferred
    ) -> None:
        letter = self._parts.letter(
            event_id, event, cause=delivery.envelope.id, trace=delivery.envelope.trace
        )
        await self._parts.publisher.append([letter])


def _unpaid_id(what: str, step: StepRequested) -> str:
    return f"{what}:{step.run}:{step.thread}:{step.step}:{step.emit}"
