"""The pull loop for steps: free slots only, a sign of life from receipt, confirmed at the end.

FastStream's pull subscriber fetches more than it can work on and sends no sign of life, which for calls of a minute
means calls made twice (ag2ai/faststream#2563); so steps have this small loop of their own.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from convo_events.codec import Undecodable, decode
from convo_events.envelope import Envelope
from convo_events.errors import Unavailable
from convo_events.steps import StepRequested
from convo_events.subjects import LOG_STREAM, dead_subject

log = logging.getLogger(__name__)

MOST_DELIVERIES = 5
"""After so many deliveries a step is given up: dead letter, and its thread fails. Outages are waited out instead."""
FEW = 16
LINGER_S = 0.004
"""After a pull of fewer than ``FEW`` the next waits this long for company: a pull costs more than a message."""
_BACKOFF_S = (1.0, 5.0, 15.0, 60.0)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A step in the hands of this worker."""

    envelope: Envelope
    step: StepRequested
    delivered: int
    """How often it was delivered, from 1."""


Handle = Callable[[Delivery], Awaitable[None]]
"""Does a step and appends its outcome. Returning confirms the message; raising gives it back with a delay."""
GiveUp = Callable[[Delivery, str], Awaitable[None]]
"""Appends the failure of a step that no delivery could handle."""


class StepQueue:
    """Takes the steps of one stage and hands them to a handler, at most ``slots`` at once."""

    def __init__(
        self,
        client: Client,
        stage: str,
        handle: Handle,
        give_up: GiveUp,
        *,
        slots: int,
        ack_wait_s: float,
        rng: random.Random,
        paid: bool = True,
    ) -> None:
        """Take what the loop works with; nothing starts before ``run``.

        Args:
            client: Connected to NATS.
            stage: Class of the steps, which names the durable consumer.
            handle: Does a step.
            give_up: Says that a step cannot be done.
            slots: Most steps held at once.
            ack_wait_s: The consumer's patience; a sign of life goes out three times in it.
            rng: Spreads delays.
            paid: Hear every confirmation; a step that costs nothing may rather be done twice than waited for.
        """
        self._client = client
        self._stage = stage
        self._handle = handle
        self._give_up = give_up
        self._slots = slots
        self._ack_wait_s = ack_wait_s
        self._rng = rng
        self._paid = paid
        self._held: dict[asyncio.Task[None], Msg] = {}
        self._freed = asyncio.Event()
        self._stopping = asyncio.Event()

    @property
    def held(self) -> int:
        """Steps in work now."""
        return len(self._held)

    def stop(self) -> None:
        """Take nothing more; ``run`` returns when what is held is done."""
        self._stopping.set()
        self._freed.set()

    async def run(self) -> None:
        """Pull until stopped, then finish what is held."""
        heartbeat = asyncio.create_task(self._beat())
        try:
            while not self._stopping.is_set():
                await self._pull()
            if self._held:
                await asyncio.wait(self._held)
        finally:
            heartbeat.cancel()

    async def _pull(self) -> None:
        js = self._client.jetstream(timeout=10)
        try:
            subscription = await js.pull_subscribe_bind(durable=self._stage, stream=LOG_STREAM)
        except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
            log.warning(
                "waiting for NATS",
                extra={"action": "pull", "stage": self._stage, "error": repr(error)},
            )
            await asyncio.sleep(0.5)
            return
        while not self._stopping.is_set():
            free = self._slots - len(self._held)
            if free <= 0:
                self._freed.clear()
                await self._freed.wait()
                continue
            try:
                messages = await subscription.fetch(min(free, 256), timeout=1.0)
            except (nats.errors.TimeoutError, TimeoutError):
                continue
            except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
                log.warning(
                    "pull failed",
                    extra={"action": "pull", "stage": self._stage, "error": repr(error)},
                )
                await asyncio.sleep(0.5)
                break
            for message in messages:
                self._start(message)
            if len(messages) < FEW:
                await asyncio.sleep(LINGER_S)
        await _unsubscribe(subscription)

    def _start(self, message: Msg) -> None:
        task = asyncio.create_task(self._work(message))
        self._held[task] = message
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        del self._held[task]
        self._freed.set()
        if not task.cancelled() and task.exception() is not None:
            log.error(
                "step loop failed",
                exc_info=task.exception(),
                extra={"action": "work", "stage": self._stage},
            )

    async def _work(self, message: Msg) -> None:
        try:
            envelope, event = decode(message.data)
            if not isinstance(event, StepRequested):
                raise Undecodable(f"{event.type} is no step")
        except Undecodable as error:
            await self._bury(message, str(error))
            return
        delivery = Delivery(envelope, event, message.metadata.num_delivered or 1)
        try:
            if delivery.delivered > MOST_DELIVERIES:
                why = f"given up after {MOST_DELIVERIES} deliveries"
                await self._give_up(delivery, why)
                await self._bury(message, why)
                return
            await self._through_outages(delivery)
        except Unavailable as error:
            await self._give_back(message, delivery, repr(error))
        except Exception as error:
            log.exception(
                "step failed", extra={"action": "work", "stage": self._stage, "event": envelope.id}
            )
            await self._give_back(message, delivery, repr(error))
        else:
            await self._confirm(message)

    async def _through_outages(self, delivery: Delivery) -> None:
        """Do a step, again and again while a part is away: an outage uses up no delivery, however long it is.

        Raises:
            Unavailable: when this worker is stopped before the part is back.
        """
        wait_s = 0.2
        while True:
            try:
                return await self._handle(delivery)
            except Unavailable as error:
                if self._stopping.is_set():
                    raise
                log.warning(
                    "step waits for a part that is away",
                    extra={"action": "wait", "stage": self._stage, "error": repr(error)},
                )
            try:
                await asyncio.wait_for(self._stopping.wait(), wait_s * self._rng.uniform(0.8, 1.2))
            except TimeoutError:
                wait_s = min(5.0, wait_s * 2)

    async def _confirm(self, message: Msg) -> None:
        """Confirm, and hear the confirmation; a lost one means a redelivery, which the ledger answers."""
        try:
            if self._paid:
                await message.ack_sync(timeout=5)
            else:
                await message.ack()
        except (nats.errors.Error, OSError, TimeoutError) as error:
            log.warning(
                "not confirmed", extra={"action": "ack", "stage": self._stage, "error": repr(error)}
            )

    async def _give_back(self, message: Msg, delivery: Delivery, why: str) -> None:
        delay_s = _BACKOFF_S[min(delivery.delivered, len(_BACKOFF_S)) - 1] * self._rng.uniform(
            0.8, 1.2
        )
        log.warning(
            "step given back",
            extra={"action": "nak", "stage": self._stage, "delay_s": delay_s, "error": why},
        )
        try:
            await message.nak(delay=delay_s)
        except (nats.errors.Error, OSError) as error:
            log.warning(
                "not given back",
                extra={"action": "nak", "stage": self._stage, "error": repr(error)},
            )

    async def _bury(self, message: Msg, why: str) -> None:
        """Keep the bytes and the reason, and take the message out of the queue."""
        log.error("dead letter", extra={"action": "dead", "stage": self._stage, "error": why})
        headers = {"Convo-Reason": " ".join(why.split())[:500], "Convo-Subject": message.subject}
        try:
            await self._client.jetstream(timeout=10).publish(
                dead_subject(self._stage), message.data, headers=headers
            )
            await message.term()
        except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
            log.warning(
                "dead letter not stored",
                extra={"action": "dead", "stage": self._stage, "error": repr(error)},
            )

    async def _beat(self) -> None:
        """Tell NATS that every held step is alive, from its receipt to its end."""
        while True:
            await asyncio.sleep(self._ack_wait_s / 3)
            for message in list(self._held.values()):
                try:
                    await message.in_progress()
                except (nats.errors.Error, OSError) as error:
                    log.debug(
                        "no sign of life sent", extra={"action": "beat", "error": repr(error)}
                    )


async def _unsubscribe(subscription: "nats.js.JetStreamContext.PullSubscription") -> None:
    try:
        await subscription.unsubscribe()
    except (nats.errors.Error, OSError) as error:
        log.debug("not unsubscribed", extra={"action": "pull", "error": repr(error)})
