"""The room of a stage that makes paid calls: queue, ledger, limiter, and the craft that knows what to ask."""

import asyncio
import os
import random
import time
from collections.abc import Mapping
from typing import Protocol

from convo_events import ids
from convo_events.conversations import Turn
from convo_events.outcomes import Generated, Judged, StepFact, StepFailed
from convo_events.plan import Draw
from convo_events.service import Parts
from convo_events.snapshot import Snapshot
from convo_events.snapshots import Snapshots
from convo_events.steps import StepRequested
from convo_events.steps_queue import Delivery, StepQueue
from convo_events.usage import Call
from convo_models.aborts import Aborts
from convo_models.backends.protocol import ChatReply
from convo_models.backends.session import open_session
from convo_models.draws import Draws
from convo_models.ledger import Ledger
from convo_models.limiter import Limiter
from convo_models.memories import Memories
from convo_models.paid_work import Order, PaidWork
from convo_models.past import Past
from convo_models.transcripts import Transcripts


class Craft(Protocol):
    """What a stage knows: pure, both ways."""

    def order(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw, past: Past
    ) -> Order | StepFailed:
        """What to ask for a step, or why nothing can be asked."""

    def read(
        self,
        step: StepRequested,
        snapshot: Snapshot,
        drawn: Draw,
        past: Past,
        reply: ChatReply,
        call: Call,
    ) -> StepFact:
        """What an answer is worth."""


class Unasked(Protocol):
    """Steps for which no model is asked."""

    async def outcome(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw
    ) -> Generated | StepFailed | None:
        """What such a step comes back with; None for a step that a model is asked for."""


class Earlier(Protocol):
    """Answers that were paid for before."""

    async def find(self, step: StepRequested, snapshot: Snapshot, order: Order) -> Judged | None:
        """The outcome that a step gets without a call; None where the call has to be made."""


class PaidRoom:
    """Works on one stage until stopped."""

    def __init__(
        self,
        parts: Parts,
        stage: str,
        craft: Craft,
        environment: Mapping[str, str] | None = None,
        earlier: Earlier | None = None,
        unasked: Unasked | None = None,
    ) -> None:
        """Take the parts and the craft; keys come from ``environment``, by default the process's own."""
        settings = parts.settings
        self._parts = parts
        self._stage = stage
        self._craft = craft
        self._earlier = earlier
        self._unasked = unasked
        self._environment = dict(os.environ if environment is None else environment)
        self._rng = random.Random(settings.owner)
        self._ledger = Ledger(parts.pool, settings.owner)
        self._snapshots = Snapshots(parts.pool)
        self._transcripts = Transcripts(parts.pool)
        self._memories = Memories(parts.pool)
        self._draws = Draws()
        self._queue = StepQueue(
            parts.client,
            stage,
            self._handle,
            self._give_up,
            slots=settings.slots,
            ack_wait_s=settings.ack_wait_s,
            rng=self._rng,
        )

    async def run(self) -> None:
        """Take steps until stopped, then finish what is under way."""
        parts = self._parts
        await self._ledger.take_over(parts.settings.instance)
        limiter = Limiter(parts.pool, parts.settings.owner, self._rng, time.monotonic)
        aborts = Aborts(parts.pool, parts.client)
        async with open_session() as session:
            self._work = PaidWork(
                parts, self._ledger, limiter, aborts, session, self._environment, self._rng
            )
            watch = asyncio.create_task(aborts.watch())
            pulling = asyncio.create_task(self._queue.run())
            stop = asyncio.create_task(parts.stopping.wait())
            try:
                await asyncio.wait({pulling, stop, watch}, return_when=asyncio.FIRST_COMPLETED)
                self._queue.stop()
                await pulling
                if watch.done():
                    watch.result()
            finally:
                watch.cancel()
                stop.cancel()
                await limiter.close()

    async def _handle(self, delivery: Delivery) -> None:
        step = delivery.step
        metrics = self._parts.metrics
        started = time.monotonic()
        with metrics.inflight.labels(self._stage).track_inprogress():
            await self._do(step, delivery)
        metrics.stage_seconds.labels(self._stage).observe(time.monotonic() - started)

    async def _do(self, step: StepRequested, delivery: Delivery) -> None:
        snapshot = await self._snapshots.get(step.snapshot)
        drawn = self._draws.get(step, snapshot)
        known = await self._unasked.outcome(step, snapshot, drawn) if self._unasked else None
        if known is not None:
            self._parts.metrics.steps.labels(self._stage, known.type).inc()
            failed = isinstance(known, StepFailed)
            imported = ids.imported_id(step.run, step.thread, step.conversation)
            await self._append(delivery, known, _unpaid_id("u", step) if failed else imported)
            return
        past = await self._past(step, snapshot)
        order = self._craft.order(step, snapshot, drawn, past)
        if isinstance(order, StepFailed):
            await self._append(delivery, order, _unpaid_id("f", step))
            return
        found = await self._earlier.find(step, snapshot, order) if self._earlier else None
        if found is not None:
            self._parts.metrics.steps.labels(self._stage, found.type).inc()
            await self._append(delivery, found, _unpaid_id("e", step))
            return

        def read(reply: ChatReply, call: Call) -> StepFact:
            outcome = self._craft.read(step, snapshot, drawn, past, reply, call)
            self._parts.metrics.steps.labels(self._stage, outcome.type).inc()  # type: ignore[attr-defined]
            if isinstance(outcome, Judged) and not outcome.note:
                return outcome.model_copy(update={"request": order.cache_key})
            return outcome

        await self._work.perform(delivery, snapshot, order, read)

    async def _past(self, step: StepRequested, snapshot: Snapshot) -> Past:
        """What the step starts from; a late delivery finds more stored, and gets what the first one got."""
        turns: tuple[Turn, ...] = ()
        if step.turn:
            name = ids.conversation_id(step.run, step.thread, step.conversation)
            stored = await self._transcripts.get(name)
            settled = step.kind in ("judge", "memory")
            turns = (stored.turns if settled else stored.generated)[: step.turn]
        memory = ""
        if snapshot.config.memory is not None:
            memory = await self._memories.before(step.run, step.thread, step.conversation)
        return Past(turns, memory)

    async def _give_up(self, delivery: Delivery, why: str) -> None:
        step = delivery.step
        failure = StepFailed.of(
            step,
            reason="pipeline_failed",
            detail=why,
            retryable=False,
        )
        self._parts.metrics.dead_letters.labels(self._stage).inc()
        await self._append(delivery, failure, _unpaid_id("f", step))

    async def _append(
        self, delivery: Delivery, outcome: StepFailed | Judged | Generated, event_id: str
    ) -> None:
        letter = self._parts.letter(
            event_id, outcome, cause=delivery.envelope.id, trace=delivery.envelope.trace
        )
        await self._parts.publisher.append([letter])


def _unpaid_id(what: str, step: StepRequested) -> str:
    """The id of an outcome without a call stands for the request, since there is no attempt."""
    return f"{what}:{step.run}:{step.thread}:{step.step}:{step.emit}"
