"""Pause, resume, kick and cancel against the provider's own clock and log."""

import asyncio
import signal
import time

import pytest

from tests.fake_provider.rules import Match, Rule, Silence
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected


def _settled(view: dict[str, int]) -> int:
    return view["accepted"] + view["rejected"] + view["failed"]


async def _quiet_after_pause(p: Pipeline, run: str) -> None:
    """I6, K04: nothing reaches the provider after the answer; what was under way is kept; counters stay."""
    reply = await p.control(run, "pause")
    answered_at = time.monotonic()
    assert reply.status == "paused"
    stable = await p.until(run, lambda view: view["status"] == "paused")
    await p.idle()
    late = [call for call in p.provider.calls() if call.at > answered_at]
    assert not late, f"{len(late)} requests started after the pause was answered"
    assert _settled(await p.view(run)) == _settled(stable)


async def _pause_and_resume(p: Pipeline, run: str, concurrency: int, latency: float) -> None:
    frozen = snapshot(40, threads=16, concurrency=concurrency, turns=4)
    p.provider.program(latency=latency)
    await p.start(run, frozen)
    await p.until(run, lambda view: _settled(view) >= 3)
    await _quiet_after_pause(p, run)
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
        frozen = snapshot(40, threads=12, concurrency=12)
        p.provider.program(latency=0.2)
        await p.start("run-kick", frozen)
        await p.until("run-kick", lambda view: _settled(view) >= 2)
        first = await p.control("run-kick", "kick")
        second = await p.control("run-kick", "kick")
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
        frozen = snapshot(40, threads=16, concurrency=16, timeout_s=60)
        provider.program(latency=0.05)
        await p.start(run, frozen)
        await p.until(run, lambda view: _settled(view) >= 3)
        provider.program(Rule(match=Match(), action=Silence()))
        asked = provider.stats().requests
        # Only what is asked from now on is never answered.
        await asyncio.to_thread(provider.until, lambda stats: stats.requests >= asked + 8)
        reply = await p.control(run, "cancel")
        assert reply.status == "cancelling"
        await asyncio.to_thread(provider.until, lambda stats: stats.in_flight == 0, 5.0)
        view = await p.ended(run, 10)
        assert view["status"] == "cancelled"
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
        frozen = snapshot(30, threads=8, concurrency=8)
        p.provider.program(latency=0.1)
        await p.start(run, frozen)
        await p.until(run, lambda view: _settled(view) >= 1)
        await p.control(run, "pause")
        answered_at = time.monotonic()
        await p.stack.restart("scheduler", signal.SIGKILL)
        assert (await p.control(run, "pause")).status == "paused"
        assert all(call.at < answered_at for call in p.provider.calls())
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
