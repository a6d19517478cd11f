"""Repair of the ledger: dead workers, zombies, and outcomes that never reached the log."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from convo_events.codec import decode
from convo_events.outcomes import CallLost
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models.claims import Answered
from convo_models.ledger import Ledger
from convo_models.reaper import in_flight, reap, unfolded
from tests.databases import migrated
from tests.models.booked import attempts, budget, expire, granted, plan, settlement, work

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
EVER = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


@pytest.fixture
def ledger(pool: Pool) -> Ledger:
    return Ledger(pool, "generator-1/1")


async def archive(pool: Pool, event_id: str) -> None:
    """As if the projector had folded it."""
    await pool.execute(
        "insert into event (seq, id, type, late, body) values (1, $1, 'step.failed', false, '')",
        event_id,
    )


async def test_r05_a_dead_workers_call_is_booked_once_at_its_worst(
    pool: Pool, ledger: Ledger
) -> None:
    await plan(pool, cap_micro=1_000)
    token = await granted(ledger, work())
    assert await reap(pool, "projector-1") == []
    await expire(pool)

    (lost,) = await reap(pool, "projector-1")

    assert await reap(pool, "projector-1") == []
    assert lost.worst_micro == 100
    envelope, event = decode(lost.letter.body)
    assert envelope.id == f"c:{token.step_key}:1:lost"
    assert isinstance(event, CallLost)
    assert (event.step, event.call.cost_micro, event.call.basis) == (1, 100, "worst_case")
    assert await attempts(pool) == [(1, 1, "unknown", 100)]
    assert await budget(pool) == (100, 0)


async def test_r05_its_work_is_done_again_for_a_newer_request(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    await granted(ledger, work())
    await expire(pool)
    (lost,) = await reap(pool, "projector-1")
    other = Ledger(pool, "generator-2/1")

    assert await other.claim(work(emit=1)) == Answered(lost.letter.body.decode())
    token = await granted(other, work(emit=2))

    assert token.attempt == 2
    await other.settle(settlement(work(emit=2), token))
    assert await attempts(pool) == [(1, 1, "unknown", 100), (1, 2, "finished", 30)]
    assert await budget(pool) == (130, 0)


async def test_r06_a_zombies_late_answer_is_not_booked(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    token = await granted(ledger, work())
    await expire(pool)
    await reap(pool, "projector-1")
    assert await ledger.settle(settlement(work(), token)) is False
    newer = await granted(Ledger(pool, "generator-1/2"), work(emit=2))

    assert await ledger.settle(settlement(work(), token)) is False
    await ledger.release(token)
    assert await attempts(pool) == [(1, 1, "unknown", 100), (1, 2, "started", None)]
    assert newer.fence > token.fence


async def test_c09_a_lost_call_of_an_unpriced_model_is_unknown(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    await granted(ledger, work(worst_micro=None))
    await expire(pool)
    (lost,) = await reap(pool, "projector-1")

    event = decode(lost.letter.body)[1]
    assert isinstance(event, CallLost)
    assert (event.call.cost_micro, event.call.basis) == (None, "unpriced")


async def test_c12_many_dead_calls_give_their_reservations_back(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=10_000)
    for step in range(1, 21):
        await granted(ledger, work(step))
    await expire(pool)

    assert len(await reap(pool, "projector-1", most=15)) == 15
    assert len(await reap(pool, "projector-1", most=15)) == 5
    assert await budget(pool) == (2_000, 0)


async def test_only_outcomes_that_are_not_archived_are_published_again(
    pool: Pool, ledger: Ledger
) -> None:
    await plan(pool)
    done = []
    for step in (1, 2, 3):
        done.append(settlement(work(step), await granted(ledger, work(step))))
        await ledger.settle(done[-1])
    await granted(ledger, work(4))
    await archive(pool, done[1].event_id)

    letters, looked_at = await unfolded(pool, EVER, older_than_s=0)

    assert [letter.body.decode() for letter in letters] == [done[0].event, done[2].event]
    assert letters[0].subject.startswith("convo.ev.out.run-a.")
    assert (await unfolded(pool, looked_at, older_than_s=0))[0] == []


async def test_what_is_young_is_left_to_its_worker(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    await ledger.settle(settlement(work(), await granted(ledger, work())))

    letters, looked_at = await unfolded(pool, EVER, older_than_s=60)
    assert letters == []
    assert (await unfolded(pool, looked_at, older_than_s=3_600)) == ([], looked_at)
    letters, _ = await unfolded(pool, looked_at, older_than_s=0)
    assert len(letters) == 1


async def test_outcomes_of_one_moment_are_not_cut_apart(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    for step in range(1, 6):
        await ledger.settle(settlement(work(step), await granted(ledger, work(step))))
    await pool.execute("update model_attempt set ended_at = date_trunc('hour', ended_at)")

    letters, looked_at = await unfolded(pool, EVER, older_than_s=0, most=2)

    assert len(letters) == 5
    assert (await unfolded(pool, looked_at, older_than_s=0, most=2))[0] == []


async def test_calls_in_flight_are_counted_by_run(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    await plan(pool, "run-b")
    token = await granted(ledger, work(1))
    await granted(ledger, work(2))
    await granted(ledger, work(1, run="run-b"))
    await ledger.settle(settlement(work(1), token))

    async with pool.acquire() as c:
        assert [await in_flight(c, run) for run in ("run-a", "run-b", "run-c")] == [1, 1, 0]
