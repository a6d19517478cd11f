"""Routes about run configs that may not be saved: check, preview, prompts, and how good their estimates were."""

from typing import Any

import pytest

from tests.gateway import objects
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def catalog(served: Served) -> None:
    url = served.read_model.url
    await objects.add_basics(url)
    await objects.add(url, "personas", {"name": "sam", "summary": "Someone else."})
    topics = [f"topic {at}" for at in range(20)]
    await objects.add(url, "pools", {"name": "topics", "values": topics})
    script = "Write {{ turns }} turns about {{ topics }} for {{ persona.name }}."
    prompts = {"name": "topical", "modes": ["scripted"], "segments": {"script": script}}
    await objects.add(url, "prompt-sets", prompts)
    await objects.add(url, "run-configs", wanted(), objects.config("broken", prompt_set="topcal"))


def wanted(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "prompt_set": "topical",
        "pools": ["topics"],
        "personas": [{"name": "pat", "weight": 3}, {"name": "sam"}],
        "target_count": 40,
    }
    return objects.config("topical", **(fields | changes))


def pointers(answer: Any) -> dict[str, str]:
    return {problem["pointer"]: problem["severity"] for problem in answer["problems"]}


async def test_a_config_is_checked_as_it_is_written(served: Served, catalog: None) -> None:
    good = (await served.post("/run-configs/check", json={"config": wanted()})).json
    assert (good["startable"], good["problems"]) == (True, [])
    assert good["estimate"]["total"]["expected"] > 0
    bad = wanted(target_count=0, personas=[{"name": "patt"}], voices=[{"name": "plain"}], mood="x")
    found = (await served.post("/run-configs/check", json={"config": bad})).json
    assert (found["startable"], found["estimate"]) == (False, None)
    assert pointers(found) == {
        "/target_count": "error",
        "/personas/0/name": "error",
        "/mood": "error",
    }
    near = next(p for p in found["problems"] if p["pointer"] == "/personas/0/name")
    assert 'did you mean "pat"?' in near["message"]


async def test_hostile_bodies_are_answered(served: Served, catalog: None) -> None:
    deep: Any = "x"
    for _ in range(300):
        deep = [deep]
    hostile: list[dict[str, Any]] = [
        {},
        {"roles": deep},
        {"name": "\ud800", "\ud800": 1, "description": "\0"},
        {"mode": ["dialogue"] * 10_000},
        {"personas": [7] * 10_000},
        {"length_mix": [{"turns": [1, 400], "share": 1e300}]},
        {"target_count": float("nan"), "seed": 10**400},
    ]
    for config in hostile:
        answer = await served.post("/run-configs/check", json={"config": config})
        assert answer.status in (200, 400, 422), answer.body
        if answer.status == 200:
            assert not answer.json["startable"]
    (await served.post("/run-configs/check", json={"config": 7})).problem(422, "invalid")


async def test_a_saved_config_is_checked_and_a_start_is_refused_for_the_same_reasons(
    served: Served, catalog: None
) -> None:
    assert (await served.get("/run-configs/topical/check")).json["startable"]
    (await served.get("/run-configs/nowhere/check")).problem(404, "not-found")
    checked = (await served.get("/run-configs/broken/check")).json
    refused = (await served.post("/runs/estimate", json={"config": "broken"})).problem(
        422, "invalid"
    )
    errors = [p for p in checked["problems"] if p["severity"] == "error"]
    assert [(e["pointer"], e["detail"]) for e in refused["errors"]] == [
        (e["pointer"], e["message"]) for e in errors
    ]
    assert 'did you mean "topical"?' in errors[0]["message"]


async def test_a_cap_under_the_estimate_is_a_warning(served: Served, catalog: None) -> None:
    body = wanted(spend_cap_usd=0.000001)
    found = (await served.post("/run-configs/check", json={"config": body})).json
    assert pointers(found) == {"/spend_cap_usd": "warning"}


async def test_archived_objects_are_a_warning(served: Served, catalog: None) -> None:
    await objects.add(served.read_model.url, "voices", {"name": "old", "style": "Old."})
    await served.read_model.execute("update catalog_object set archived = true where name = 'old'")
    body = wanted(voices=[{"name": "plain"}, {"name": "old"}])
    found = (await served.post("/run-configs/check", json={"config": body})).json
    assert pointers(found) == {"/voices/1/name": "warning"}
    assert found["startable"]


async def test_an_archived_config_starts_nothing_and_says_so(served: Served, catalog: None) -> None:
    await objects.add(served.read_model.url, "run-configs", wanted() | {"name": "shelved"})
    assert (await served.get("/run-configs/shelved/check")).json["startable"]
    assert (await served.post("/run-configs/shelved/archive", json={})).status == 200
    found = (await served.get("/run-configs/shelved/check")).json
    assert (found["startable"], found["estimate"]) == (False, None)
    assert pointers(found) == {"": "error"}
    refused = await served.post("/runs/estimate", json={"config": "shelved"})
    assert "archived" in refused.problem(409, "conflict")["detail"]


async def test_a_preview_shows_a_window_and_the_whole(served: Served, catalog: None) -> None:
    answer = await served.get("/run-configs/topical/preview?count=1000000&offset=999990&limit=100")
    found = answer.json
    assert (found["config"], found["config_version"], found["population"]) == (
        "topical",
        1,
        1_000_000,
    )
    assert [one["index"] for one in found["window"]] == list(range(999_990, 1_000_000))
    counts = {(s["dimension"], s["value"]): s["count"] for s in found["shares"]}
    assert (counts["persona", "pat"], counts["persona", "sam"]) == (750_000, 250_000)
    assert counts["pool:topics", "topic 7"] == 50_000
    assert found["collisions"]["distinct"] == 40
    assert [p["pointer"] for p in found["warnings"]] == ["/target_count"]
    same = {"config": "topical", "target_count": 1_000_000, "offset": 999_990, "limit": 100}
    assert (await served.post("/run-configs/preview", json=same)).json == found


async def test_a_config_that_is_not_saved_has_the_same_plan(served: Served, catalog: None) -> None:
    saved = (await served.post("/run-configs/preview", json={"config": "topical", "seed": 5})).json
    whole = {"config": wanted(), "seed": 5}
    unsaved = (await served.post("/run-configs/preview", json=whole)).json
    assert unsaved["config_version"] is None
    assert unsaved["window"] == saved["window"]
    alone = (await served.post("/run-configs/preview", json=whole | {"index": 7})).json
    assert alone["window"] == [saved["window"][7]]


async def test_what_cannot_be_previewed_says_why(served: Served, catalog: None) -> None:
    bad = {"config": wanted(voices=[], prompt_set="nothing")}
    errors = (await served.post("/run-configs/preview", json=bad)).problem(422, "invalid")["errors"]
    assert {error["pointer"] for error in errors} == {"/voices", "/prompt_set"}
    behind = await served.get("/run-configs/topical/preview?index=40")
    assert behind.problem(422, "invalid")["errors"][0]["pointer"] == "/index"
    (await served.get("/run-configs/topical/preview?limit=101")).problem(422, "invalid")
    (await served.get("/run-configs/nowhere/preview")).problem(404, "not-found")
    both = {"config": wanted(), "version": 3}
    (await served.post("/run-configs/preview", json=both)).problem(422, "invalid")


async def test_prompts_of_a_conversation(served: Served, catalog: None) -> None:
    asked = {"config": "topical", "index": 3}
    found = (await served.post("/run-configs/preview/prompts", json=asked)).json
    drawn = found["conversation"]
    (prompt,) = found["prompts"]
    topic = drawn["pools"]["topics"]
    assert prompt["text"] == f"Write {drawn['turns']} turns about {topic} for {drawn['persona']}."
    assert (prompt["role"], prompt["segment"], found["calls"]) == ("script", "script", 1)
    assert prompt["tokens"] == pytest.approx(len(prompt["text"]) / 4, abs=1)
    behind = await served.post("/run-configs/preview/prompts", json=asked | {"index": 40})
    behind.problem(422, "invalid")


async def test_estimates_are_kept_beside_what_was_spent(
    served: Served, catalog: None, read_model: ReadModel
) -> None:
    ended = {"config": "kept", "mode": "scripted", "status": "completed"}
    await read_model.run("kept-1", **ended, accepted=8, rejected=2, estimate_micro=1_500_000)
    await read_model.cost("kept-1", "script", cost_micro=2_000_000)
    await read_model.run("kept-2", **ended, accepted=10, estimate_micro=2_200_000)
    await read_model.cost("kept-2", "script", cost_micro=2_000_000)
    await read_model.run("kept-3", **ended | {"status": "cancelled"}, accepted=1)
    await read_model.cost("kept-3", "script", cost_micro=10)
    await read_model.run("kept-4", **ended, kind="sample", accepted=1)
    await read_model.run("kept-5", **ended | {"status": "running"})
    found = (await served.get("/run-configs/kept/estimates")).json
    errors = {item["run"]: item["error"] for item in found["items"]}
    assert errors == {"kept-3": None, "kept-2": 0.1, "kept-1": -0.25}
    assert found["mean_error"] == pytest.approx(0.175)
    page = (await served.get("/runs/kept-1")).json
    assert page["produced"]["cost"]["estimate_error"] == -0.25
    nothing = (await served.get("/run-configs/none/estimates")).json
    assert (nothing["items"], nothing["mean_error"], nothing["last_error"]) == ([], None, None)


async def test_an_estimate_learns_from_runs_and_not_from_samples(
    served: Served, catalog: None, read_model: ReadModel
) -> None:
    ended = {"config": "topical", "mode": "scripted", "status": "completed", "target": 10}
    await read_model.run("told-1", **ended, accepted=6, rejected=3, failed=1)
    await read_model.reason("told-1", "wrong_length", 1, 10, 3)
    await read_model.reason("told-1", "malformed_output", 0, 1, 1)
    await read_model.cost("told-1", "script", calls=12, input_tokens=1_200, output_tokens=3_600)
    await read_model.run("told-2", **ended, kind="sample", accepted=1)
    await read_model.cost("told-2", "script", calls=1, input_tokens=9_000, output_tokens=9_000)
    guess = (await served.post("/runs/estimate", json={"config": "topical"})).json["estimate"]
    (role,) = guess["roles"]
    assert (role["calls"], role["input_per_call"], role["output_per_call"]) == (48, 100, 300)
    assert (guess["basis"]["kind"], guess["basis"]["runs"]) == ("history", 1)
    assert guess["outcome"] == {
        "accepted": 24,
        "mechanical": 12,
        "diversity": 0,
        "judge": 0,
        "failed": 4,
    }
