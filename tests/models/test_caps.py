"""A spend cap under load on a real Postgres: never passed, whole again in the end, and changed while calls run."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import pytest

from convo_events.errors import Unavailable
from convo_events.store import Pool, outage_named
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models.budgets import set_cap, standing
from convo_models.claims import Crowded, Granted, OverCap, Work
from convo_models.ledger import Ledger
from convo_models.reaper import reap
from tests.databases import migrated
from tests.models.booked import RUN, budget, expire, granted, plan, settlement, work

pytestmark = [pytest.mark.anyio, pytest.mark.connected]

T = TypeVar("T")
CAP = 40_000
WORKERS = 200


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


async def change_cap(pool: Pool, cap_micro: int | None) -> None:
    """As the scheduler does it: with the run's control row held, and again where Postgres turned it back."""
    async with outage_named(), pool.acquire() as c, c.transaction():
        await c.execute("select from run_control where run = $1 for update", RUN)
        await set_cap(c, RUN, cap_micro)


async def kept_up(pool: Pool) -> bool:
    """Whether the run's budget says what its open calls hold, seen at one moment."""
    return bool(
        await pool.fetchval(
            "select b.reserved_micro = (select coalesce(sum(m.reserved_micro), 0) from model_call m"
            " where m.run = b.run and m.state = 'started') from run_budget b where b.run = $1",
            RUN,
        )
    )


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """Ask until Postgres does it: two changes of a cap in a moment may have turned it back as a deadlock."""
    while True:
        try:
            return await ask()
        except Unavailable:
            await asyncio.sleep(0)


@dataclass
class Workers:
    """Workers that call until their work is done or nothing fits under the cap any more."""

    ledgers: Sequence[Ledger]
    rng: random.Random
    over: int = 0
    paid: int = 0
    killed: list[Work] = field(default_factory=list)

    async def one(self, number: int) -> None:
        ledger = self.ledgers[number % len(self.ledgers)]
        for step in range(number * 10 + 1, number * 10 + 4):
            wanted = work(step, worst_micro=self.rng.randint(1, 900))
            if not await self._call(ledger, wanted):
                return

    async def _call(self, ledger: Ledger, wanted: Work) -> bool:
        """One step; False where the cap is reached or the worker was killed with its call open."""
        asked = wanted
        while True:
            answer = await patiently(lambda asked=asked: ledger.claim(asked))
            if isinstance(answer, OverCap):
                self.over += 1
                return False
            if isinstance(answer, Crowded):
                asked = replace(asked, emit=asked.emit + 1)
                await asyncio.sleep(0)
                continue
            assert isinstance(answer, Granted), answer
            return await self._end(ledger, wanted, answer)

    async def _end(self, ledger: Ledger, wanted: Work, answer: Granted) -> bool:
        worst = wanted.worst_micro or 0
        cost, token = self.rng.randint(0, worst), answer.token
        fate = self.rng.random()
        if fate < 0.1:
            self.killed.append(wanted)
            return False
        if fate < 0.2:
            await patiently(lambda: ledger.release(token))
            return True
        if fate < 0.3:
            ended = settlement(wanted, token, "aborted", cost_micro=worst, error="aborted")
        elif fate < 0.4:
            ended = settlement(wanted, token, "failed", cost_micro=worst, error="timeout")
        else:
            ended = settlement(wanted, token, cost_micro=cost)
        self.paid += ended.call.cost_micro or 0
        assert await patiently(lambda: ledger.settle(ended))
        return True


async def watched(pool: Pool, done: asyncio.Event) -> int:
    """How often the budget was looked at while the workers went; it held every time."""
    looks = 0
    while not done.is_set():
        spent, reserved = await budget(pool)
        assert spent + reserved <= CAP
        assert await kept_up(pool)
        looks += 1
    return looks


async def test_c12_two_hundred_workers_never_pass_the_cap_and_leave_nothing_reserved(
    pool: Pool,
) -> None:
    await plan(pool, cap_micro=CAP)
    workers = Workers([Ledger(pool, f"generator-{n}/1") for n in range(4)], random.Random(5))
    done = asyncio.Event()
    watch = asyncio.create_task(watched(pool, done))
    try:
        async with asyncio.timeout(300):
            await asyncio.gather(*(_reaping(pool, workers, n) for n in range(WORKERS)))
    finally:
        done.set()
    assert await watch > 0
    assert workers.over > 0, "the cap was reached"
    assert workers.killed, "some were killed"

    await expire(pool)
    await reap(pool, "projector-1")

    unknown = sum(wanted.worst_micro or 0 for wanted in workers.killed)
    assert await budget(pool) == (workers.paid + unknown, 0)
    assert workers.paid + unknown <= CAP
    booked = await pool.fetchval("select sum(cost_micro) from model_attempt")
    assert booked == workers.paid + unknown
    held = await pool.fetchval("select count(*) from model_call where reserved_micro <> 0")
    assert held == 0


async def _reaping(pool: Pool, workers: Workers, number: int) -> None:
    """A worker, and after it a reaper for whoever died: others wait for what the dead have reserved."""
    before = len(workers.killed)
    await workers.one(number)
    if len(workers.killed) > before:
        dead = workers.killed[-1]
        await pool.execute(
            "update model_call set lease_until = clock_timestamp() where step_key = $1",
            dead.step_key,
        )
        await patiently(lambda: reap(pool, "projector-1"))


async def test_a_call_waits_for_what_is_in_flight_and_then_fits(pool: Pool) -> None:
    """Two small calls hold what a dear one needs: it is no reason to pause, for they cost less than they may."""
    await plan(pool, cap_micro=1_000)
    ledger = Ledger(pool, "generator-1/1")
    small = [(step, await granted(ledger, work(step, worst_micro=300))) for step in (1, 2)]
    dear = work(3, worst_micro=800)
    assert isinstance(await ledger.claim(dear), Crowded)
    await ledger.settle(settlement(work(1), small[0][1], cost_micro=50))
    assert isinstance(await ledger.claim(replace(dear, emit=2)), Crowded)
    await ledger.settle(settlement(work(2), small[1][1], cost_micro=50))
    token = await granted(ledger, replace(dear, emit=3))
    assert await budget(pool) == (100, 800)
    await ledger.settle(settlement(dear, token, cost_micro=800))
    assert isinstance(await ledger.claim(work(4, worst_micro=101)), OverCap)


async def test_a_cap_given_later_counts_what_was_spent_and_what_is_in_flight(pool: Pool) -> None:
    await plan(pool)
    await change_cap(pool, None)
    ledger = Ledger(pool, "generator-1/1")
    first = await granted(ledger, work(1, worst_micro=100))
    await ledger.settle(settlement(work(1), first, cost_micro=70))
    second = await granted(ledger, work(2, worst_micro=200))

    await change_cap(pool, 300)

    assert await budget(pool) == (70, 200)
    assert isinstance(await ledger.claim(work(3, worst_micro=31)), Crowded)
    await ledger.settle(settlement(work(2), second, cost_micro=150))
    assert await budget(pool) == (220, 0)

    await change_cap(pool, None)
    third = await granted(ledger, work(3, worst_micro=5_000))
    await ledger.settle(settlement(work(3), third, cost_micro=4_000))
    await change_cap(pool, 5_000)
    assert await budget(pool) == (4_220, 0)
    async with pool.acquire() as c:
        assert await standing(c, RUN) == (5_000, 4_220)


async def test_a_cap_that_changes_all_the_time_loses_no_reservation(pool: Pool) -> None:
    await plan(pool)
    await change_cap(pool, None)
    rng = random.Random(8)
    workers = Workers([Ledger(pool, f"generator-{n}/1") for n in range(3)], rng)
    calls = asyncio.gather(*(_reaping(pool, workers, n) for n in range(30)))
    changes = 0
    async with asyncio.timeout(300):
        while not calls.done() or changes < 10:
            cap = rng.choice([None, 10_000_000, 20_000_000])
            await patiently(lambda cap=cap: change_cap(pool, cap))
            changes += 1
            assert await kept_up(pool)
        await calls
    await expire(pool)
    await reap(pool, "projector-1")
    await change_cap(pool, 30_000_000)
    unknown = sum(wanted.worst_micro or 0 for wanted in workers.killed)
    assert await budget(pool) == (workers.paid + unknown, 0)
    assert await pool.fetchval("select count(*) from model_call where reserved_micro <> 0") == 0
