"""Replays over REST: wishes with all their problems, results, flips in pages, verdict sets."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import orjson
import pytest

from convo_events.catalog import FilterList, RunConfig
from convo_events.snapshots import store_snapshot
from convo_events.store import Pool
from convo_filters.replay import claims
from convo_filters.replay.job import do
from convo_gateway.catalog import store
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Answer, Served
from tests.snapshots import snapshot

pytestmark = pytest.mark.anyio

HIT = {"layer": 1, "precedence": 70, "reason": "stage_direction", "detail": "acts"}


@pytest.fixture
async def pool(served: Served) -> AsyncIterator[Pool]:
    async with asyncpg.create_pool(served.read_model.url, min_size=1, max_size=2) as made:
        yield made


async def run_of(read_model: ReadModel, pool: Pool, name: str, **changes: Any) -> str:
    """A finished run: two accepted with scores 3 and 5, one below the threshold of 3, one rejected by a rule."""
    async with pool.acquire() as c:
        frozen = snapshot().model_copy(update={"filter_lists": (FilterList(name="sales"),)})
        content = await store_snapshot(c, frozen)
    changes = {"status": "completed", "accepted": 2, "rejected": 2} | changes
    run = await read_model.run(name, snapshot=content, **changes)
    for at, score in enumerate((3.0, 5.0)):
        said = (f"What about thing number {at}, please?", f"Answer {at} is a long story in itself.")
        await read_model.conversation(run, at, turns=said, score=score)
    below = {"reason": "judge_below_threshold", "layer": 3, "detail": "score 2 is under"}
    hit = below | {"precedence": 1}
    said = ("May I ask you for the way?", "Down the road and left.")
    await read_model.conversation(
        run, 2, turns=said, status="rejected", score=2.0, hit=hit, **below
    )
    said = ("Are you well today?", "*smiles* I am.")
    ruled = {"status": "rejected", "reason": "stage_direction", "layer": 1, "detail": "acts"}
    await read_model.conversation(run, 3, turns=said, score=None, hit=HIT, **ruled)
    return run


async def replayed(served: Served, pool: Pool, run: str, changes: dict[str, Any]) -> Any:
    """Wish, do what the filters do, and read the answer."""
    wished = await served.post(f"/runs/{run}/replays", json=changes)
    assert (wished.status, wished.json["state"]) == (202, "waiting"), wished.body
    claim = await claims.take(pool, "here")
    assert claim is not None
    assert await do(pool, claim)
    answer = await served.ask("GET", wished.headers["location"])
    assert answer.json["state"] == "done", answer.body
    return answer.json


async def test_a_threshold_flips_by_the_scores_that_are_there(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-threshold")
    found = await replayed(served, pool, run, {"threshold": 4})
    result = found["result"]
    assert (result["before"]["accepted"], result["after"]["accepted"]) == (2, 1)
    assert result["population"]["value"] == 4
    assert result["flipped"] == 1
    (flip,) = (await served.get(f"/runs/{run}/replays/{found['id']}/flips")).json["items"]
    assert (flip["conversation"], flip["was_status"], flip["status"]) == (
        f"{run}.0.0",
        "accepted",
        "rejected",
    )
    assert (flip["reason"], flip["score"]) == ("judge_below_threshold", 3.0)
    assert "turns" not in flip


async def test_what_the_judge_never_saw_is_counted_apart(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-unjudged")
    found = await replayed(served, pool, run, {"rules": {"stage_direction": {"enabled": False}}})
    assert found["result"]["after"] == {"accepted": 2, "rejected": 1, "failed": 0, "unjudged": 1}
    assert found["changes"] == {"rules": {"stage_direction": {"enabled": False}}}


async def test_a_list_with_another_phrase_and_its_pages(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-listed")
    found = await replayed(
        served, pool, run, {"filter_lists": {"sales": {"add": ["story", "left"]}}}
    )
    path = f"/runs/{run}/replays/{found['id']}/flips"
    first = (await served.get(path, params={"limit": "2"})).json
    assert [flip["reason"] for flip in first["items"]] == ["banned_phrase", "banned_phrase"]
    rest = (await served.get(path, params={"limit": "2", "cursor": first["next_cursor"]})).json
    assert [flip["was_reason"] for flip in rest["items"]] == ["judge_below_threshold"]
    assert rest["next_cursor"] is None
    only = (await served.get(path, params={"was": "accepted", "reason": "banned_phrase"})).json
    assert len(only["items"]) == 2


async def test_it_is_kept_beside_the_record_and_can_be_forgotten(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-kept")
    before = await pool.fetch(
        "select to_jsonb(c) from conversation c where run = $1 order by id", run
    )
    found = await replayed(served, pool, run, {"threshold": 2})
    path = f"/runs/{run}/replays/{found['id']}"
    kept = await served.post(f"{path}/keep", json={"name": "milder"})
    assert (
        kept.status,
        kept.json["result"]["after"]["accepted"],
        kept.json["result"]["flipped"],
    ) == (201, 3, 1)
    again = await served.post(f"{path}/keep", json={"name": "milder"})
    assert again.json == kept.json
    (await served.post(f"{path}/keep", json={"name": "other"})).problem(409, "conflict")
    other = await replayed(served, pool, run, {"threshold": 5})
    taken = await served.post(f"/runs/{run}/replays/{other['id']}/keep", json={"name": "milder"})
    taken.problem(409, "conflict")
    assert (await served.ask("DELETE", f"/api/v1{path}")).status == 204
    (await served.get(path)).problem(404, "not-found")
    (listed,) = (await served.get(f"/runs/{run}/verdict-sets")).json["items"]
    assert listed == (await served.get(f"/runs/{run}/verdict-sets/milder")).json
    (flip,) = (await served.get(f"/runs/{run}/verdict-sets/milder/flips")).json["items"]
    assert (flip["was_reason"], flip["status"]) == ("judge_below_threshold", "accepted")
    after = await pool.fetch(
        "select to_jsonb(c) from conversation c where run = $1 order by id", run
    )
    assert after == before


async def test_a_verdict_set_is_let_go_of_but_not_under_an_export(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-dropped")
    found = await replayed(served, pool, run, {"threshold": 2})
    kept = await served.post(f"/runs/{run}/replays/{found['id']}/keep", json={"name": "milder"})
    await read_model.insert(
        "export_operation",
        id="export-of-a-set",
        name="milder",
        wish=orjson.dumps({"verdict_set": {"id": kept.json["id"], "name": "milder"}}).decode(),
        status="queued",
    )
    path = f"/api/v1/runs/{run}/verdict-sets/milder"
    assert (
        "export-of-a-set" in (await served.ask("DELETE", path)).problem(409, "conflict")["detail"]
    )
    await pool.execute("update export_operation set status = 'done' where id = 'export-of-a-set'")
    assert (await served.ask("DELETE", path)).status == 204
    assert (await served.ask("DELETE", path)).status == 404
    assert (await served.get(f"/runs/{run}/verdict-sets")).json["items"] == []
    flips = "select count(*) from verdict_set_flip where set = $1"
    assert await pool.fetchval(flips, kept.json["id"]) == 0
    assert (await served.get(f"/runs/{run}/replays/{found['id']}")).json["verdict_set"] is None


async def test_every_problem_is_told_at_once(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-wrong")
    rules = (
        '[{"reason": "wrong_length", "layer": 1, "precedence": 30, "description": "d", "parameters": '
        '{"type": "object", "properties": {"tolerance": {"type": "integer", "maximum": 400}}}}]'
    )
    await read_model.execute("insert into announced_rules (rules, seq) values ($1, 1)", rules)
    changes = {
        "threshold": 9,
        "rules": {
            "wrong_lenght": {},
            "wrong_length": {"parameters": {"tolerance": 999, "most": 1}},
        },
        "filter_lists": {"sale": {"add": ["x"]}, "sales": {"remove": ["y"]}},
    }
    answer = await served.post(f"/runs/{run}/replays", json=changes)
    problem = answer.problem(422, "invalid")
    assert {error["pointer"] for error in problem["errors"]} == {
        "/threshold",
        "/rules/wrong_lenght",
        "/rules/wrong_length/parameters/tolerance",
        "/rules/wrong_length/parameters/most",
        "/filter_lists/sale",
        "/filter_lists/sales/remove",
    }
    gone = await served.post(f"/runs/{run}/replays", json={"config": "nobody-knows"})
    assert gone.problem(422, "invalid")["errors"][0]["pointer"] == "/config"
    await read_model.execute("delete from announced_rules")


async def test_only_a_record_that_stands_still_is_replayed(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-goes-on", status="running")
    (await served.post(f"/runs/{run}/replays", json={"threshold": 4})).problem(409, "conflict")
    (await served.post("/runs/run-nowhere/replays", json={})).problem(404, "not-found")


async def test_a_repeated_wish_is_one_and_what_is_under_way_can_be_cancelled(
    served: Served, read_model: ReadModel, pool: Pool
) -> None:
    run = await run_of(read_model, pool, "run-cancelled")

    async def wish(changes: dict[str, Any]) -> Answer:
        headers = {"Idempotency-Key": "again-and-again"}
        return await served.post(f"/runs/{run}/replays", json=changes, headers=headers)

    first, second = await wish({"threshold": 4}), await wish({"threshold": 4})
    assert first.json == second.json
    (await wish({"threshold": None})).problem(422, "idempotency-key-reused")
    early = f"/runs/{run}/replays/{first.json['id']}"
    (await served.get(f"{early}/flips")).problem(409, "conflict")
    claim = await claims.take(pool, "here")
    assert claim is not None
    assert (await served.ask("DELETE", f"/api/v1{early}")).status == 204
    assert not await do(pool, claim)
    assert (await served.get(f"/runs/{run}/replays")).json["items"] == []


async def test_as_a_config_stands_today(served: Served, read_model: ReadModel, pool: Pool) -> None:
    run = await run_of(read_model, pool, "run-as-today")
    judging = {"criteria": [{"name": "natural", "question": "Is it?"}], "threshold": 5}
    config = snapshot().config.model_dump(mode="json") | {
        "name": "stricter",
        "judge": judging,
        "filter_lists": ["sales"],
        "language": "de",
    }
    async with pool.acquire() as c:
        await store.apply(c, [FilterList(name="sales", phrases=("road",))])
        await store.apply(c, [RunConfig.model_validate(config)])
    found = await replayed(served, pool, run, {"config": "stricter"})
    assert found["result"]["after"] == {"accepted": 1, "rejected": 3, "failed": 0, "unjudged": 0}
    reasons = {one["reason"]: (one["before"], one["after"]) for one in found["result"]["reasons"]}
    assert reasons["banned_phrase"] == (0, 1)
    assert "language" in found["notes"][0]
