"""Caps that change, starts that wait for their hour, and samples, on a whole stack."""

import asyncio
import signal
from datetime import UTC, datetime, timedelta

import pytest

from convo_events.commands import CapRun, Reply, StartRun
from convo_events.runs import RunKind
from convo_events.snapshot import Snapshot
from convo_events.snapshots import store_snapshot
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected


async def begin(
    p: Pipeline,
    run: str,
    frozen: Snapshot,
    *,
    kind: RunKind = "generation",
    wait_s: float | None = None,
    cap_micro: int | None = None,
) -> Reply:
    """Plan a run, to start in so many seconds."""
    async with p.pool.acquire() as c:
        content = await store_snapshot(c, frozen)
    later = None if wait_s is None else datetime.now(UTC) + timedelta(seconds=wait_s)
    return await p.command(
        StartRun(
            run=run,
            kind=kind,
            name=run,
            config=frozen.config.name,
            config_version=frozen.config_version,
            mode=frozen.config.mode,
            snapshot=content,
            target=frozen.target,
            seed=frozen.config.seed,
            lanes=frozen.lanes,
            estimate_micro=0,
            expected_accepted=None,
            spend_cap_micro=cap_micro,
            not_before=later,
        )
    )


async def budget(p: Pipeline, run: str) -> tuple[int, int]:
    """(spent, reserved) micro-dollars."""
    (row,) = await p.all("select * from run_budget where run = $1", run)
    return row["spent_micro"], row["reserved_micro"]


def test_C12_a_raised_cap_lets_a_paused_run_go_on_and_a_lowered_one_pauses_it(story: Story) -> None:
    async def caps(p: Pipeline) -> None:
        run, frozen = "run-caps", snapshot(60, threads=24, concurrency=24)
        p.provider.program(latency=0.05)
        await begin(p, run, frozen, cap_micro=30_000)
        view = await p.until(run, lambda v: v["status"] == "paused")
        assert view["reason"] == "spend_cap"
        assert "raise the cap" in view["detail"]
        # A call that cost less than the one without room may have been on its way when the run paused.
        await p.at_rest(run)
        spent, reserved = await budget(p, run)
        assert (spent <= 30_000, reserved) == (True, 0)

        raised = await p.command(CapRun(run=run, spend_cap_micro=60_000))
        assert (raised.code, raised.status) == ("", "paused")
        view = await p.until(run, lambda v: v["spend_cap_micro"] == 60_000)
        assert "resume" in view["detail"]
        await p.control(run, "resume")
        await p.until(run, lambda v: v["accepted"] + v["rejected"] > view["accepted"])
        lowered = await p.command(CapRun(run=run, spend_cap_micro=spent // 2 + 1))
        assert lowered.status == "paused"
        view = await p.until(run, lambda v: v["epoch"] == lowered.epoch)
        assert (view["status"], view["reason"]) == ("paused", "spend_cap")

        await p.at_rest(run)
        await p.command(CapRun(run=run, spend_cap_micro=None))
        assert (await p.control(run, "resume")).status == "running"
        assert (await p.ended(run))["status"] == "completed"
        refused = await p.command(CapRun(run=run, spend_cap_micro=1))
        assert (refused.code, refused.status) == ("conflict", "completed")
        assert p.provider.stats().repeated_after_ok == {}
        await check_all(p, run, frozen)

    story(caps)


def test_S0_9_a_run_waits_for_its_hour_through_the_death_of_every_part(story: Story) -> None:
    async def waits(p: Pipeline) -> None:
        run, frozen = "run-later", snapshot(4, threads=2)
        cancelled, now = "run-later-no", "run-later-now"
        for other in (cancelled, now):
            assert (await begin(p, other, frozen, wait_s=3_600)).status == "queued"
        assert (await p.control(now, "pause")).code == "conflict"
        # Its hour comes in a moment: on a slow machine before anything else is asked or killed.
        assert (await begin(p, run, frozen, wait_s=5)).code == ""
        await p.stack.restart("scheduler", signal.SIGKILL)
        await p.stack.restart("nats", signal.SIGKILL)
        await p.stack.restart("postgres", signal.SIGKILL)
        assert (await p.control(now, "start")).status == "running"
        # Asked again after an outage, it may be through by then.
        assert (await p.control(cancelled, "cancel")).status in ("cancelling", "cancelled")
        views = await asyncio.gather(*(p.ended(name) for name in (run, now, cancelled)))
        assert [view["status"] for view in views] == ["completed", "completed", "cancelled"]
        planned = views[0]["not_before"]
        assert views[0]["started_at"] >= planned, "not before its time, by the scheduler's clock"
        assert not p.provider.requests_by_key().keys() & {
            row["step_key"]
            for row in await p.all("select step_key from model_attempt where run = $1", cancelled)
        }
        for name in (run, now):
            await check_all(p, name, frozen)

    story(waits)


def test_a_sample_makes_the_one_conversation_of_the_plan_that_a_run_would(story: Story) -> None:
    async def sample(p: Pipeline) -> None:
        frozen = snapshot(9, threads=3)
        await p.start("run-to-sample", frozen)
        await p.ended("run-to-sample")
        only = frozen.model_copy(update={"only": 5})
        await begin(p, "run-sample", only, kind="sample", cap_micro=500_000)
        view = await p.ended("run-sample")
        assert (view["status"], view["kind"], view["target"]) == ("completed", "sample", 1)
        (one,) = await p.all("select * from conversation where run = 'run-sample'")
        (same,) = await p.all(
            "select * from conversation where run = 'run-to-sample' and thread = 2 and number = 1"
        )
        assert one["id"] == "run-sample.0.0"
        for drawn in ("persona", "voice", "planned_turns"):
            assert one[drawn] == same[drawn]
        assert (await budget(p, "run-sample"))[1] == 0
        await check_all(p, "run-sample", only)

    story(sample)
