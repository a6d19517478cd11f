"""What roughening and memory leave in the tables, however the log is cut."""

import random
from collections.abc import AsyncIterator

import pytest

from convo_events import ids
from convo_events.catalog import Memory, Roughening
from convo_events.outcomes import Remembered
from convo_events.steps import StepRequested
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from tests.databases import migrated
from tests.histories import History, history
from tests.journeys.configs import snapshot
from tests.projector.folding import fold_all, opened, tables

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
SNAPSHOT = snapshot(
    8, threads=2, turns=4, retries=1, mode="sessions", memory=Memory(), roughen=Roughening(share=1)
)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


async def test_i8_batches_may_be_cut_anywhere(pool: Pool) -> None:
    found = history(SNAPSHOT, 8, 300)
    await fold_all(await opened(pool), found.log, (1,))
    one_by_one = await tables(pool)
    assert one_by_one["memory"]
    for sizes in ((1000,), (3, 11, 2)):
        await pool.execute("; ".join(f"delete from {table}" for table in one_by_one))
        await pool.execute("delete from fold_cursor")
        await fold_all(await opened(pool), found.log, sizes)
        assert await tables(pool) == one_by_one


async def test_roughened_turns_keep_what_they_were(pool: Pool) -> None:
    found = History(SNAPSHOT, random.Random(1))
    found.start()
    found.finish()
    await fold_all(await opened(pool), found.log, (1000,))

    rows = await pool.fetch(
        "select number, body, raw, kept from turn where conversation = 'run-h.0.0' order by 1"
    )
    assert [tuple(row) for row in rows] == [
        (0, "Turn 0", "turn 0", ""),
        (1, "turn 1", None, ""),
        (2, "turn 2", None, "nothing was changed"),
        (3, "turn 3", None, ""),
    ]
    row = await pool.fetchrow(
        "select preview, roughened, roughen_gave_up from conversation where id = 'run-h.0.0'"
    )
    assert row is not None
    assert tuple(row) == ("Turn 0", 1, "")
    accepted = await pool.fetch(
        "select id from conversation where status = 'accepted' and number < 3 order by 1"
    )
    remembered = await pool.fetch("select conversation from memory order by 1")
    assert [r["conversation"] for r in remembered] == [r["id"] for r in accepted]


async def test_what_was_given_up_is_told_where_it_is_missed(pool: Pool) -> None:
    found = History(SNAPSHOT, random.Random(2))
    found.start()
    found.finish()
    asked = [(event_id, event) for event_id, event in found.log if isinstance(event, StepRequested)]
    told = {
        asked_id: event.model_copy(update={"gave_up": "malformed_output: no"})
        for asked_id, event in asked
        if event.thread == 0 and (event.kind == "filter" or (event.draw and event.conversation))
    }
    await fold_all(await opened(pool), [(i, told.get(i, event)) for i, event in found.log])
    rows = await pool.fetch(
        "select number, roughen_gave_up, memory_gave_up from conversation where thread = 0 order by 1"
    )
    why = "malformed_output: no"
    assert [tuple(row) for row in rows] == [(0, why, ""), *((n, why, why) for n in range(1, 4))]


async def test_a_memory_that_comes_late_is_none(pool: Pool) -> None:
    found = History(SNAPSHOT, random.Random(3))
    found.start()
    found.finish()
    late = next(event for _, event in found.log if isinstance(event, Remembered))
    fold = await opened(pool)
    await fold_all(fold, found.log)
    before = await tables(pool)
    other = late.model_copy(update={"memory": "something else"})
    folded = await fold_all(fold, [(ids.outcome_id("run-h", late.thread, late.step, 9), other)])
    assert [is_late for _, is_late in folded.events] == [True]
    assert (await tables(pool))["memory"] == before["memory"]
