"""A thread that is one persona coming back: memory from accepted conversations only, and user turns roughened."""

import orjson
import pytest

from convo_events.catalog import Memory, Roughening
from convo_events.plan import draw
from convo_events.snapshot import Snapshot
from convo_gateway.exports.rows import jsonl
from convo_gateway.reads.conversations import memory_before
from convo_gateway.reads.pipeline import stages
from tests.fake_provider.rough import hurried
from tests.fake_provider.rules import Failure, Match, Rule, Window
from tests.faults.invariants import check_all, rebuilds_agree
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected
REMEMBERS = "You remember: "


def test_a_persona_remembers_accepted_conversations_and_types_like_people(story: Story) -> None:
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
        p.provider.program(keep_bodies=1_000)
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["status"] == "completed"
        assert view["accepted"] >= 3, "the judge accepts some"
        assert view["rejected"] >= 3, "and rejects some"
        await check_all(p, run, frozen)
        await _memories_are_of_the_accepted(p, run)
        await _every_prompt_had_the_memory_of_then(p, run)
        await _roughened_turns_have_both_texts(p, run, frozen)
        await _each_role_has_its_own_row(p, run)
        await rebuilds_agree(p)

    story(sessions)


async def _memories_are_of_the_accepted(p: Pipeline, run: str) -> None:
    rows = await p.all(
        "select c.thread, c.number, c.status, c.persona, m.body, m.cut from conversation c"
        " left join memory m on m.conversation = c.id where c.run = $1 order by 1, 2",
        run,
    )
    for thread in range(3):
        assert len({row["persona"] for row in rows if row["thread"] == thread}) == 1
    for row in rows:
        remembers = row["status"] == "accepted" and row["number"] < 5
        assert (row["body"] is not None) == remembers, row
        assert row["body"] is None or (0 < len(row["body"]) <= 120 and row["cut"])


async def _every_prompt_had_the_memory_of_then(p: Pipeline, run: str) -> None:
    """What each conversation's own models were sent, against what was remembered before it."""
    bodies, keys = p.provider.bodies(), {call.seq: call.key for call in p.provider.calls()}
    placed = {
        row["step_key"]: (row["thread"], row["conversation"])
        for row in await p.all("select * from model_attempt where run = $1 and role = 'user'", run)
    }
    seen = set()
    for seq, body in bodies.items():
        place = placed.get(keys[seq] or "")
        if place is None:
            continue
        async with p.pool.acquire() as c:
            before = await memory_before(c, run, *place)
        system = orjson.loads(body)["messages"][0]["content"]
        told = system.partition(REMEMBERS)[2]
        assert told == (before.text if before else ""), place
        seen.add((place, told != ""))
    assert {remembers for _, remembers in seen} == {True, False}
    assert len({place for place, _ in seen}) == 18


async def _roughened_turns_have_both_texts(p: Pipeline, run: str, frozen: Snapshot) -> None:
    turns = await p.all(
        "select t.*, c.thread, c.number as of, c.preview, c.roughened from turn t"
        " join conversation c on c.id = t.conversation where c.run = $1 order by 1, 2",
        run,
    )
    planned = {(t, n) for t in range(3) for n in range(6) if draw(frozen, t, n).roughen}
    rough = [turn for turn in turns if turn["raw"] is not None]
    kept = [turn for turn in turns if turn["kept"]]
    assert {(turn["thread"], turn["of"]) for turn in (*rough, *kept)} == planned
    assert len(rough) + len(kept) == 2 * len(planned)
    for turn in rough:
        assert turn["role"] == "user"
        assert turn["body"] == hurried(turn["raw"])
        if turn["number"] == 0:
            assert turn["preview"] == turn["body"][:120]
    texts: dict[str, list[str]] = {}
    for turn in turns:
        texts.setdefault(turn["conversation"], []).append(turn["body"])
    async with p.pool.acquire() as c, c.transaction():
        row = await c.fetchrow("select * from run_view where run = $1", run)
        assert row is not None
        lines = b"".join([part async for part in jsonl(c, row, ["accepted", "rejected"])])
    for line in map(orjson.loads, lines.splitlines()):
        said = [message["content"] for message in line["messages"]]
        assert said == texts[line["metadata"]["conversation"]]


async def _each_role_has_its_own_row(p: Pipeline, run: str) -> None:
    roles = {row["role"] for row in await p.all("select role from run_cost where run = $1", run)}
    assert roles == {"user", "assistant", "roughen", "judge", "memory"}
    async with p.pool.acquire() as c:
        row = await c.fetchrow("select * from run_view where run = $1", run)
        assert row is not None
        found = {stage.stage: stage for stage in await stages(c, row, [])}
    assert list(found) == ["generate", "roughen", "filter", "judge", "memory"]
    roughened = found["roughen"].done
    assert roughened is not None
    assert roughened.value == 9
    assert found["memory"].latency is not None


def test_a_run_goes_on_without_what_cannot_be_roughened_or_remembered(story: Story) -> None:
    async def without(p: Pipeline) -> None:
        run = "run-without"
        frozen = snapshot(
            4,
            threads=1,
            mode="sessions",
            retries=1,
            judge=False,
            memory=Memory(),
            roughen=Roughening(share=1),
        )
        p.provider.program(
            Rule(Match(text="Type it like a hurried person"), Failure("server_error")),
            Rule(Match(text="system: Remember for", window=Window(1, 2)), Failure("server_error")),
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["accepted"]) == ("completed", 4)
        rows = await p.all(
            "select c.number, roughened, roughen_gave_up, memory_gave_up, m.body from conversation c"
            " left join memory m on m.conversation = c.id where c.run = $1 order by 1",
            run,
        )
        assert [row["roughened"] for row in rows] == [0] * 4
        assert all(row["roughen_gave_up"] for row in rows)
        assert [bool(row["memory_gave_up"]) for row in rows] == [False, True, False, False]
        assert [row["body"] is not None for row in rows] == [False, True, True, False]
        await check_all(p, run, frozen)

    story(without)


def test_a_paused_run_asks_for_its_memory_once(story: Story) -> None:
    async def paused(p: Pipeline) -> None:
        run = "run-paused-memory"
        frozen = snapshot(3, threads=1, mode="sessions", judge=False, memory=Memory())
        remembering = Match(text="system: Remember for")
        p.provider.program(Rule(remembering, Failure("insufficient_quota"), times=1))
        await p.start(run, frozen)
        view = await p.until(run, lambda v: v["status"] == "paused")
        assert (view["reason"], view["accepted"]) == ("backend_quota", 1)
        await p.at_rest(run)
        await p.control(run, "resume")
        assert (await p.ended(run))["accepted"] == 3
        assert await p.one("select count(*) from memory where run = $1", run) == 2
        await check_all(p, run, frozen)

    story(paused)
