"""A paid step whose claim comes too late to start under, and one whose answer is hard to book."""

import random
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from convo_events.conversations import Turn
from convo_events.envelope import Envelope
from convo_events.outcomes import Generated, StepFact
from convo_events.service import Parts
from convo_events.settings import Settings
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.steps_queue import Delivery
from convo_events.store import Pool
from convo_events.telemetry import Metrics
from convo_events.usage import Call
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models.aborts import Aborts
from convo_models.backends.protocol import ChatReply, ChatRequest
from convo_models.backends.session import open_session
from convo_models.claims import Answer, Granted, Work
from convo_models.ledger import Ledger
from convo_models.ledger_rows import Settlement
from convo_models.limiter import Limiter
from convo_models.paid_work import Order, PaidWork
from tests.databases import migrated
from tests.fake_provider.client import FakeProvider
from tests.journeys.configs import snapshot
from tests.models.booked import RUN, attempts, plan
from tests.scheduler.parts import MemoryLog

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
STEP = StepRequested(
    run=RUN,
    thread=0,
    conversation=0,
    leader=1,
    epoch=1,
    step=1,
    kind="generate",
    emit=1,
    snapshot="s",
)
ORDER = Order("user", ChatRequest("writer", (("user", "Say hello."),), max_tokens=64))


class SlowLedger(Ledger):
    """A ledger whose first answers come too late to start under; all others leave all the time there is."""

    def __init__(self, pool: Pool, late: int) -> None:
        super().__init__(pool, "generator-1/1")
        self.late = late
        self.asked = 0

    async def claim(self, work: Work) -> Answer:
        answer = await super().claim(work)
        self.asked += 1
        if not isinstance(answer, Granted):
            return answer
        start_within_s = -1.0 if self.asked <= self.late else 3_600.0
        return Granted(replace(answer.token, start_within_s=start_within_s))


class StumblingLedger(Ledger):
    """A ledger that cannot book the first answers, for reasons that nobody has a name for."""

    def __init__(self, pool: Pool, stumbles: int) -> None:
        super().__init__(pool, "generator-1/1")
        self.stumbles = stumbles

    async def settle(self, settlement: Settlement) -> bool:
        self.stumbles -= 1
        if self.stumbles >= 0:
            raise asyncpg.InternalClientError("cannot switch to state 12")
        return await super().settle(settlement)


def said(reply: ChatReply, call: Call) -> StepFact:
    turn = Turn.model_validate({"role": "user", "text": reply.text})
    place: dict[str, Any] = {"run": RUN, "thread": 0, "conversation": 0, "step": 1}
    return Generated(**place, turns=(turn,), first_turn=0, finish="stop", call=call)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


async def perform(pool: Pool, ledger: Ledger, provider: FakeProvider, log: MemoryLog) -> None:
    frozen: Snapshot = snapshot(1)
    environment = {"FAKE_URL": provider.base_url, "FAKE_KEY": "k-test"}
    settings = Settings.from_env(
        {"CONVO_NATS_URL": "nats://nowhere", "CONVO_DATABASE_URL": "postgresql://nowhere/none"}
    )
    nobody: Any = None
    publisher: Any = log
    parts = Parts(settings, pool, nobody, Metrics(), publisher, log_created="log-1")
    rng = random.Random(1)
    limiter = Limiter(pool, "generator-1/1", rng, time.monotonic)
    async with open_session() as session:
        aborts = Aborts(pool, nobody)
        work = PaidWork(parts, ledger, limiter, aborts, session, environment, rng)
        delivery = Delivery(Envelope("e-1", "2026-03-01T12:00:00Z", "test-1"), STEP, 1)
        await work.perform(delivery, frozen, ORDER, said)
    await limiter.close()


async def test_i6_what_comes_too_late_to_start_is_claimed_again(pool: Pool) -> None:
    await plan(pool, cap_micro=1_000_000)
    ledger, log = SlowLedger(pool, late=2), MemoryLog()
    with FakeProvider.start() as provider:
        await perform(pool, ledger, provider, log)
        assert provider.stats().requests == 1
    assert ledger.asked == 3
    assert [(step, attempt, state) for step, attempt, state, _ in await attempts(pool)] == [
        (1, 1, "finished")
    ]
    assert [event.type for event in log.events] == ["step.generated"]


async def test_i6_a_run_that_was_paused_meanwhile_sends_nothing(pool: Pool) -> None:
    class Paused(SlowLedger):
        async def claim(self, work: Work) -> Answer:
            answer = await super().claim(work)
            await pool.execute("update run_control set status = 'paused', epoch = 2")
            return answer

    await plan(pool, cap_micro=1_000_000)
    ledger, log = Paused(pool, late=1), MemoryLog()
    with FakeProvider.start() as provider:
        await perform(pool, ledger, provider, log)
        assert provider.stats().requests == 0
    assert ledger.asked == 2
    assert await attempts(pool) == []
    assert await pool.fetchval("select reserved_micro from run_budget") == 0
    assert log.events == []


async def test_i4_an_answer_that_was_paid_for_is_booked_whatever_stands_in_the_way(
    pool: Pool,
) -> None:
    await plan(pool, cap_micro=1_000_000)
    log = MemoryLog()
    with FakeProvider.start() as provider:
        await perform(pool, StumblingLedger(pool, stumbles=2), provider, log)
        assert provider.stats().requests == 1
    assert [state for *_, state, _ in await attempts(pool)] == ["finished"]
    assert [event.type for event in log.events] == ["step.generated"]
