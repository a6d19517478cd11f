"""The limiter on a real Postgres: several workers in one process, each with its own lanes."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from importlib import resources

import asyncpg
import pytest

from convo_events.errors import Misconfigured, Unavailable
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models import limiter_lane, limiter_store
from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.limiter import Limiter, Permit
from convo_models.limiter_store import Ask, Granted, sync

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
REST_S = 600.0
LIMITED = BackendError(ErrorKind.rate_limited, "slow down", retry_after_s=REST_S, status=429)
LEASE_S = 300.0
"""Longer than any stall of the machine: a share that runs out by itself is what single tests are about."""
PATIENCE_S = 120.0


@pytest.fixture(autouse=True)
def _long_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiter_lane, "LEASE_S", LEASE_S)
    monkeypatch.setattr(limiter_store, "LEASE_S", LEASE_S)
    monkeypatch.setattr(limiter_store, "ROUND_S", PATIENCE_S)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    schema = resources.files("convo_events.schema").joinpath("0003_limits.sql").read_text()
    async with asyncpg.create_pool(
        infrastructure.create_database(), min_size=1, max_size=8
    ) as pool:
        await pool.execute(schema)
        yield pool


@pytest.fixture
async def worker(pool: Pool) -> AsyncIterator[Callable[[str], Limiter]]:
    async with AsyncExitStack() as stack:

        def start(name: str) -> Limiter:
            limiter = Limiter(pool, name, random.Random(7), time.monotonic)
            stack.push_async_callback(limiter.close)
            return limiter

        yield start


class Load:
    """Calls that stay in flight until they are told to end; counts how many are."""

    def __init__(self, most: int, model: str = "small") -> None:
        self.most = most
        self.model = model
        self.in_flight = 0
        self.peak = 0
        self.by_worker: dict[str, int] = {}
        self.cooled: list[float] = []
        self.changed = asyncio.Condition()
        self.let_go = asyncio.Event()

    async def call(self, limiter: Limiter, name: str) -> None:
        async with limiter.permit("fake", self.model, self.most) as permit:
            if permit.cooldown_s:
                self.cooled.append(permit.cooldown_s)
                return
            await self._count(name, 1)
            await self.let_go.wait()
            await self._count(name, -1)

    async def repeat(self, limiter: Limiter, name: str) -> None:
        while True:
            async with limiter.permit("fake", self.model, self.most):
                await self._count(name, 1)
                await asyncio.sleep(0.005)
                await self._count(name, -1)
            await limiter.report("fake", self.model, None)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S), self.changed:
            await self.changed.wait_for(holds)

    async def _count(self, name: str, change: int) -> None:
        async with self.changed:
            self.in_flight += change
            self.peak = max(self.peak, self.in_flight)
            self.by_worker[name] = self.by_worker.get(name, 0) + change
            self.changed.notify_all()


async def _limit(pool: Pool) -> asyncpg.Record:
    row = await pool.fetchrow("select * from model_limit where model = 'small'")
    assert row is not None
    return row


async def _until_granted(pool: Pool, granted: dict[str, int]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        found: dict[str, int] = {}
        while found != granted:
            rows = await pool.fetch("select worker, granted from model_share")
            found = {row["worker"]: row["granted"] for row in rows}


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


async def test_one_limit_over_all_workers(pool: Pool, worker: Callable[[str], Limiter]) -> None:
    load = Load(most=10)
    async with asyncio.TaskGroup() as group:
        for name in ("a", "b", "c"):
            limiter = worker(name)
            for _ in range(12):
                group.create_task(load.call(limiter, name))
        await load.until(lambda: load.in_flight == 10)
        granted = await pool.fetchval("select sum(granted) from model_share")
        load.let_go.set()
    assert granted == 10
    assert load.peak == 10
    assert load.in_flight == 0


async def test_a_new_worker_gets_its_fair_part(
    pool: Pool, worker: Callable[[str], Limiter]
) -> None:
    load = Load(most=8)
    first, second = worker("a"), worker("b")
    tasks = [asyncio.create_task(load.repeat(first, "a")) for _ in range(20)]
    await load.until(lambda: load.by_worker.get("a") == 8)
    tasks += [asyncio.create_task(load.repeat(second, "b")) for _ in range(20)]
    await _until_granted(pool, {"a": 4, "b": 4})
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert load.peak <= 8


async def test_more_workers_than_calls_all_get_some(worker: Callable[[str], Limiter]) -> None:
    served = set[str]()
    limiters = {name: worker(name) for name in ("a", "b", "c")}

    async def go(name: str) -> None:
        while True:
            async with limiters[name].permit("fake", "small", 1):
                served.add(name)
                await asyncio.sleep(0.005)

    tasks = [asyncio.create_task(go(name)) for name in limiters]
    await _until(lambda: len(served) == 3)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_l03_a_model_that_cools_down_stops_no_other(
    pool: Pool, worker: Callable[[str], Limiter]
) -> None:
    judge, generator = worker("judge-1"), worker("generator-1")
    async with judge.permit("fake", "small", 20) as permit:
        assert permit.cooldown_s == 0
        await judge.report("fake", "small", LIMITED)
    async with judge.permit("fake", "small", 20) as refused:
        assert REST_S - PATIENCE_S < refused.cooldown_s < REST_S * 1.21
    await _until_limit(pool, 14)
    async with generator.permit("fake", "small", 20) as elsewhere:
        assert elsewhere.cooldown_s > REST_S - PATIENCE_S
    assert generator.cooling("fake", "small") > REST_S - PATIENCE_S
    async with judge.permit("fake", "large", 20) as healthy:
        assert healthy.cooldown_s == 0
    assert judge.cooling("fake", "large") == 0


async def _until_limit(pool: Pool, current: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while (await _limit(pool))["current_limit"] != current:
            await asyncio.sleep(0.01)


async def test_l06_who_waits_is_sent_away_and_comes_back_spread_out(
    worker: Callable[[str], Limiter],
) -> None:
    load, limiter = Load(most=2), worker("a")
    async with asyncio.TaskGroup() as group:
        for _ in range(40):
            group.create_task(load.call(limiter, "a"))
        await load.until(lambda: load.in_flight == 2)
        await limiter.report("fake", "small", LIMITED)
        load.let_go.set()
    assert len(load.cooled) == 38
    assert min(load.cooled) > REST_S - PATIENCE_S
    assert max(load.cooled) - min(load.cooled) > REST_S / 10
    assert len(set(load.cooled)) == 38


async def test_many_push_backs_at_once_are_one_decrease(
    pool: Pool, worker: Callable[[str], Limiter]
) -> None:
    limiter = worker("a")
    async with limiter.permit("fake", "small", 100):
        for _ in range(50):
            await limiter.report("fake", "small", LIMITED)
        await _until_limit(pool, 70)
    await _until(lambda: limiter.in_flight() == 0)
    assert (await _limit(pool))["current_limit"] == 70


async def test_the_limit_rises_again_under_full_use(
    pool: Pool, worker: Callable[[str], Limiter]
) -> None:
    await pool.execute(
        "insert into model_limit (backend, model, max_limit, current_limit) values ('fake', 'small', 8, 6)"
    )
    load, limiter = Load(most=8), worker("a")
    tasks = [asyncio.create_task(load.repeat(limiter, "a")) for _ in range(20)]
    await _until_limit(pool, 8)
    await load.until(lambda: load.in_flight == 8)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert load.peak == 8


async def test_a_dead_workers_share_is_free_after_its_lease(pool: Pool) -> None:
    dead = Ask("fake", "small", "dead", most=4, held=0, in_use=0, want=4)
    assert await sync(pool, dead) == Granted(4, 4, 0.0)
    alive = Ask("fake", "small", "alive", most=4, held=0, in_use=0, want=4)
    assert (await sync(pool, alive)).granted == 0
    await pool.execute(
        "update model_share set renewed_at = renewed_at - make_interval(secs => $1) where worker = 'dead'",
        LEASE_S + 0.1,
    )
    assert await sync(pool, alive) == Granted(4, 4, 0.0)


async def test_shares_are_given_back(pool: Pool, worker: Callable[[str], Limiter]) -> None:
    limiter = worker("a")
    async with limiter.permit("fake", "small", 4):
        assert await pool.fetchval("select granted from model_share") == 4
    async with asyncio.timeout(PATIENCE_S):
        while await pool.fetchval("select count(*) from model_share"):
            await asyncio.sleep(0.01)


async def test_the_strictest_configured_limit_counts(pool: Pool) -> None:
    await sync(pool, Ask("fake", "small", "a", most=40, held=0, in_use=0, want=1))
    await sync(pool, Ask("fake", "small", "b", most=10, held=0, in_use=0, want=1))
    assert (await _limit(pool))["max_limit"] == 10


async def test_without_its_tables_it_says_what_to_do(infrastructure: Infrastructure) -> None:
    async with asyncpg.create_pool(
        infrastructure.create_database(), min_size=1, max_size=1
    ) as pool:
        limiter = Limiter(pool, "a", random.Random(7), time.monotonic)
        permit = limiter.permit("fake", "small", 4)
        with pytest.raises(Misconfigured, match="migrate"):
            await permit.__aenter__()


async def test_without_postgres_grants_last_as_long_as_their_lease(
    infrastructure: Infrastructure,
) -> None:
    schema = resources.files("convo_events.schema").joinpath("0003_limits.sql").read_text()
    moved = 0.0
    pool = await asyncpg.create_pool(infrastructure.create_database(), min_size=1, max_size=2)
    await pool.execute(schema)
    limiter = Limiter(pool, "a", random.Random(7), lambda: time.monotonic() + moved)
    held = limiter.permit("fake", "small", 2)
    await held.__aenter__()
    await pool.close()
    async with limiter.permit("fake", "small", 2) as second:
        assert second.cooldown_s == 0
        moved = LEASE_S + 0.1
    with pytest.raises(Unavailable):
        await limiter.permit("fake", "small", 2).__aenter__()
    await held.__aexit__(None, None, None)
    await limiter.close()


async def test_a_waiter_that_gives_up_costs_no_permit(worker: Callable[[str], Limiter]) -> None:
    limiter = worker("a")

    async def take(permit: Permit) -> None:
        async with permit:
            await asyncio.Event().wait()

    async with limiter.permit("fake", "small", 1):
        waiter = asyncio.create_task(take(limiter.permit("fake", "small", 1)))
        await asyncio.sleep(0)
        waiter.cancel()
        await asyncio.wait([waiter])
    async with asyncio.timeout(PATIENCE_S), limiter.permit("fake", "small", 1) as permit:
        assert permit.cooldown_s == 0
    assert limiter.in_flight() == 0


async def test_calls_cancelled_together_leave_nothing_behind(
    worker: Callable[[str], Limiter],
) -> None:
    load, limiter = Load(most=3), worker("a")
    tasks = [asyncio.create_task(load.repeat(limiter, "a")) for _ in range(12)]
    await load.until(lambda: load.in_flight == 3)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert all(task.cancelled() for task in tasks)
    assert limiter.in_flight() == 0
