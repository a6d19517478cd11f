"""The fold on a real Postgres: each event once, in one transaction, whatever comes and however it is cut."""

import random
from collections.abc import AsyncIterator

import pytest

from convo_events import ids
from convo_events.codec import Event
from convo_events.conversations import Turn
from convo_events.outcomes import CallAborted, Generated, StepFailed
from convo_events.runs import RunCancelRequested
from convo_events.steps import LeaderElected, StepRequested
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_projector.fold import Overtaken, Recorded
from tests.databases import migrated
from tests.histories import History, history
from tests.journeys.configs import snapshot
from tests.projector.folding import Entry, fold_all, opened, recorded, tables, view

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
SNAPSHOT = snapshot(5, threads=2, turns=2, retries=1)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


def begun() -> History:
    """A run with its first thread asked for."""
    found = History(SNAPSHOT, random.Random(1))
    found.start()
    found.open()
    return found


def answer(found: History) -> Entry:
    """A good answer to what the first thread waits for; not in the log yet."""
    return found.outcome(found.threads[0], faults=False)


def with_text(entry: Entry, text: str) -> Entry:
    event_id, event = entry
    assert isinstance(event, Generated)
    return event_id, event.model_copy(update={"turns": (Turn(role="user", text=text),)})


async def test_a_whole_run_is_folded(pool: Pool) -> None:
    found = history(SNAPSHOT, 3, 150)
    await fold_all(await opened(pool), found.log)

    run = await view(pool, found.run)
    assert run["status"] == "completed"
    assert run["accepted"] + run["rejected"] + run["failed"] == 5
    assert (run["opened"], run["closed"], run["cancelled"]) == (2, 2, 0)
    by_status = await pool.fetch("select status, count(*) as n from conversation group by 1")
    counted = {row["status"]: row["n"] for row in by_status}
    assert counted == {
        status: run[status] for status in ("accepted", "rejected", "failed") if run[status]
    }
    assert await pool.fetchval("select sum(n) from reject_count") == run["rejected"] + run["failed"]
    assert await pool.fetchval("select sum(accepted) from run_minute") == run["accepted"]
    assert await pool.fetchval("select count(*) from accepted_signature") == run["accepted"]
    assert await pool.fetchval("select count(*) from thread where phase = 'closed'") == 2


async def test_i8_batches_may_be_cut_anywhere(pool: Pool) -> None:
    found = history(SNAPSHOT, 4, 150, cancel=True)
    await fold_all(await opened(pool), found.log, (1,))
    one_by_one = await tables(pool)
    for sizes in ((1000,), (3, 11, 2)):
        await pool.execute("; ".join(f"delete from {table}" for table in one_by_one))
        await pool.execute("delete from fold_cursor")
        await fold_all(await opened(pool), found.log, sizes)
        assert await tables(pool) == one_by_one


async def test_c08_a_call_that_is_told_five_times_is_charged_once(pool: Pool) -> None:
    found = begun()
    paid = answer(found)
    fold = await opened(pool)
    await fold_all(fold, [*found.log, paid])
    before = await tables(pool)

    folded = await fold_all(fold, [paid] * 2)
    assert folded.duplicates == 2
    await fold_all(fold, [paid] * 3, (1,))

    assert await tables(pool) == before
    assert await pool.fetchval("select cost_micro from run_cost") == 330


async def test_r07_d06_the_log_once_more_changes_nothing(pool: Pool) -> None:
    found = history(SNAPSHOT, 5, 120)
    fold = await opened(pool)
    await fold_all(fold, found.log)
    before = await tables(pool)

    await fold_all(fold, found.log, (50,))
    await fold_all(await opened(pool, "log-2"), found.log, (9,))

    assert await tables(pool) == before


async def test_another_log_counts_from_one_and_keeps_what_was_folded(pool: Pool) -> None:
    found = history(SNAPSHOT, 6, 60)
    half = len(found.log) // 2
    await fold_all(await opened(pool), found.log[:half])

    fold = await opened(pool, "log-2")
    assert fold.position == 0
    await fold_all(fold, found.log[half - 3 :])

    assert (await view(pool, found.run))["status"] == "completed"
    assert (await opened(pool, "log-2")).position == len(found.log) - half + 3
    assert await pool.fetchval("select stream_created from fold_cursor") == "log-2"


async def test_a_projector_that_was_overtaken_changes_nothing(pool: Pool) -> None:
    found = begun()
    slow, fast = await opened(pool), await opened(pool)
    await fold_all(fast, found.log)
    before = await tables(pool)

    with pytest.raises(Overtaken):
        await slow.fold(recorded([answer(found)]))

    assert await tables(pool) == before
    assert slow.position == 0
    assert await slow.open() == len(found.log)
    await fold_all(slow, [answer(found)])
    assert await pool.fetchval("select count(*) from turn") == 1


async def test_what_is_no_event_is_skipped_and_named(pool: Pool) -> None:
    found = begun()
    batch = recorded([*found.log, answer(found)])
    poison = [b"{", b'{"event": {"type": "step.dreamed"}}', b"\xff"]
    mixed = [Recorded(n, raw) for n, raw in enumerate(poison, start=2)]
    mixed = [batch[0], *mixed, *(Recorded(item.seq + 3, item.body) for item in batch[1:])]
    fold = await opened(pool)

    folded = await fold.fold(mixed)

    assert [seq for seq, _ in folded.undecodable] == [2, 3, 4]
    assert all(why for _, why in folded.undecodable)
    assert fold.position == len(batch) + 3
    assert await pool.fetchval("select count(*) from event") == len(batch)
    assert await pool.fetchval("select count(*) from turn") == 1


async def test_a_batch_of_nothing_but_poison_moves_the_position(pool: Pool) -> None:
    fold = await opened(pool)
    await fold.fold([Recorded(1, b"?")])
    assert (await opened(pool)).position == 1


@pytest.mark.parametrize("text", ["a\x00b", "\x00", "\u202e<script>", "🧑‍🚀" * 50, "\ufffe"])
async def test_u_any_text_of_a_model_is_kept(pool: Pool, text: str) -> None:
    found = begun()
    fold = await opened(pool)
    await fold_all(fold, [*found.log, with_text(answer(found), text)])

    kept = text.replace("\x00", "\ufffd")
    assert await pool.fetchval("select body from turn") == kept
    assert await pool.fetchval("select preview from conversation") == kept[:120]


async def test_nul_in_a_detail_of_a_thread_is_kept(pool: Pool) -> None:
    found = begun()
    state = found.threads[0]
    failed = StepFailed(
        run=state.run,
        thread=0,
        conversation=0,
        step=1,
        reason="malformed_output",
        detail="a\x00b\\u0000",
        retryable=True,
    )
    fold = await opened(pool)
    await fold_all(fold, [*found.log, ("f:1", failed)])
    found.append("f:1", failed)
    found.decide()
    await fold_all(fold, found.log[-1:])

    assert await pool.fetchval("select state ->> 'step' from thread") == "2"


async def test_k02_cancel_closes_what_is_open_with_its_turns_and_cost(pool: Pool) -> None:
    found = begun()
    found.append(*answer(found))
    found.decide()
    asked = found.threads[0]
    found.cancel()
    fold = await opened(pool)
    await fold_all(fold, found.log, (100,))
    row = await pool.fetchrow("select * from conversation")
    assert row is not None
    assert (row["status"], row["turns"], row["cost_micro"]) == ("cancelled", 1, 330)
    assert row["seq"] == len(found.log)
    run = await view(pool, found.run)
    assert (run["status"], run["cancelled"], run["accepted"]) == ("cancelled", 5, 0)
    thread = await pool.fetchrow("select phase, state ->> 'phase' as kept from thread")
    assert thread is not None
    assert tuple(thread) == ("closed", "closed")

    late = found.outcome(asked, faults=False)
    folded = await fold_all(fold, [late])

    assert folded.events == [(late[1], True)]
    row = await pool.fetchrow("select * from conversation")
    assert row is not None
    assert (row["status"], row["turns"], row["cost_micro"]) == ("cancelled", 1, 660)
    assert await pool.fetchval("select count(*) from turn") == 1


async def test_k01_an_aborted_call_is_charged_and_moves_nothing(pool: Pool) -> None:
    found = begun()
    state = found.threads[0]
    _, good = answer(found)
    assert isinstance(good, Generated)
    unknown = good.call.model_copy(
        update={"usage": None, "basis": "worst_case", "cost_micro": 900, "error": "aborted"}
    )
    cut = CallAborted(run=state.run, thread=0, conversation=0, step=1, call=unknown)
    await fold_all(await opened(pool), [*found.log, ("c:1", cut)])

    cost = await pool.fetchrow("select * from run_cost")
    assert cost is not None
    assert (cost["calls"], cost["unknown_calls"]) == (1, 1)
    assert (cost["cost_micro"], cost["unknown_micro"]) == (0, 900)
    assert await pool.fetchval("select phase from thread") == "waiting"


async def test_decisions_of_a_deposed_leader_are_late(pool: Pool) -> None:
    found = begun()
    elected = ("l:2", LeaderElected(leader=2, instance="scheduler-2/1"))
    fold = await opened(pool)
    await fold_all(fold, [*found.log, answer(found), elected])
    found.append(*answer(found))
    found.decide()
    stale = found.log[-1]

    folded = await fold_all(fold, [stale])
    assert folded.events == [(stale[1], True)]
    assert await pool.fetchval("select phase from thread") == "due"
    older = await fold_all(fold, [("l:1", LeaderElected(leader=1, instance="scheduler-1/1"))])
    assert [late for _, late in older.events] == [True]
    assert await pool.fetchval("select leader from fence") == 2

    event_id, event = stale
    assert isinstance(event, StepRequested)
    fresh = event.model_copy(update={"leader": 2})
    folded = await fold_all(await opened(pool), [(event_id, fresh)])

    assert [late for _, late in folded.events] == [False]
    assert await pool.fetchval("select state ->> 'step' from thread") == "2"


async def test_an_answer_before_its_request_counts_when_it_comes_again(pool: Pool) -> None:
    """A worker did what a deposed leader asked; the new leader asks the same, and the ledger repeats the answer."""
    found = begun()
    event_id, early = answer(found)
    fold = await opened(pool)
    await fold_all(fold, found.log[:2])
    folded = await fold_all(fold, [(event_id, early)])
    assert [late for _, late in folded.events] == [True]
    await fold_all(fold, found.log[2:])

    folded = await fold_all(fold, [(event_id, early), (event_id, early)], (2,))

    assert [late for _, late in folded.events] == [False]
    assert folded.duplicates == 1
    assert await pool.fetchval("select state ->> 'last' from thread") == "generated"
    assert await pool.fetchval("select count(*) from turn") == 1
    cost = await pool.fetchrow("select calls, cost_micro from run_cost")
    assert cost is not None
    assert tuple(cost) == (1, 330)
    await fold_all(fold, [(event_id, early)] * 3, (1,))
    assert await pool.fetchval("select count(*) from event where type = 'step.generated'") == 2


async def test_the_fence_is_as_before_when_a_batch_fails(pool: Pool) -> None:
    fold = await opened(pool)
    elected: list[tuple[str, Event]] = [("l:7", LeaderElected(leader=7, instance="s/1"))]
    await pool.execute("alter table fence rename to fence_away")
    with pytest.raises(Exception, match="fence"):
        await fold_all(fold, elected)
    await pool.execute("alter table fence_away rename to fence")

    folded = await fold_all(fold, elected)

    assert [late for _, late in folded.events] == [False]
    assert await pool.fetchval("select leader from fence") == 7


async def test_events_of_an_unknown_run_are_archived_as_late(pool: Pool) -> None:
    fact = RunCancelRequested(run="run-nowhere", epoch=3)
    folded = await fold_all(await opened(pool), [(ids.control_id("run-nowhere", 3, "x"), fact)])

    assert [late for _, late in folded.events] == [True]
    assert await view(pool, "run-nowhere") == {}
    assert await pool.fetchval("select late from event") is True
