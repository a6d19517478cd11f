"""What is due, read from the folded tables as of one position."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from convo_events.errors import Unavailable
from convo_events.store import Pool
from convo_events.threads import STATE, ThreadState
from convo_gateway.stack.infrastructure import Infrastructure
from convo_scheduler import rows
from tests.databases import migrated

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        await pool.execute("insert into fold_cursor values ('fold', 'log-1', 500)")
        yield pool


async def put(
    pool: Pool,
    thread: int,
    *,
    phase: str = "due",
    epoch: int = 3,
    not_before: datetime | None = None,
    at: datetime = NOW,
    run: str = "run-a",
) -> None:
    """A thread whose last event is older the higher its number."""
    state = ThreadState(
        run=run,
        thread=thread,
        conversation=0,
        step=1,
        kind="generate",
        turn=0,
        emit=1,
        epoch=epoch,
        phase="due",
    )
    await pool.execute(
        "insert into thread values ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb)",
        run,
        thread,
        phase,
        epoch,
        not_before,
        at,
        400 - thread,
        STATE.dump_json(state).decode(),
    )


async def due(pool: Pool, most: int = 10) -> tuple[int, list[int]]:
    found = await rows.due_threads(pool, "run-a", 3, NOW, most)
    return found.position, [state.thread for state in found.threads]


async def test_the_oldest_are_first_and_the_position_is_always_there(pool: Pool) -> None:
    assert await due(pool) == (500, [])
    for thread in range(6):
        await put(pool, thread)

    assert await due(pool) == (500, [5, 4, 3, 2, 1, 0])
    assert await due(pool, most=4) == (500, [5, 4, 3, 2])


async def test_what_waits_for_its_time_or_its_outcome_is_not_due(pool: Pool) -> None:
    await put(pool, 1, not_before=NOW + timedelta(seconds=1))
    await put(pool, 2, not_before=NOW)
    await put(pool, 3, phase="waiting")
    await put(pool, 4, phase="closed")
    await put(pool, 5, run="run-b")

    assert await due(pool) == (500, [2])


async def test_requests_of_an_older_epoch_are_asked_again(pool: Pool) -> None:
    await put(pool, 1, phase="waiting", epoch=2)
    await put(pool, 2, phase="waiting", epoch=3)

    assert await due(pool) == (500, [1])


async def test_before_any_fold_nothing_is_due(pool: Pool) -> None:
    await pool.execute("delete from fold_cursor")
    assert await due(pool) == (0, [])


async def test_the_position_is_that_of_this_log(pool: Pool) -> None:
    assert await rows.fold_position(pool, "log-1") == 500
    assert await rows.fold_position(pool, "log-2") == 0


async def test_stalled_threads_are_those_nobody_holds(pool: Pool) -> None:
    old = NOW - timedelta(minutes=5)
    for thread in (1, 2, 3):
        await put(pool, thread, phase="waiting", at=old)
    await put(pool, 4, phase="waiting")
    await pool.execute(
        "insert into model_call (step_key, run, thread, step, state, attempts, emit, owner, lease_until)"
        " values ('a', 'run-a', 2, 1, 'started', 1, 1, 'x', now()),"
        " ('b', 'run-a', 3, 1, 'finished', 1, 1, 'x', now())"
    )

    found = await rows.stalled_threads(pool, "run-a", NOW - timedelta(minutes=2), 10)

    assert [state.thread for state in found] == [3, 1]


async def test_the_lead_is_fenced(pool: Pool) -> None:
    async with pool.acquire() as c:
        first = await rows.take_lead(c, "scheduler-1/1")
        await rows.check_lead(c, first)
        assert await rows.take_lead(c, "scheduler-2/1") == first + 1
        with pytest.raises(Unavailable, match="took over"):
            await rows.check_lead(c, first)
