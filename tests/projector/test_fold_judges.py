"""What judges with every option leave in the tables, however the log is cut."""

import random
from collections.abc import AsyncIterator

import pytest

from convo_events.plan import draw
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from tests.databases import migrated
from tests.histories import History, history
from tests.journeys.configs import EVERY_OPTION, snapshot
from tests.projector.folding import fold_all, opened, tables

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
SNAPSHOT = snapshot(8, threads=3, turns=2, retries=1, judging=EVERY_OPTION)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


async def test_i8_batches_may_be_cut_anywhere(pool: Pool) -> None:
    found = history(SNAPSHOT, 5, 300)
    await fold_all(await opened(pool), found.log, (1,))
    one_by_one = await tables(pool)
    assert one_by_one["judgement"]
    assert one_by_one["run_comparison"]
    for sizes in ((1000,), (3, 11, 2)):
        await pool.execute("; ".join(f"delete from {table}" for table in one_by_one))
        await pool.execute("delete from fold_cursor")
        await fold_all(await opened(pool), found.log, sizes)
        assert await tables(pool) == one_by_one


async def test_every_answer_is_kept_and_the_verdict_says_how_many_count(pool: Pool) -> None:
    found = History(SNAPSHOT, random.Random(2))
    found.start()
    found.finish()
    await fold_all(await opened(pool), found.log, (1000,))

    judged = await pool.fetch(
        "select id, score, (tally #>> '{scored}')::int as scored, (tally #>> '{planned}')::int as planned"
        " from conversation where tally is not null"
    )
    assert judged
    for row in judged:
        answers = await pool.fetch(
            "select purpose, seat, score from judgement where conversation = $1 order by step",
            row["id"],
        )
        verdicts = [a for a in answers if a["purpose"] == "verdict"]
        assert (len(verdicts), row["planned"]) == (row["scored"], 4)
        assert {a["seat"] for a in verdicts} == {0, 1}
        each = [[a["score"] for a in verdicts if a["seat"] == seat] for seat in (0, 1)]
        assert row["score"] == sum(sum(scores) / len(scores) for scores in each) / 2
    rechecked = await pool.fetch("select conversation from judgement where purpose = 'recheck'")
    drawn = {
        row["id"]
        for row in judged
        if draw(SNAPSHOT, *(int(part) for part in row["id"].split(".")[1:])).recheck
    }
    assert {row["conversation"] for row in rechecked} == drawn
    compared = await pool.fetchval("select sum(n)::int from run_comparison")
    both = await pool.fetchval(
        "select count(distinct conversation) from judgement where purpose = 'comparison'"
    )
    assert compared == both > 0
