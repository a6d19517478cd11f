"""Frozen means frozen: every object that a run froze is edited in every field while it goes, and it does not notice."""

import hashlib

import pytest

from convo_events.prices import cost_micro
from convo_events.snapshot import Snapshot
from convo_events.usage import Usage
from tests.fake_provider.rules import Held, Match, Rule, Window
from tests.faults.invariants import check_all
from tests.gateway.serving import Served, serving
from tests.journeys import edits
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected

NAMED, OTHER, CONFIG = "frozen-named", "frozen-other", "frozen-config"


async def _write(served: Served) -> None:
    """The objects, the ones that edits will name instead, and the config."""
    originals = edits.objects(NAMED, edited=False)
    for kind, body in (*originals.items(), *edits.objects(OTHER, edited=True).items()):
        answer = await served.post(f"/{kind}", json=body)
        assert answer.status == 201, (kind, answer.body)
    answer = await served.post("/run-configs", json=edits.config(CONFIG, NAMED, edited=False))
    assert answer.status == 201, answer.body


async def _edit_everything(served: Served) -> None:
    """Every object with every field changed, by PUT as a person would."""
    changed = {**edits.objects(NAMED, edited=True)}
    changed["run-configs"] = edits.config(CONFIG, OTHER, edited=True)
    for kind, body in changed.items():
        path = f"/api/v1/{kind}/{body['name']}"
        before = (await served.ask("GET", path)).json["body"]
        answer = await served.ask("PUT", path, json=body, headers={"If-Match": '"v1"'})
        assert (answer.status, answer.json["version"]) == (200, 2), (kind, answer.body)
        assert edits.unchanged(before, answer.json["body"]) == [], kind


async def _frozen(p: Pipeline, run: str) -> Snapshot:
    """The snapshot of the run, after checking that it is what its hash says."""
    content_hash = (await p.view(run))["snapshot"]
    body = await p.one("select body from snapshot where hash = $1", content_hash)
    assert hashlib.sha256(body).hexdigest() == content_hash
    return Snapshot.model_validate_json(body)


async def _calls_cost_what_was_frozen(p: Pipeline, run: str, frozen: Snapshot) -> None:
    rows = await p.all(
        "select backend, model, usage::text, cost_micro, started_at from model_attempt "
        "where run = $1 and state = 'finished'",
        run,
    )
    assert len(rows) >= 12 * 3
    dearer = edits.objects(NAMED, edited=True)["backends"]["models"]
    assert dearer[0]["prices"]["rates"]["input"] == "14"
    for row in rows:
        model = frozen.backend(row["backend"]).model_named(row["model"])
        assert model is not None
        assert model.prices is not None
        usage = Usage.model_validate_json(row["usage"])
        assert row["cost_micro"] == cost_micro(model.prices, usage, row["started_at"])


def test_no_edit_of_any_field_of_any_object_reaches_a_run_that_goes(story: Story) -> None:
    async def edited(p: Pipeline) -> None:
        # One call is held until the run is paused, so that it cannot be through before anything is edited.
        held = Rule(Match(model="writer", window=Window(10, 10)), Held())
        p.provider.program(held, keep_bodies=2_000, latency=0.02)
        async with serving(p.stack.env("gateway"), p.stack.database_url) as served:
            await served.until_ready()
            await _write(served)
            started = await served.post("/runs", json={"config": CONFIG})
            assert started.status in (201, 202), started.body
            run = started.json["id"]
            await p.until(run, lambda view: view["accepted"] + view["rejected"] >= 1)
            paused = await served.post(f"/runs/{run}/actions/pause")
            assert paused.status in (200, 202), paused.body
            p.provider.program(keep_bodies=2_000, latency=0.02)
            await p.at_rest(run)
            before, frozen = await p.view(run), await _frozen(p, run)
            assert before["generated"] < 12, "the run was through before anything was edited"
            spent = await p.one("select sum(cost_micro)::bigint from run_cost where run = $1", run)

            await _edit_everything(served)
            assert (await served.post(f"/run-configs/{CONFIG}/archive")).status == 200
            assert (await served.post(f"/backends/{NAMED}/archive")).status == 200
            resumed = await served.post(f"/runs/{run}/actions/resume")
            assert resumed.status in (200, 202), resumed.body
            after = await p.ended(run)

            assert (after["status"], after["generated"]) == ("completed", 12)
            same = (
                "snapshot",
                "config_version",
                "target",
                "seed",
                "lanes",
                "mode",
                "estimate_micro",
            )
            assert {key: after[key] for key in same} == {key: before[key] for key in same}
            assert await _frozen(p, run) == frozen
            await _calls_cost_what_was_frozen(p, run, frozen)
            total = await p.one("select sum(cost_micro)::bigint from run_cost where run = $1", run)
            assert total > spent, "the calls after the edit cost something too"
            await check_all(p, run, frozen)
            await _shown_as_frozen(served, run)
        sent = list(p.provider.bodies().values())
        assert len(sent) == len(p.provider.calls())
        assert not [body for body in sent if edits.AFTER in body or "edited-" in body]
        assert all(edits.BEFORE in body for body in sent)

    story(edited)


async def _shown_as_frozen(served: Served, run: str) -> None:
    """The pages: every object is said to have changed since, and prompts are the ones that were sent."""
    objects = (await served.get(f"/runs/{run}/frozen")).json["objects"]
    assert {(one["kind"], one["version"], one["latest"]) for one in objects} == {
        (kind, 1, 2) for kind in edits.objects(NAMED, edited=False)
    }
    assert all(one["changed"] for one in objects)
    listed = (await served.get("/conversations", params={"run": run})).json["items"]
    for conversation in listed[:3]:
        shown = await served.get(f"/conversations/{conversation['id']}/prompts")
        text = shown.body.decode()
        assert shown.status == 200
        assert edits.BEFORE in text
        assert edits.AFTER not in text
