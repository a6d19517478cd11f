"""A run as JSONL with its manifest."""

import hashlib

import orjson
import pytest

from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


async def lines(served: Served, run: str, query: str = "") -> list[dict[str, object]]:
    answer = await served.get(f"/runs/{run}/export{query}")
    assert answer.headers["content-type"] == "application/jsonl"
    return [orjson.loads(line) for line in answer.body.splitlines()]


async def test_x02_zero_accepted_gives_a_valid_empty_file(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-empty", status="completed", rejected=10, ended_at=BEGAN)
    await read_model.conversation(run, 0, status="rejected", reason="empty_turn", layer=1)
    answer = await served.get(f"/runs/{run}/export")
    assert (answer.status, answer.body) == (200, b"")
    manifest = (await served.get(f"/runs/{run}/export/manifest")).json
    assert manifest["conversations"] == 0
    assert manifest["sha256"] == hashlib.sha256(b"").hexdigest()
    assert manifest["coverage"]["missing"] == 10


async def test_x04_every_row_says_where_it_comes_from(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-rows", status="completed", ended_at=BEGAN)
    for thread in (10, 2, 0):
        for number in (1, 0):
            await read_model.conversation(run, thread, number, turns=("Hi", "Hello"))
    rows = await lines(served, run)
    order = [f"{run}.{thread}.{number}" for thread in (0, 2, 10) for number in (0, 1)]
    assert [row["metadata"]["conversation"] for row in rows] == order
    for row in rows:
        assert row["messages"] == [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
        ]
        metadata = row["metadata"]
        needed = ("run", "config", "config_version", "snapshot", "persona", "voice", "seed")
        assert all(metadata[name] is not None for name in needed)
        assert metadata["run"] == run


async def test_x09_hostile_text_round_trips(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-hostile", status="completed", ended_at=BEGAN)
    hostile = (
        "quotes \" ' ` and \\ \\n {{ x }} {% %}",
        "line\nbreak\r\n\u2028\u2029\u0085tab\t\x01\x1f\x7f",
        "\u202eright to left \U0001f468‍\U0001f469‍\U0001f467 e\u0301 ﷽ \ufeff\ufffe",
        '{"messages": []}\n{"messages": []}',
    )
    await read_model.conversation(run, 0, turns=hostile)
    answer = await served.get(f"/runs/{run}/export")
    assert answer.body.count(b"\n") == 1
    row = orjson.loads(answer.body)
    assert tuple(message["content"] for message in row["messages"]) == hostile


async def test_manifest_proves_the_lines(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run(
        "run-proof",
        status="cancelled",
        accepted=450,
        rejected=2,
        failed=1,
        cancelled=47,
        target=500,
    )
    await read_model.execute(
        """
        insert into conversation select $1 || '.' || t || '.0', $1, t, 0, 'accepted', '', null, null, '[]', '', 4, '[]',
          'pat', 'plain', 2, 2, 2, 'x', 5, 0, now(), now(), t, t from generate_series(0, 449) t
        """,
        run,
    )
    await read_model.execute(
        """
        insert into turn (conversation, number, role, body, finish)
        select $1 || '.' || t || '.0', n, 'user', 'text ' || t, 'stop'
        from generate_series(0, 449) t, generate_series(0, 1) n
        """,
        run,
    )
    await read_model.conversation(run, 900, status="rejected", reason="empty_turn", layer=1)
    await read_model.reason(run, "empty_turn", 1, 10, 2)
    await read_model.cost(run, "assistant")
    answer = await served.get(f"/runs/{run}/export?format=jsonl&status=accepted")
    manifest = (await served.get(f"/runs/{run}/export/manifest")).json
    assert manifest["sha256"] == hashlib.sha256(answer.body).hexdigest()
    assert (manifest["conversations"], manifest["data"]["bytes"]) == (450, len(answer.body))
    assert manifest["complete"] is True
    coverage = manifest["coverage"]
    assert (coverage["missing"], coverage["cancelled"], coverage["open"]) == (50, 47, 0)
    assert coverage["reasons"][0]["reason"] == "empty_turn"
    assert manifest["cost"]["known_micro"] == 2_000_000
    whole = await lines(served, run, "?status=all")
    assert len(whole) == 451
    chosen = await lines(served, run, "?status=rejected&status=failed")
    assert [row["metadata"]["reason"] for row in chosen] == ["empty_turn"]


async def test_an_export_of_a_live_run_says_so(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-live-export", status="running", accepted=1)
    await read_model.conversation(run, 0, turns=("Hi", "Hello"))
    manifest = (await served.get(f"/runs/{run}/export/manifest")).json
    assert manifest["complete"] is False
    assert manifest["coverage"]["open"] == 9


async def test_an_export_is_prepared_once_for_a_key(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-prepared")
    key = {"Idempotency-Key": "export-1"}
    first = await served.post(f"/runs/{run}/export", json={"status": ["all"]}, headers=key)
    again = await served.post(f"/runs/{run}/export", json={"status": ["all"]}, headers=key)
    assert (first.status, again.body) == (201, first.body)
    assert "idempotency-replayed" in again.headers
    link = first.json["download_url"]
    assert (await served.ask("GET", link)).status == 200
    (await served.post("/runs/run-nowhere/export", json={})).problem(404, "not-found")
    (await served.get(f"/runs/{run}/export?status=best")).problem(422, "invalid")
