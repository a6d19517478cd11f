"""Judges with every option on a real stack: samples, a panel, both orders, rechecks, and verdicts used again."""

from collections import Counter

import pytest

from convo_events.plan import draw
from convo_events.snapshot import Snapshot
from tests.fake_provider.rules import Match, Refusal, Rule, Scripted
from tests.faults.invariants import check_all
from tests.journeys.configs import EVERY_OPTION, snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected


def _drawn(frozen: Snapshot) -> set[tuple[int, int]]:
    """Thread and number of the conversations that the plan has rechecked."""
    places = [(t, n) for t in range(frozen.lanes) for n in range(frozen.quota(t))]
    return {place for place in places if draw(frozen, *place).recheck}


def test_J01_J09_every_option_at_once_and_one_broken_answer_spoils_nothing(story: Story) -> None:
    async def all_at_once(p: Pipeline) -> None:
        run = "run-every-option"
        options = {**EVERY_OPTION, "threshold": 1.5, "retries": 0, "cache": False}
        frozen = snapshot(6, threads=3, concurrency=3, judging=options)
        p.provider.program(
            Rule(match=Match(model="judge"), action=Scripted(texts=("very good!",)), times=1)
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["failed"]) == ("completed", 0)
        rows = await p.all(
            "select * from judgement where run = $1 order by conversation, step", run
        )
        assert "asked" not in {row["state"] for row in rows}
        assert sum(row["state"] == "unparsed" for row in rows) == 1
        verdicts = Counter(
            (r["conversation"], r["seat"]) for r in rows if r["purpose"] == "verdict"
        )
        assert len(verdicts) == 12, "both judges score every conversation"
        rechecked = {r["conversation"] for r in rows if r["purpose"] == "recheck"}
        assert rechecked == {f"{run}.{thread}.{number}" for thread, number in _drawn(frozen)}
        compared = await p.one("select sum(n)::int from run_comparison where run = $1", run)
        assert compared == len({r["conversation"] for r in rows if r["purpose"] == "comparison"})
        calls = await p.one(
            "select count(*) from model_attempt where run = $1 and role = 'judge'", run
        )
        assert calls == len(rows), "one step, one call"
        await check_all(p, run, frozen)

    story(all_at_once)


def test_C07_P02_J11_a_verdict_serves_again_and_repeats_and_refusals_never_do(story: Story) -> None:
    async def again(p: Pipeline) -> None:
        options = {"samples": 2, "cache": True, "threshold": 1.5}
        frozen = snapshot(4, threads=4, near_duplicate=None, judging=options)
        p.provider.program(Rule(match=Match(model="judge"), action=Refusal(), times=1))
        for run in ("run-first", "run-again"):
            await p.start(run, frozen)
            assert (await p.ended(run))["status"] == "completed"
            await check_all(p, run, frozen)
        known = await p.all(
            "select conversation, state, sample, cached_from from judgement where run = 'run-again'"
        )
        paid = await p.all(
            "select conversation, sample from judgement"
            " where run = 'run-first' and state = 'scored' and sample = 0"
        )
        hits = {row["conversation"] for row in known if row["cached_from"]}
        assert hits == {row["conversation"].replace("first", "again") for row in paid}
        assert hits
        refused = await p.one(
            "select conversation from judgement where run = 'run-first' and state = 'refused'"
        )
        anew = {
            (r["conversation"], r["state"])
            for r in known
            if not r["sample"] and not r["cached_from"]
        }
        assert anew == {(refused.replace("first", "again"), "scored")}, "a refusal is asked again"
        assert all(not row["cached_from"] for row in known if row["sample"])
        (cost,) = await p.all("select * from run_cost where run = 'run-again' and role = 'judge'")
        asked = sum(not row["cached_from"] for row in known)
        assert (cost["cached_verdicts"], cost["calls"]) == (len(hits), asked)
        assert cost["avoided_micro"] > 0

    story(again)
