"""Whole runs: both modes, diversity, caps, plans, and runs beside each other."""

import asyncio

import orjson
import pytest

from convo_events.catalog import Roughening
from tests.fake_provider.rules import Match, Rule, Scripted
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected


def test_scripted_mode_writes_whole_conversations_in_one_call(story: Story) -> None:
    async def scripted(p: Pipeline) -> None:
        run, frozen = (
            "run-script",
            snapshot(12, threads=4, mode="scripted", turns=6, roughen=Roughening(share=1)),
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["status"] == "completed"
        assert view["generated"] == 12
        turns = await p.all("select distinct turns from conversation where run = $1", run)
        assert [row["turns"] for row in turns] == [6]
        roles = await p.all("select role, calls from run_cost where run = $1 order by role", run)
        calls = {row["role"]: row["calls"] for row in roles}
        assert (calls["script"], calls["roughen"]) == (12, 12)
        texts = "select count(raw) as rough, count(*) filter (where kept <> '') as kept from turn"
        told = (await p.all(f"{texts} where conversation like $1", f"{run}.%"))[0]
        assert told["rough"] + told["kept"] == 12 * 3
        assert told["rough"] > 0
        await check_all(p, run, frozen)

    story(scripted)


def test_no_two_accepted_are_near_when_every_answer_is_the_same(story: Story) -> None:
    async def same(p: Pipeline) -> None:
        run, frozen = "run-same", snapshot(24, threads=24, concurrency=24)
        words = "the harbour was quiet and every boat lay still under a pale morning sky " * 3
        p.provider.program(
            Rule(match=Match(model="writer"), action=Scripted(texts=(words,) * 500)), latency=0.05
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["accepted"] <= 1
        hits = await p.all(
            "select distinct reason, layer from conversation where run = $1 and status = 'rejected'"
            " and layer = 2",
            run,
        )
        assert [(r["reason"], r["layer"]) for r in hits] in ([("near_duplicate", 2)], [])
        await check_all(p, run, frozen)

    story(same)


def test_two_runs_at_once_accept_nothing_twice_between_them(story: Story) -> None:
    """Scope ``everything``: one of all those conversations stays, and every other names a neighbour that stays."""

    async def same(p: Pipeline) -> None:
        made = snapshot(12, threads=12, concurrency=12)
        limits = made.config.diversity.model_copy(update={"scope": "everything"})
        frozen = made.model_copy(
            update={"config": made.config.model_copy(update={"diversity": limits})}
        )
        words = (
            "seven lanterns swing above the narrow bridge while late trams hum past the mill " * 3
        )
        p.provider.program(
            Rule(match=Match(model="writer"), action=Scripted(texts=(words,) * 500)), latency=0.05
        )
        runs = ("run-left", "run-right")
        for run in runs:
            await p.start(run, frozen)
        for run in runs:
            await p.ended(run)
            await check_all(p, run, frozen)
        stay = await p.all(
            "select id from conversation where run = any($1) and status = 'accepted'", list(runs)
        )
        assert len(stay) <= 1
        gone = await p.all(
            "select hit ->> 'neighbour' as neighbour from conversation"
            " where run = any($1) and reason = 'near_duplicate'",
            list(runs),
        )
        assert {row["neighbour"] for row in gone} <= {row["id"] for row in stay}

    story(same)


def test_C12_a_cap_is_never_exceeded_and_nothing_stays_reserved(story: Story) -> None:
    async def capped(p: Pipeline) -> None:
        run, frozen = "run-cap", snapshot(200, threads=32, concurrency=32)
        p.provider.program(latency=0.02)
        await p.start(run, frozen, cap_micro=60_000)
        view = await p.until(run, lambda v: v["status"] == "paused")
        assert view["reason"] == "spend_cap"
        await p.at_rest(run)
        budget = (await p.all("select * from run_budget where run = $1", run))[0]
        assert budget["reserved_micro"] == 0
        assert budget["spent_micro"] <= 60_000
        shown = await p.one(
            "select sum(cost_micro + unknown_micro)::bigint from run_cost where run = $1", run
        )
        assert shown == budget["spent_micro"]

    story(capped)


def test_D08_the_same_seed_draws_the_same_plan_at_any_concurrency(story: Story) -> None:
    async def plan(p: Pipeline) -> None:
        drawn = []
        for run, concurrency in (("run-one", 1), ("run-many", 16)):
            frozen = snapshot(16, threads=8, concurrency=concurrency)
            await p.start(run, frozen)
            await p.ended(run)
            rows = await p.all(
                "select thread, number, persona, voice, planned_turns from conversation"
                " where run = $1 order by thread, number",
                run,
            )
            drawn.append(rows)
        assert drawn[0] == drawn[1]

    story(plan)


def test_two_runs_share_the_machine(story: Story) -> None:
    async def both(p: Pipeline) -> None:
        large, small = snapshot(200, threads=64), snapshot(1, threads=1)
        p.provider.program(latency=0.02)
        await asyncio.gather(p.start("run-large", large), p.start("run-small", small))
        await asyncio.gather(p.ended("run-large"), p.ended("run-small"))
        # By the order of the log: the small run was through while the large one was under way.
        order = await p.all(
            "select run from event where type = 'run.completed' and run = any($1) order by position",
            ["run-large", "run-small"],
        )
        assert [row["run"] for row in order] == ["run-small", "run-large"]
        await check_all(p, "run-large", large)
        await check_all(p, "run-small", small)

    story(both)


def test_one_conversation_is_one_trace_through_every_service(story: Story) -> None:
    async def traced(p: Pipeline) -> None:
        run, frozen = "run-traced", snapshot(2, threads=2)
        await p.start(run, frozen)
        await p.ended(run)
        rows = await p.all(
            "select body from event where run = $1 and thread is not null order by position", run
        )
        traces: dict[int, set[str]] = {}
        for row in rows:
            document = orjson.loads(row["body"])
            trace = document["trace"].split("-")[1]
            traces.setdefault(document["event"]["thread"], set()).add(trace)
        assert [len(found) for found in traces.values()] == [1, 1]
        assert len(set.union(*traces.values())) == 2

    story(traced)
