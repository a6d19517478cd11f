"""Exports in the background: asked for, made, downloaded, cancelled, taken up by another gateway."""

import hashlib
from pathlib import Path

import orjson
import pytest

from convo_gateway.exports.verify import verify_folder
from tests.gateway.exports.exporting import ask_export, unpacked
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
