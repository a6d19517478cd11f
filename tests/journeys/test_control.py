"""Pause, resume, kick and cancel, by the log of the provider and the clock of the ledger."""

import asyncio
import signal
from datetime import datetime

import pytest

from tests.fake_provider.rules import Held, Match, Rule, Silence, Window
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected


def _settled(view: dict[str, int]) -> int:
    return view["accepted"] + view["rejected"] + view["failed"]


def held(number: int) -> Rule:
    """That call stays under way until the next program: the run goes on around it, and cannot end before that."""
    return Rule(Match(window=Window(number, number)), Held())


async def _paused(p: Pipeline, run: str) -> datetime:
    """Pause; the time of the answer, by the ledger's clock."""
    reply = await p.control(run, "pause")
    answered: datetime = await p.one("select clock_timestamp()")
    assert (reply.code, reply.status) == ("", "paused")
    return answered


async def _nothing_new_since(p: Pipeline, run: str, answered: datetime) -> None:
    """I6: whatever the provider was sent was claimed before the pause was answered, and what was under way was kept.

    Claims are what is looked at, not arrivals: a claim is good for a moment, but between the worker's last look at its
    clock and the provider's a busy machine lets any time pass.
    """
    await p.at_rest(run)
    attempts = await p.all(
        "select step_key, started_at, state from model_attempt where run = $1", run
    )
    late = [row for row in attempts if row["started_at"] > answered]
    assert not late, f"{len(late)} calls were claimed after the pause was answered"
    assert {row["state"] for row in attempts} == {"finished"}
    sent = p.provider.requests_by_key()
    assert [sent.get(row["step_key"]) for row in attempts] == [1] * len(attempts)
    unknown = sent.keys() - {row["step_key"] for row in attempts}
    claimed = await p.one(
        "select count(distinct step_key) from model_attempt where step_key = any($1)", list(unknown)
    )
    assert claimed == len(unknown), "requests without a claim"


async def _quiet_after_pause(p: Pipeline, run: str, latency: float) -> None:
    """I6, K04: nothing is sent after the answer; what was under way is kept; counters stay."""
    answered = await _paused(p, run)
    stable = await p.until(run, lambda view: view["status"] == "paused")
    p.provider.program(latency=latency)
    await _nothing_new_since(p, run, answered)
    assert _settled(await p.view(run)) == _settled(stable)


async def _pause_and_resume(p: Pipeline, run: str, concurrency: int, latency: float) -> None:
    frozen = snapshot(40, threads=16, concurrency=concurrency, turns=4, timeout_s=600)
    p.provider.program(held(120), latency=latency)
    await p.start(run, frozen)
    await p.until(run, lambda view: _settled(view) >= 3)
    await _quiet_after_pause(p, run, latency)
    again = await p.control(run, "pause")
    assert (again.code, again.status, again.seq) == ("", "paused", 0)
    refused = await p.control(run, "kick")
    assert (refused.code, refused.status) == ("conflict", "paused")
    assert (await p.control(run, "resume")).status == "running"
    view = await p.ended(run)
    assert view["status"] == "completed"
    assert p.provider.stats().repeated == {}, "a step was sent twice"
    await check_all(p, run, frozen)
    late = await p.control(run, "pause")
    assert (late.code, late.status) == ("conflict", "completed")


def test_I6_S0_14_pause_is_a_hard_line_and_S0_16_resume_repeats_nothing(story: Story) -> None:
    story(lambda p: _pause_and_resume(p, "run-pause", concurrency=16, latency=0.1))


def test_K04_pause_holds_with_one_call_at_a_time(story: Story) -> None:
    story(lambda p: _pause_and_resume(p, "run-single", concurrency=1, latency=0.0))


def test_S0_17_kick_twice_on_a_healthy_run_makes_no_extra_call(story: Story) -> None:
    async def kick(p: Pipeline) -> None:
        frozen = snapshot(40, threads=12, concurrency=12, timeout_s=600)
        p.provider.program(held(60), latency=0.2)
        await p.start("run-kick", frozen)
        await p.until("run-kick", lambda view: _settled(view) >= 2)
        first = await p.control("run-kick", "kick")
        second = await p.control("run-kick", "kick")
        p.provider.program(latency=0.2)
        assert first.status == second.status == "running"
        assert first.threads is not None
        assert second.epoch == first.epoch + 1
        assert (await p.ended("run-kick"))["status"] == "completed"
        assert p.provider.stats().repeated == {}
        await check_all(p, "run-kick", frozen)

    story(kick)


def test_I7_K01_K02_cancel_closes_every_socket_and_nothing_changes_after(story: Story) -> None:
    async def cancel(p: Pipeline) -> None:
        run, provider = "run-cancel", p.provider
        frozen = snapshot(80, threads=16, concurrency=16, timeout_s=3_600)
        # Only the first ones are answered; of the others all would wait for an hour.
        provider.program(Rule(Match(window=Window(first=61)), Silence()), latency=0.05)
        await p.start(run, frozen)
        await p.until(run, lambda view: _settled(view) >= 3)
        await asyncio.to_thread(provider.until, lambda stats: stats.requests >= 60 + 8)
        reply = await p.control(run, "cancel")
        assert reply.status == "cancelling"
        # Within 5 seconds where every process gets to run; here it counts that they close before their hour is over.
        await asyncio.to_thread(provider.until, lambda stats: stats.in_flight == 0)
        view = await p.ended(run)
        assert view["status"] == "cancelled"
        await p.booked(run)
        requests = provider.stats().requests
        await p.idle()
        assert provider.stats().requests == requests
        assert await p.view(run) == view
        statuses = await p.all("select distinct status from conversation where run = $1", run)
        assert {row["status"] for row in statuses} <= {
            "accepted",
            "rejected",
            "failed",
            "cancelled",
        }
        aborted = await p.one(
            "select count(*) from model_attempt where run = $1 and state = 'aborted'", run
        )
        assert aborted >= 8
        again = await p.control(run, "cancel")
        assert (again.code, again.status) == ("", "cancelled")
        assert (await p.control(run, "resume")).code == "conflict"
        await check_all(p, run, frozen)

    story(cancel)


def test_R09_a_paused_run_stays_paused_under_a_new_scheduler_and_then_goes_on(story: Story) -> None:
    async def new_scheduler(p: Pipeline) -> None:
        run = "run-takeover"
        frozen = snapshot(30, threads=8, concurrency=8, timeout_s=600)
        p.provider.program(held(50), latency=0.1)
        await p.start(run, frozen)
        await p.until(run, lambda view: _settled(view) >= 1)
        answered = await _paused(p, run)
        await p.stack.restart("scheduler", signal.SIGKILL)
        assert (await p.control(run, "pause")).status == "paused"
        p.provider.program(latency=0.1)
        await _nothing_new_since(p, run, answered)
        await p.control(run, "resume")
        assert (await p.ended(run))["status"] == "completed"
        await check_all(p, run, frozen)

    story(new_scheduler)


def test_unknown_run_is_not_found(story: Story) -> None:
    async def unknown(p: Pipeline) -> None:
        reply = await p.control("run-nobody", "pause")
        assert reply.code == "not_found"
        assert "run-nobody" in reply.message

    story(unknown)
