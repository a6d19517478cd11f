"""Exports in the background: asked for, made, downloaded, cancelled, taken up by another gateway."""

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
import orjson
import pyarrow.parquet as pq
import pytest

from convo_gateway.exports import operations
from convo_gateway.exports.card import front_of
from convo_gateway.exports.operations import Held
from convo_gateway.exports.places import Places
from convo_gateway.exports.verify import verify_folder
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.exports.exporting import ask_export, ended, exported, reviewed, rows_of, unpacked
from tests.gateway.exports.loading import load_with_datasets
from tests.gateway.exports.written import HOSTILE
from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


async def test_an_export_of_a_run_is_made_and_proves_itself(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    run = await read_model.run(
        "run-whole", status="completed", accepted=3, rejected=1, failed=1, target=6, ended_at=BEGAN
    )
    for thread in range(3):
        await read_model.conversation(run, thread, turns=("Hi", "Hello"))
    await read_model.conversation(
        run, 3, status="rejected", reason="empty_turn", layer=1, turns=("Hi", "")
    )
    await read_model.conversation(run, 4, status="failed", reason="judge_failed", layer=0)
    await read_model.cost(run, "assistant", unknown_calls=1, unknown_micro=700)
    made = await ask_export(
        served, {"source": {"run": run}, "options": {"statuses": ["accepted", "failed"]}}
    )
    assert (made["status"], made["looked_at"], made["total"]) == ("done", 4, 4)
    counts = made["made"]["counts"]
    assert (counts["rows"], counts["statuses"]) == (3, {"accepted": 3})
    coverage = made["made"]["coverage"]
    assert coverage["population"]["value"] == 6
    assert [(one["why"], one["code"], one["reason"], one["count"]) for one in coverage["why"]] == [
        ("status", "rejected", "empty_turn", 1),
        ("format", "no_turns", "", 1),
        ("not_made", "", "", 1),
    ]
    assert made["made"]["cost"]["known_micro"] == 2_000_000
    assert made["made"]["cost"]["unknown_micro"] == 700
    folder = await unpacked(served, made["id"], tmp_path)
    checked = verify_folder(folder)
    assert (checked.differences, checked.rows) == ((), 3)
    for file in made["made"]["files"]:
        answer = await served.get(f"/exports/{made['id']}/files/{file['path']}")
        assert hashlib.sha256(answer.body).hexdigest() == file["sha256"]
        assert answer.headers["etag"] == f'"{file["sha256"]}"'
    rows = [orjson.loads(line) for line in (folder / "data/train.jsonl").read_bytes().splitlines()]
    assert [row["messages"][1]["content"] for row in rows] == ["Hello"] * 3


FORMATS = ("messages", "sharegpt", "prompt-completion", "preference", "parquet", "csv")


async def test_every_format_is_made_and_verified_from_one_run(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    listed = (await served.get("/exports/formats")).json["items"]
    assert sorted(FORMATS) == [one["name"] for one in listed]
    run = await read_model.run("run-formats", status="completed", accepted=3, ended_at=BEGAN)
    await read_model.conversation(run, 0, turns=HOSTILE)
    await read_model.conversation(run, 1, turns=("Hi", "Hello", "Bye"))
    await read_model.conversation(run, 2, turns=())
    judged = {"status": "rejected", "reason": "judge_below_threshold", "layer": 3, "score": 1.5}
    await read_model.conversation(run, 3, turns=(HOSTILE[0], "no"), **judged)
    for name in FORMATS:
        folder = await exported(served, tmp_path / name, run, format=name, zstd=name != "csv")
        checked = verify_folder(folder)
        assert checked.differences == (), name
        manifest = orjson.loads((folder / "manifest.json").read_bytes())
        expected = {"messages": 2, "sharegpt": 2, "prompt-completion": 1, "preference": 0}
        assert checked.rows == expected.get(name, 3), name
        coverage = manifest["coverage"]
        assert coverage["written"]["value"] + coverage["missing"]["value"] == 10
        assert sum(one["count"] for one in coverage["why"]) == coverage["missing"]["value"]


async def test_x02_x04_an_empty_run_loads_and_every_row_says_where_it_is_from(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    run = await read_model.run("run-none", status="completed", target=0, ended_at=BEGAN)
    empty = await exported(served, tmp_path, run, format="parquet")
    assert verify_folder(empty).differences == ()
    assert pq.read_table(empty / "data").num_rows == 0
    run = await read_model.run(
        "run-loaded", status="completed", accepted=40, target=40, ended_at=BEGAN
    )
    await rows_of(served, run, 40)
    splits = {"train": 0.75, "test": 0.25}
    folder = await exported(
        served, tmp_path, run, format="parquet", splits=splits, split_by="conversation"
    )
    assert verify_folder(folder).differences == ()
    front = front_of((folder / "README.md").read_text())
    found = load_with_datasets(folder, front, tmp_path / "cache")
    assert found["train"]["rows"] + found["test"]["rows"] == 40
    assert all(split["told"] and split["rows"] for split in found.values())
    assert found["train"]["first"][1]["role"] == "assistant"
    for row in pq.read_table(folder / "data").to_pylist():
        for name in ("run", "conversation", "snapshot", "seed", "config", "config_version"):
            assert row[name] is not None
        assert (row["run"], row["mode"], row["persona"]) == (run, "dialogue", "pat")


async def test_the_same_data_gives_the_same_bytes(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    run = await read_model.run("run-again", status="completed", accepted=5, ended_at=BEGAN)
    await rows_of(served, run, 5)
    for name in ("messages", "parquet"):
        first = await ask_export(served, {"source": {"run": run}, "options": {"format": name}})
        await read_model.folded(500)
        again = await ask_export(served, {"source": {"run": run}, "options": {"format": name}})
        assert first["made"]["files"] == again["made"]["files"]


async def test_x01_every_review_is_in_the_export_and_edits_are_chosen(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    run = await read_model.run("run-reviewed", status="completed", accepted=3, ended_at=BEGAN)
    await rows_of(served, run, 3)
    edited = f"{run}.0.0"
    await reviewed(read_model, edited, 1, "Ada", "accepted")
    await reviewed(
        read_model, edited, 2, "Grace", "flagged", edits=({"turn": 1, "text": "Mended."},)
    )
    await reviewed(read_model, f"{run}.1.0", 1, "Ada", "accepted")

    async def lines(**options: object) -> list[dict[str, object]]:
        folder = await exported(
            served, tmp_path / str(len(list(tmp_path.iterdir()))), run, **options
        )
        assert verify_folder(folder).differences == ()
        return [
            orjson.loads(line) for line in (folder / "data/train.jsonl").read_bytes().splitlines()
        ]

    whole = await lines()
    assert whole[0]["messages"][1]["content"] == "Mended."  # type: ignore[index]
    reviews = whole[0]["metadata"]["reviews"]  # type: ignore[index]
    assert [(one["reviewer"], one["decision"], one["edited_turns"]) for one in reviews] == [
        ("Ada", "accepted", []),
        ("Grace", "flagged", [1]),
    ]
    original = await lines(text="original")
    assert original[0]["messages"][1]["content"] == "Answer 0."  # type: ignore[index]
    assert len(await lines(reviews="not_flagged")) == 2
    assert len(await lines(reviews="approved")) == 1


async def test_a_filter_is_exported_as_it_shows(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    for name in ("run-one", "run-two"):
        run = await read_model.run(name, status="completed", accepted=2, ended_at=BEGAN)
        await rows_of(served, run, 2, persona="filtered")
        await read_model.conversation(run, 5, turns=("a", "b"), persona="another")
        await read_model.conversation(
            run, 6, persona="filtered", status="failed", reason="judge_failed", layer=0
        )
    wanted = {"source": {"filter": {"persona": ["filtered"]}}}
    made = await ask_export(served, wanted)
    assert made["made"]["counts"]["runs"] == {"run-one": 2, "run-two": 2}
    assert made["made"]["coverage"]["population"]["value"] == 6
    folder = await unpacked(served, made["id"], tmp_path)
    assert verify_folder(folder).differences == ()
    manifest = orjson.loads((folder / "manifest.json").read_bytes())
    assert manifest["source"]["filter"] == {"persona": ["filtered"]}
    assert [run["run"] for run in manifest["runs"]] == ["run-one", "run-two"]


async def test_under_a_verdict_set_its_verdicts_count(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    run = await read_model.run("run-set", status="completed", accepted=2, target=3, ended_at=BEGAN)
    await rows_of(served, run, 2)
    await read_model.conversation(
        run, 2, turns=("a", "b"), status="rejected", reason="near_duplicate", layer=2
    )
    numbers = dict.fromkeys(("accepted", "rejected", "failed", "unjudged"), 0)
    own = {
        "id": "set-1",
        "run": run,
        "name": "Milder",
        "changes": "{}",
        "settings": "{}",
        "counts": "{}",
    }
    await read_model.insert("verdict_set", **own, **numbers | {"accepted": 3}, settled=3, flips=2)
    flip = {"set": "set-1", "layer": None, "detail": ""}
    await read_model.insert(
        "verdict_set_flip", **flip, conversation=f"{run}.2.0", status="accepted", reason=""
    )
    await read_model.insert(
        "verdict_set_flip",
        **flip | {"layer": 1},
        conversation=f"{run}.0.0",
        status="rejected",
        reason="garbled_text",
    )
    made = await ask_export(served, {"source": {"run": run, "verdict_set": "Milder"}})
    folder = await unpacked(served, made["id"], tmp_path)
    assert verify_folder(folder).differences == ()
    rows = [
        orjson.loads(line)["metadata"]
        for line in (folder / "data/train.jsonl").read_bytes().splitlines()
    ]
    assert [(row["conversation"], row["status"], row["reason"]) for row in rows] == [
        (f"{run}.1.0", "accepted", ""),
        (f"{run}.2.0", "accepted", ""),
    ]
    assert {row["verdict_set"] for row in rows} == {"Milder"}
    why = made["made"]["coverage"]["why"]
    assert [(one["code"], one["reason"], one["layer"]) for one in why] == [
        ("rejected", "garbled_text", 1)
    ]


async def test_u07_names_of_five_hundred_characters(
    served: Served, read_model: ReadModel, tmp_path: Path
) -> None:
    run = await read_model.run("run-long", name="../" + "ä/" * 248, status="completed", accepted=1)
    await rows_of(served, run, 1)
    folder = await exported(served, tmp_path, run)
    assert verify_folder(folder).name == "../" + "ä/" * 248


async def test_what_cannot_be_made_is_refused_at_once(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-refused")

    async def refused(status: int, code: str, **wish: object) -> None:
        (await served.post("/exports", json=wish)).problem(status, code)

    await refused(404, "not-found", source={"run": "run-nowhere"})
    await refused(404, "not-found", source={"view": "nothing"})
    await refused(404, "not-found", source={"run": run, "verdict_set": "none"})
    await refused(422, "invalid", source={})
    await refused(422, "invalid", source={"run": run, "filter": {}})
    await refused(422, "invalid", source={"run": run}, options={"format": "xml"})
    await refused(422, "invalid", source={"run": run}, options={"splits": {"train": 0.5}})
    await refused(422, "invalid", source={"run": run}, options={"splits": {"../x": 1}})
    await refused(422, "invalid", source={"run": run}, options={"bom": True})
    (await served.get("/exports/export-none")).problem(404, "not-found")


async def test_an_export_is_made_once_for_a_key_and_deleted_with_its_files(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-deleted", status="completed", accepted=1)
    await rows_of(served, run, 1)
    key, wish = {"Idempotency-Key": "once"}, {"source": {"run": run}}
    first = await served.post("/exports", json=wish, headers=key)
    again = await served.post("/exports", json=wish, headers=key)
    assert first.json["id"] == again.json["id"]
    export = first.json["id"]
    await ended(served, export)
    listed = (await served.get(f"/exports?run={run}")).json["items"]
    assert [one["id"] for one in listed] == [export]
    (await served.get(f"/exports/{export}/files/../../secrets")).problem(404, "not-found")
    (await served.get(f"/exports/{export}/files/data/none.jsonl")).problem(404, "not-found")
    (await served.post(f"/exports/{export}/actions/cancel")).problem(409, "conflict")
    assert (await served.ask("DELETE", f"/api/v1/exports/{export}")).status == 204
    (await served.get(f"/exports/{export}/archive")).problem(404, "not-found")
    assert (await served.get(f"/exports?run={run}")).json["items"] == []


async def holding(read_model: ReadModel, export: str, wish: str, **changes: object) -> None:
    """An export that some gateway holds."""
    row: dict[str, object] = {
        "id": export,
        "name": "Left behind",
        "wish": wish,
        "status": "running",
        "owner": "gateway/1",
        "fence": 3,
        "tries": 1,
    }
    await read_model.insert("export_operation", **row | changes)


async def test_a_gateway_that_was_killed_is_replaced_and_the_bytes_are_the_same(
    served: Served, read_model: ReadModel, infrastructure: Infrastructure
) -> None:
    run = await read_model.run("run-killed", status="completed", accepted=4, ended_at=BEGAN)
    await rows_of(served, run, 4)
    whole = await ask_export(served, {"source": {"run": run}})
    places = Places(Path(infrastructure.env("gateway")["CONVO_EXPORTS_FOLDER"]))
    half = places.begin("export-left", 3)
    (half / "data").mkdir()
    (half / "data/train.jsonl").write_bytes(b"half a l")
    wish = orjson.dumps({"name": "x", "source": {"run": run}, "options": {}}).decode()
    await holding(read_model, "export-left", wish, lease_until=BEGAN)
    found = await ended(served, "export-left")
    assert found["status"] == "done"
    data = [file for file in found["made"]["files"] if file["kind"] == "data"]
    assert data == [file for file in whole["made"]["files"] if file["kind"] == "data"]
    assert not half.exists()


async def test_only_who_holds_an_export_can_end_it(served: Served, read_model: ReadModel) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    await holding(read_model, "export-held", "{}", lease_until=soon)
    c = await asyncpg.connect(read_model.url)
    try:
        older, now = Held("export-held", "", "{}", 2), Held("export-held", "", "{}", 3)
        assert not await operations.hold(c, older)
        assert not await operations.finish(c, older, "{}", 1)
        assert await operations.hold(c, now, looked_at=5, total=9, size=100)
        assert await operations.cancel(c, "export-held") == "cancelled"
        assert not await operations.hold(c, now)
        assert not await operations.finish(c, now, "{}", 1)
        assert await operations.remove(c, "export-held")
    finally:
        await c.close()


async def test_what_ends_every_gateway_is_given_up(served: Served, read_model: ReadModel) -> None:
    await holding(
        read_model, "export-poison", "{}", tries=operations.MOST_HOLDERS, lease_until=BEGAN
    )
    c = await asyncpg.connect(read_model.url)
    try:
        await operations.give_up(c)
        row = await c.fetchrow("select * from export_operation where id = 'export-poison'")
    finally:
        await c.close()
    assert row is not None
    assert (row["status"], "none of them" in row["problem"]) == ("failed", True)


async def test_a_saved_view_is_exported_as_it_shows_now(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-viewed", status="completed", accepted=2, ended_at=BEGAN)
    await rows_of(served, run, 2, persona="viewed")
    view = {"name": "Seen", "filter": {"run": [run], "persona": ["viewed"]}}
    kept = await served.post("/views", json=view)
    assert kept.status == 201
    made = await ask_export(served, {"source": {"view": "Seen"}})
    assert (made["name"], made["made"]["counts"]["rows"]) == ("Seen", 2)
    assert made["source"]["view"] == "Seen"


async def test_what_would_take_too_much_room_fails_and_says_so(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-room", status="completed", accepted=1, ended_at=BEGAN)
    await rows_of(served, run, 1)
    await holding(read_model, "export-huge", "{}", status="done", bytes=20_000_000_001)
    made = await ask_export(served, {"source": {"run": run}})
    await read_model.execute("delete from export_operation where id = 'export-huge'")
    assert (made["status"], made["made"]) == ("failed", None)
    assert "CONVO_EXPORTS_MAX_BYTES" in made["problem"]


async def test_splits_keep_their_order(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-order", status="completed", accepted=1, ended_at=BEGAN)
    await rows_of(served, run, 1)
    splits = {"train": 0.8, "validation": 0.1, "a": 0.1}
    made = await ask_export(served, {"source": {"run": run}, "options": {"splits": splits}})
    assert list(made["options"]["splits"]) == list(splits)
