"""The pull loop for steps on a real NATS: free slots only, signs of life, and an end for what cannot be done."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import DeliverPolicy

from convo_events.errors import Unavailable
from convo_events.log import LogPublisher, letter
from convo_events.steps import StepRequested
from convo_events.steps_queue import MOST_DELIVERIES, Delivery, StepQueue
from convo_events.streams import stage_config
from convo_events.subjects import DEAD_STREAM, LOG_STREAM, dead_subject
from tests.histories import envelope

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
PATIENCE_S = 120.0
ACK_WAIT_S = 60.0
"""Of the consumer: longer than any stall of the machine, which would have a step delivered again."""
SHORT_ACK_WAIT_S = 6.0


def step(number: int) -> StepRequested:
    return StepRequested(
        run="run-q",
        thread=0,
        conversation=0,
        step=number,
        leader=1,
        epoch=1,
        kind="generate",
        emit=1,
        snapshot="s",
    )


@dataclass
class Worker:
    """Does steps as it is told, and keeps what it saw."""

    seen: list[tuple[int, int]] = field(default_factory=list)
    """(step, delivery) in the order of arrival."""
    given_up: list[tuple[int, str]] = field(default_factory=list)
    doing: int = 0
    peak: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    trouble: Callable[[Delivery], Exception | None] = lambda delivery: None
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    done: list[int] = field(default_factory=list)

    async def handle(self, delivery: Delivery) -> None:
        self.doing += 1
        self.peak = max(self.peak, self.doing)
        self.seen.append((delivery.step.step, delivery.delivered))
        await self.tell()
        try:
            await self.gate.wait()
            problem = self.trouble(delivery)
            if problem is not None:
                raise problem
            self.done.append(delivery.step.step)
        finally:
            self.doing -= 1
            await self.tell()

    async def give_up(self, delivery: Delivery, why: str) -> None:
        self.given_up.append((delivery.step.step, why))
        await self.tell()

    async def tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S), self.changed:
            await self.changed.wait_for(holds)


class Calm(random.Random):
    """Spreads no delay."""

    def uniform(self, a: float, b: float) -> float:
        return 1.0


@pytest.fixture
async def queue_name(js: JetStreamContext) -> AsyncIterator[str]:
    """The consumer of the generators, made anew behind all that is in the log."""
    config = stage_config("gen", ACK_WAIT_S).evolve(deliver_policy=DeliverPolicy.NEW)
    await js.delete_consumer(LOG_STREAM, "gen")
    await js.add_consumer(LOG_STREAM, config)
    yield "gen"
    await js.delete_consumer(LOG_STREAM, "gen")


@asynccontextmanager
async def working(
    client: Client, name: str, worker: Worker, slots: int = 8, ack_wait_s: float = ACK_WAIT_S
) -> AsyncIterator[StepQueue]:
    queue = StepQueue(
        client,
        name,
        worker.handle,
        worker.give_up,
        slots=slots,
        ack_wait_s=ack_wait_s,
        rng=Calm(),
    )
    running = asyncio.create_task(queue.run())
    try:
        yield queue
    finally:
        worker.gate.set()
        queue.stop()
        async with asyncio.timeout(PATIENCE_S):
            await running


async def ask(publisher: LogPublisher, *numbers: int) -> None:
    await publisher.append([letter(envelope(f"s:{n}", n), step(n)) for n in numbers])


async def pending(js: JetStreamContext) -> tuple[int, int]:
    """(waiting, handed out and not confirmed) of the queue."""
    info = await js.consumer_info(LOG_STREAM, "gen")
    return info.num_pending or 0, info.num_ack_pending or 0


async def until_confirmed(js: JetStreamContext) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await pending(js) != (0, 0):
            await asyncio.sleep(0.02)


async def next_dead(js: JetStreamContext, after: int) -> Msg:
    """The first dead letter behind a sequence."""
    async with asyncio.timeout(PATIENCE_S):
        while (await js.stream_info(DEAD_STREAM)).state.last_seq <= after:
            await asyncio.sleep(0.02)
    subscription = await js.pull_subscribe(
        dead_subject("gen"), stream=DEAD_STREAM, config=None, durable=None
    )
    while True:
        (message,) = await subscription.fetch(1, timeout=PATIENCE_S)
        await message.ack()
        if message.metadata.sequence.stream == after + 1:
            await subscription.unsubscribe()
            return message


@pytest.fixture
async def dead(js: JetStreamContext) -> int:
    """Dead letters before the test."""
    return (await js.stream_info(DEAD_STREAM)).state.last_seq


async def test_steps_are_done_once_and_confirmed(
    client: Client, js: JetStreamContext, publisher: LogPublisher, queue_name: str
) -> None:
    worker = Worker()
    worker.gate.set()
    async with working(client, queue_name, worker):
        await ask(publisher, *range(30))
        await worker.until(lambda: len(worker.done) == 30)
        await until_confirmed(js)

    assert sorted(worker.seen) == [(n, 1) for n in range(30)]


async def test_i12_no_more_is_held_than_there_are_slots(
    client: Client, js: JetStreamContext, publisher: LogPublisher, queue_name: str
) -> None:
    worker = Worker()
    await ask(publisher, *range(20))
    async with working(client, queue_name, worker, slots=4) as queue:
        await worker.until(lambda: worker.doing == 4)
        assert queue.held == 4
        assert await pending(js) == (16, 4)
        worker.gate.set()
        await worker.until(lambda: len(worker.done) == 20)

    assert worker.peak == 4


async def test_i4_a_step_that_takes_long_is_not_given_to_another(
    client: Client, js: JetStreamContext, publisher: LogPublisher, queue_name: str
) -> None:
    """Signs of life go out so often that one may be late by seconds."""
    slow, idle = Worker(), Worker()
    config = stage_config("gen", SHORT_ACK_WAIT_S).evolve(deliver_policy=DeliverPolicy.NEW)
    await js.delete_consumer(LOG_STREAM, "gen")
    await js.add_consumer(LOG_STREAM, config)
    await ask(publisher, 1)
    loop = asyncio.get_running_loop()
    async with working(client, queue_name, slow, ack_wait_s=SHORT_ACK_WAIT_S / 6):
        await slow.until(lambda: slow.doing == 1)
        async with working(client, queue_name, idle):
            done = loop.time() + 1.2 * SHORT_ACK_WAIT_S
            while loop.time() < done:
                await asyncio.sleep(0.1)
                assert await pending(js) == (0, 1)
        slow.gate.set()
        await until_confirmed(js)

    assert slow.seen == [(1, 1)]
    assert idle.seen == []


async def test_an_outage_is_waited_out_and_uses_up_no_delivery(
    client: Client, js: JetStreamContext, publisher: LogPublisher, queue_name: str
) -> None:
    away = [Unavailable("away", part="postgres")] * 3
    worker = Worker(trouble=lambda delivery: away.pop() if away else None)
    worker.gate.set()
    async with working(client, queue_name, worker):
        await ask(publisher, 1)
        await worker.until(lambda: worker.done == [1])
        await until_confirmed(js)

    assert worker.seen == [(1, 1)] * 4
    assert worker.given_up == []


async def test_a_bug_in_one_step_stops_no_other(
    client: Client, js: JetStreamContext, publisher: LogPublisher, queue_name: str
) -> None:
    def broken(delivery: Delivery) -> Exception | None:
        wrong = delivery.step.step == 3 and delivery.delivered == 1
        return KeyError("bug") if wrong else None

    worker = Worker(trouble=broken)
    worker.gate.set()
    async with working(client, queue_name, worker):
        await ask(publisher, *range(6))
        await worker.until(lambda: sorted(worker.done) == list(range(6)))

    assert sorted(worker.seen) == sorted([*((n, 1) for n in range(6)), (3, 2)])


@pytest.mark.parametrize(
    "poison",
    [b"{", b"\xff\xfe", b'{"event": {"type": "step.dreamed"}}'],
    ids=["json", "utf8", "type"],
)
async def test_what_is_no_step_is_buried_with_its_reason(
    client: Client,
    js: JetStreamContext,
    publisher: LogPublisher,
    queue_name: str,
    dead: int,
    poison: bytes,
) -> None:
    worker = Worker()
    worker.gate.set()
    async with working(client, queue_name, worker):
        await js.publish("convo.ev.gen.run-q.0", poison)
        await ask(publisher, 1)
        await worker.until(lambda: worker.done == [1])
        message = await next_dead(js, dead)
        await until_confirmed(js)

    assert message.data == poison
    assert message.headers is not None
    assert "event" in message.headers["Convo-Reason"]
    assert message.headers["Convo-Subject"] == "convo.ev.gen.run-q.0"
    assert worker.given_up == []


async def test_after_five_deliveries_a_step_is_given_up_once(
    client: Client, js: JetStreamContext, publisher: LogPublisher, queue_name: str, dead: int
) -> None:
    await ask(publisher, 1)
    subscription = await js.pull_subscribe_bind(durable="gen", stream=LOG_STREAM)
    for number in range(MOST_DELIVERIES):
        (message,) = await subscription.fetch(1, timeout=PATIENCE_S)
        assert message.metadata.num_delivered == number + 1
        await message.nak()
    await subscription.unsubscribe()
    worker = Worker()
    worker.gate.set()
    async with working(client, queue_name, worker):
        await worker.until(lambda: bool(worker.given_up))
        message = await next_dead(js, dead)
        await until_confirmed(js)

    assert worker.seen == []
    assert worker.given_up == [(1, "given up after 5 deliveries")]
    assert message.headers is not None
    assert message.headers["Convo-Reason"] == "given up after 5 deliveries"
    assert (await js.stream_info(DEAD_STREAM)).state.last_seq == dead + 1


async def test_an_orderly_stop_finishes_what_is_held_and_takes_no_more(
    client: Client, js: JetStreamContext, publisher: LogPublisher, queue_name: str
) -> None:
    worker = Worker()
    await ask(publisher, *range(5))
    async with working(client, queue_name, worker, slots=2) as queue:
        await worker.until(lambda: worker.doing == 2)
        queue.stop()
        worker.gate.set()
        await worker.until(lambda: len(worker.done) == 2)
    assert queue.held == 0
    assert len(worker.seen) == 2
    assert await pending(js) == (3, 0)
