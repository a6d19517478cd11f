"""The call ledger on a real Postgres: nothing is paid twice, nothing paid is lost, no reservation is kept."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models.claims import Answer, Answered, Crowded, Granted, Held, OverCap, Stopped
from convo_models.ledger import Ledger
from tests.databases import migrated
from tests.models.booked import (
    RUN,
    attempts,
    budget,
    expire,
    granted,
    plan,
    settlement,
    tokens,
    work,
)

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


@pytest.fixture
def ledger(pool: Pool) -> Ledger:
    return Ledger(pool, "generator-1/1")


async def test_a_call_is_claimed_settled_and_answered_for_ever(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    token = await granted(ledger, work())
    assert token.attempt == 1
    assert await budget(pool) == (0, 100)

    done = settlement(work(), token)
    assert await ledger.settle(done) is True

    assert await budget(pool) == (30, 0)
    assert await attempts(pool) == [(1, 1, "finished", 30)]
    for emit in (1, 2, 9):
        assert await ledger.claim(work(emit=emit)) == Answered(done.event)


async def test_a_failure_that_is_settled_is_an_answer_too(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    token = await granted(ledger, work())
    done = settlement(work(), token, "failed")
    await ledger.settle(done)

    assert await ledger.claim(work(emit=2)) == Answered(done.event)
    assert await attempts(pool) == [(1, 1, "failed", 30)]


async def test_a_settle_that_comes_twice_is_booked_once(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    done = settlement(work(), await granted(ledger, work()))

    assert await asyncio.gather(ledger.settle(done), ledger.settle(done)) == [True, True]
    assert await ledger.settle(done) is False
    assert await budget(pool) == (30, 0)


async def test_what_was_deferred_is_called_again_only_for_a_newer_request(
    pool: Pool, ledger: Ledger
) -> None:
    await plan(pool, cap_micro=1_000)
    waits = settlement(work(), await granted(ledger, work()), "deferred", cost_micro=0)
    await ledger.settle(waits)

    assert await ledger.claim(work(emit=1)) == Answered(waits.event)
    token = await granted(ledger, work(emit=2))

    assert token.attempt == 2
    await ledger.settle(settlement(work(emit=2), token))
    assert await attempts(pool) == [(1, 1, "deferred", 0), (1, 2, "finished", 30)]
    assert await budget(pool) == (30, 0)


async def test_i4_a_step_is_paid_once_whichever_key_a_later_worker_derives(
    pool: Pool, ledger: Ledger
) -> None:
    """A late delivery was read against a longer transcript, so its key differed and it was paid for again."""
    await plan(pool)
    first = work()
    other = replace(first, step_key="another-key")
    token = await granted(ledger, first)
    assert isinstance(await ledger.claim(other), Held)
    await ledger.settle(settlement(first, token))

    answer = await ledger.claim(other)

    assert isinstance(answer, Answered)
    assert await pool.fetchval("select count(*) from model_attempt") == 1


async def test_a_new_attempt_goes_under_the_key_of_the_first(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    token = await granted(ledger, work())
    await ledger.settle(settlement(work(), token, "deferred"))

    again = await granted(ledger, replace(work(emit=2), step_key="another-key"))

    assert (again.step_key, again.attempt) == (token.step_key, 2)


async def test_an_aborted_call_is_never_made_again(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    token = await granted(ledger, work())
    await ledger.settle(settlement(work(), token, "aborted", cost_micro=100))

    assert await ledger.claim(work(emit=2)) == Held()
    assert await budget(pool) == (100, 0)


async def test_i6_a_stopped_run_grants_nothing(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    assert await ledger.claim(work(epoch=0)) == Stopped("running")
    assert await ledger.claim(work(run="run-unknown")) == Stopped("unknown")
    await pool.execute("update run_control set status = 'paused', epoch = 2")
    assert await ledger.claim(work(epoch=2)) == Stopped("paused")
    assert await attempts(pool) == []


async def test_what_is_released_was_never_called(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    await ledger.release(await granted(ledger, work()))

    assert await attempts(pool) == []
    assert await budget(pool) == (0, 0)
    assert (await granted(ledger, work())).attempt == 1


async def test_a_released_second_attempt_leaves_the_first(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    waits = settlement(work(), await granted(ledger, work()), "deferred", cost_micro=5)
    await ledger.settle(waits)
    await ledger.release(await granted(ledger, work(emit=2)))

    assert await attempts(pool) == [(1, 1, "deferred", 5)]
    assert await budget(pool) == (5, 0)
    assert await ledger.claim(work(emit=1)) == Answered(waits.event)
    assert (await granted(ledger, work(emit=2))).attempt == 2


async def test_a_settled_call_cannot_be_released(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000)
    token = await granted(ledger, work())
    await ledger.settle(settlement(work(), token))
    await ledger.release(token)

    assert await attempts(pool) == [(1, 1, "finished", 30)]
    assert await budget(pool) == (30, 0)


async def test_i4_one_of_two_racing_first_claims_is_granted(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=100_000)
    await plan(pool, "run-b")
    other = Ledger(pool, "generator-2/1")
    for step in range(1, 21):
        for run in (RUN, "run-b"):
            wanted = work(step, run=run)
            answers = await asyncio.gather(ledger.claim(wanted), other.claim(wanted))
            assert sorted(type(answer).__name__ for answer in answers) == ["Granted", "Held"]
    assert await budget(pool) == (0, 20 * 100)


async def test_groups_with_the_same_first_claims_in_any_order(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    other = Ledger(pool, "generator-2/1")
    wanted = [work(step) for step in range(1, 101)]
    mixed = random.Random(3).sample(wanted, len(wanted))

    answers: list[Answer] = await asyncio.gather(
        *(ledger.claim(one) for one in wanted), *(other.claim(one) for one in mixed)
    )

    assert len(tokens(answers)) == 100
    assert len({token.step_key for token in tokens(answers)}) == 100


async def test_one_request_twice_in_a_group_is_granted_once(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    answers = await asyncio.gather(*(ledger.claim(work()) for _ in range(5)))

    assert isinstance(answers[0], Granted)
    assert answers[1:] == [Held()] * 4


async def test_c12_many_claims_never_reserve_more_than_the_cap(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=5_050)
    others = [ledger, *(Ledger(pool, f"generator-{n}/1") for n in (2, 3, 4))]
    wanted = [work(step) for step in range(1, 201)]

    answers: list[Answer] = await asyncio.gather(
        *(others[n % 4].claim(one) for n, one in enumerate(wanted))
    )

    assert len(tokens(answers)) == 50
    assert sum(isinstance(answer, Crowded) for answer in answers) == 150
    assert await budget(pool) == (0, 5_000)
    held = {
        token.step_key: (others[n % 4], one, token)
        for n, (one, answer) in enumerate(zip(wanted, answers, strict=True))
        for token in tokens([answer])
    }
    for n, (owner, one, token) in enumerate(held.values()):
        match n % 3:
            case 0:
                await owner.release(token)
            case 1:
                await owner.settle(settlement(one, token, cost_micro=70))
            case _:
                await owner.settle(settlement(one, token, "aborted", cost_micro=100))
    spent = sum({0: 0, 1: 70}.get(n % 3, 100) for n in range(50))
    assert await budget(pool) == (spent, 0)


async def test_c12_the_cap_is_fully_usable_again(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=200)
    first = [await granted(ledger, work(step)) for step in (1, 2)]
    assert isinstance(await ledger.claim(work(3)), Crowded)
    for token in first:
        await ledger.release(token)

    later = [(step, await granted(ledger, work(step))) for step in (3, 4)]
    assert [token.attempt for _, token in later] == [1, 1]
    for step, token in later:
        assert isinstance(await ledger.claim(work(5)), Crowded)
        await ledger.settle(settlement(work(step), token, cost_micro=60))
    assert isinstance(await ledger.claim(work(5)), OverCap), "80 are left, and nothing is in flight"
    assert isinstance(await ledger.claim(work(5, worst_micro=80)), Granted)


async def test_c12_a_claim_that_lost_its_race_reserves_nothing(pool: Pool, ledger: Ledger) -> None:
    await plan(pool, cap_micro=1_000_000)
    ledgers = [ledger, *(Ledger(pool, f"generator-{n}/1") for n in (2, 3))]
    wanted = [work(step) for step in range(1, 41)]

    await asyncio.gather(*(each.claim(one) for one in wanted for each in ledgers))

    assert await budget(pool) == (0, 40 * 100)


async def test_c09_an_unpriced_call_is_unknown_and_not_free(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    wanted = work(worst_micro=None)
    await ledger.settle(settlement(wanted, await granted(ledger, wanted), cost_micro=None))

    assert await attempts(pool) == [(1, 1, "finished", None)]


async def test_a_new_incarnation_ends_the_leases_of_its_own_slot_only(pool: Pool) -> None:
    await plan(pool)
    owners = ("gen_1/1", "gen_1/2", "gen_1/3", "gen_10/1", "genX1/1", "gen_1", "x/gen_1/1")
    for step, owner in enumerate(owners, start=1):
        await granted(Ledger(pool, owner), work(step))

    assert await Ledger(pool, "gen_1/3").take_over("gen_1") == 2
    ended = await pool.fetch(
        "select owner from model_call where lease_until <= clock_timestamp() order by owner"
    )
    assert [row["owner"] for row in ended] == ["gen_1/1", "gen_1/2"]


@pytest.mark.parametrize("instance", ["100%", "back\\slash", "plain"])
async def test_a_slot_is_taken_by_its_exact_name(pool: Pool, instance: str) -> None:
    await plan(pool)
    await granted(Ledger(pool, f"{instance}/1"), work(1))
    await granted(Ledger(pool, "100 other/1"), work(2))

    assert await Ledger(pool, f"{instance}/2").take_over(instance) == 1


async def test_a_lease_outlives_the_deadline_of_its_call(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    await granted(ledger, work(deadline_s=120))
    left = await pool.fetchval(
        "select extract(epoch from lease_until - clock_timestamp())::float8 from model_call"
    )
    assert 125 < left <= 150


async def test_another_owner_cannot_settle(pool: Pool, ledger: Ledger) -> None:
    await plan(pool)
    token = await granted(ledger, work())

    assert await Ledger(pool, "generator-2/1").settle(settlement(work(), token)) is False
    assert await attempts(pool) == [(1, 1, "started", None)]
    await Ledger(pool, "generator-2/1").release(token)
    assert await attempts(pool) == [(1, 1, "started", None)]


async def test_an_expired_lease_is_not_taken_before_it_is_booked(
    pool: Pool, ledger: Ledger
) -> None:
    await plan(pool)
    await granted(ledger, work())
    await expire(pool)

    assert await Ledger(pool, "generator-2/1").claim(work(emit=2)) == Held()
