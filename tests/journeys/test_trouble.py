"""What the provider does wrong, and what becomes of it. Names carry the public report they answer."""

import pytest

from tests.fake_provider.rules import (
    BrokenStream,
    Disconnect,
    Failure,
    Garbled,
    HostileText,
    Huge,
    Match,
    Odd,
    RateLimited,
    Rule,
    Scripted,
    Silence,
    Window,
    WrongUsage,
)
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected


def test_L01_L06_rate_limits_delay_and_lose_nothing(story: Story) -> None:
    async def limited(p: Pipeline) -> None:
        frozen = snapshot(20, threads=10, concurrency=10)
        p.provider.program(
            Rule(
                match=Match(model="writer"),
                action=RateLimited(retry_after="seconds", seconds=1),
                times=8,
            ),
            Rule(
                match=Match(model="writer"),
                action=RateLimited(retry_after="date", seconds=1),
                times=2,
            ),
        )
        await p.start("run-429", frozen)
        view = await p.ended("run-429")
        assert view["status"] == "completed"
        assert view["failed"] == 0
        deferred = await p.one(
            "select count(*) from model_attempt where run = 'run-429' and state = 'deferred'"
        )
        assert deferred == 10
        free = await p.all(
            "select distinct cost_micro, basis from model_attempt"
            " where run = 'run-429' and state = 'deferred'"
        )
        assert [(row["cost_micro"], row["basis"]) for row in free] == [(0, "free")]
        await check_all(p, "run-429", frozen)

    story(limited)


def test_L03_a_judge_that_rests_does_not_stop_the_writers(story: Story) -> None:
    async def resting(p: Pipeline) -> None:
        frozen = snapshot(12, threads=12, concurrency=12)
        rests = RateLimited(retry_after="seconds", seconds=1)
        p.provider.program(Rule(match=Match(model="judge"), action=rests))
        await p.start("run-rest", frozen)
        generated = await p.until("run-rest", lambda view: view["generated"] == 12)
        assert generated["accepted"] == 0, "the judge rests until the next program"
        p.provider.program()
        assert (await p.ended("run-rest"))["failed"] == 0
        await check_all(p, "run-rest", frozen)

    story(resting)


def test_L07_an_exhausted_quota_pauses_the_run_and_loses_nothing(story: Story) -> None:
    async def quota(p: Pipeline) -> None:
        run, frozen = "run-quota", snapshot(10, threads=5, concurrency=5)
        p.provider.program(Rule(match=Match(), action=Failure(error="insufficient_quota")))
        await p.start(run, frozen)
        view = await p.until(run, lambda v: v["status"] == "paused")
        assert view["reason"] == "backend_quota"
        assert "quota" in view["detail"]
        await p.at_rest(run)
        p.provider.program()
        await p.control(run, "resume")
        assert (await p.ended(run))["failed"] == 0
        await check_all(p, run, frozen)

    story(quota)


def test_a_refused_key_pauses_with_a_clear_message_and_without_the_key(story: Story) -> None:
    async def refused(p: Pipeline) -> None:
        run, frozen = "run-key", snapshot(6, threads=3, concurrency=3)
        p.provider.program(api_key="another key")
        await p.start(run, frozen)
        view = await p.until(run, lambda v: v["status"] == "paused")
        assert view["reason"] == "backend_auth"
        assert "fake" in view["detail"]
        stored = await p.one("select count(*) from event where body like '%k-test%'")
        assert stored == 0, "I13: the key is in an event"
        await p.at_rest(run)
        p.provider.program(api_key="k-test")
        await p.control(run, "resume")
        assert (await p.ended(run))["accepted"] > 0

    story(refused)


def test_L08_a_call_that_never_returns_ends_by_its_deadline(story: Story) -> None:
    async def silent(p: Pipeline) -> None:
        run, frozen = "run-silent", snapshot(6, threads=3, concurrency=3, timeout_s=3)
        p.provider.program(Rule(match=Match(), action=Silence(), times=1))
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["status"] == "completed"
        assert view["failed"] == 0
        await check_all(p, run, frozen)

    story(silent)


def test_L09_every_item_of_the_last_wave_may_fail_and_the_run_still_ends(story: Story) -> None:
    async def hopeless(p: Pipeline) -> None:
        run, frozen = "run-hopeless", snapshot(8, threads=8, concurrency=8)
        p.provider.program(Rule(match=Match(), action=Failure(error="context_length_exceeded")))
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["failed"]) == ("completed", 8)
        reasons = await p.all("select reason, layer, n from reject_count where run = $1", run)
        assert [(r["reason"], r["layer"], r["n"]) for r in reasons] == [("context_exceeded", 0, 8)]
        await check_all(p, run, frozen)

    story(hopeless)


def test_L10_a_bad_parameter_fails_fast_with_the_providers_words(story: Story) -> None:
    async def bad(p: Pipeline) -> None:
        run, frozen = "run-bad", snapshot(4, threads=2, concurrency=2)
        p.provider.program(Rule(match=Match(), action=Failure(error="invalid_request")))
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["failed"] == 4
        assert p.provider.stats().requests == 4, "no retry storm"
        detail = await p.one("select detail from conversation where run = $1 limit 1", run)
        assert "Invalid request" in detail

    story(bad)


def test_L11_G02_broken_answers_are_tried_again_a_bounded_number_of_times(story: Story) -> None:
    async def broken(p: Pipeline) -> None:
        run, frozen = "run-broken", snapshot(3, threads=1, concurrency=1, retries=2)
        p.provider.program(Rule(match=Match(model="writer"), action=Odd(shape="null_content")))
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["failed"] == 3
        assert p.provider.stats().requests == 3 * 3
        cost = await p.one("select sum(cost_micro)::bigint from run_cost where run = $1", run)
        assert cost > 0, "what failed was paid all the same"
        await check_all(p, run, frozen)

    story(broken)


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("reset", Disconnect(where="before_headers")),
        ("cut", Disconnect(where="mid_body")),
        ("not-json", Garbled(body="malformed_json")),
        ("html", Garbled(body="html")),
        ("utf8", Garbled(body="invalid_utf8")),
        ("server", Failure(error="server_error")),
    ],
)
def test_R06_a_call_that_breaks_is_booked_and_tried_again(
    story: Story, name: str, action: Disconnect | Garbled | Failure
) -> None:
    async def breaks(p: Pipeline) -> None:
        run, frozen = f"run-breaks-{name}", snapshot(4, threads=2, concurrency=2)
        p.provider.program(Rule(match=Match(), action=action, times=2))
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["failed"]) == ("completed", 0)
        attempts = await p.one("select count(*) from model_attempt where run = $1", run)
        assert attempts == p.provider.stats().requests
        await check_all(p, run, frozen)

    story(breaks)


def test_C13_missing_and_wrong_usage_is_estimated_and_marked_and_never_zero(story: Story) -> None:
    async def wrong(p: Pipeline) -> None:
        run, frozen = "run-usage", snapshot(4, threads=2, concurrency=2)
        p.provider.program(Rule(match=Match(), action=WrongUsage(usage="missing")))
        await p.start(run, frozen)
        await p.ended(run)
        costs = await p.all(
            "select calls, estimated_calls, cost_micro from run_cost where run = $1", run
        )
        assert all(row["estimated_calls"] == row["calls"] for row in costs)
        assert all(row["cost_micro"] > 0 for row in costs)
        await check_all(p, run, frozen)

    story(wrong)


def test_C09_a_model_without_a_price_costs_unknown_and_not_zero(story: Story) -> None:
    async def unpriced(p: Pipeline) -> None:
        run, frozen = "run-unpriced", snapshot(4, threads=2, concurrency=2, prices=None)
        await p.start(run, frozen)
        await p.ended(run)
        costs = await p.all("select calls, unpriced_calls from run_cost where run = $1", run)
        assert costs
        assert all(row["unpriced_calls"] == row["calls"] for row in costs)

    story(unpriced)


def test_C05_C06_roles_on_one_model_are_booked_apart_and_judge_tries_again_are_charged(
    story: Story,
) -> None:
    async def apart(p: Pipeline) -> None:
        run, frozen = "run-roles", snapshot(4, threads=2, concurrency=2)
        p.provider.program(
            Rule(match=Match(model="judge"), action=Scripted(texts=("no verdict",)), times=1)
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert view["failed"] == 0
        rows = await p.all("select role, calls from run_cost where run = $1", run)
        judged = await p.one(
            "select count(*) from event where run = $1 and type = 'step.judged'", run
        )
        assert judged > 0
        assert {row["role"]: row["calls"] for row in rows} == {
            "assistant": 4,
            "judge": judged + 1,
            "user": 4,
        }
        await check_all(p, run, frozen)

    story(apart)


def test_J02_a_judge_that_never_answers_in_form_is_a_failure_and_not_a_low_score(
    story: Story,
) -> None:
    async def unparsed(p: Pipeline) -> None:
        run, frozen = "run-unparsed", snapshot(3, threads=3, concurrency=3)
        p.provider.program(
            Rule(match=Match(model="judge"), action=Scripted(texts=("well, it is nice",) * 50))
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["failed"], view["rejected"]) == (3, 0)
        reasons = await p.all("select reason, layer from reject_count where run = $1", run)
        assert [(r["reason"], r["layer"]) for r in reasons] == [("judge_unparsed", 0)]

    story(unparsed)


def test_U01_U05_hostile_text_goes_through_to_a_verdict(story: Story) -> None:
    async def hostile(p: Pipeline) -> None:
        run, frozen = "run-hostile", snapshot(4, threads=2, concurrency=2)
        p.provider.program(
            Rule(match=Match(model="writer"), action=HostileText(character="nul"), times=2),
            Rule(
                match=Match(model="writer"), action=HostileText(character="lone_surrogate"), times=2
            ),
            Rule(match=Match(model="writer"), action=HostileText(character="bidi"), times=2),
        )
        await p.start(run, frozen)
        assert (await p.ended(run))["status"] == "completed"
        await check_all(p, run, frozen)

    story(hostile)


def test_I12_a_huge_answer_is_cut_and_the_run_goes_on(story: Story) -> None:
    async def huge(p: Pipeline) -> None:
        run, frozen = "run-huge", snapshot(3, threads=1, concurrency=1)
        p.provider.program(Rule(match=Match(model="writer"), action=Huge(), times=1))
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["failed"]) == ("completed", 0)
        await check_all(p, run, frozen)

    story(huge)


def test_streams_are_read_and_a_broken_stream_is_tried_again(story: Story) -> None:
    async def streamed(p: Pipeline) -> None:
        run, frozen = "run-stream", snapshot(4, threads=2, concurrency=2, stream=True)
        p.provider.program(
            Rule(match=Match(stream=True, window=Window(1, 2)), action=BrokenStream())
        )
        await p.start(run, frozen)
        view = await p.ended(run)
        assert (view["status"], view["failed"]) == ("completed", 0)
        assert all(call.stream for call in p.provider.calls())
        await check_all(p, run, frozen)

    story(streamed)
