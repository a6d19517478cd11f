"""Exports over the API of a served gateway, brought into a folder as a person would."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served, eventually

FINAL = ("done", "failed", "cancelled")


async def ask_export(served: Served, wish: dict[str, Any]) -> dict[str, Any]:
    """An export, when it has ended."""
    answer = await served.post("/exports", json=wish)
    assert answer.status == 201, answer.body
    return await ended(served, answer.json["id"])


async def ended(served: Served, export: str) -> dict[str, Any]:
    shown: dict[str, Any] = {}

    async def is_over() -> bool:
        shown.update((await served.get(f"/exports/{export}")).json)
        return shown["status"] in FINAL

    await eventually(is_over)
    return shown


async def unpacked(served: Served, export: str, place: Path) -> Path:
    """The folder of an export, out of its tar."""
    answer = await served.get(f"/exports/{export}/archive")
    assert answer.status == 200
    with tarfile.open(fileobj=io.BytesIO(answer.body)) as tar:
        tar.extractall(place, filter="data")
    return place / export


async def exported(served: Served, place: Path, run: str, **options: Any) -> Path:
    """The folder of an export of a run."""
    made = await ask_export(served, {"source": {"run": run}, "options": options})
    assert made["status"] == "done", made["problem"]
    return await unpacked(served, made["id"], place)


async def rows_of(c: Served, run: str, count: int, **changes: Any) -> None:
    """So many accepted conversations of a run, one a thread."""
    for thread in range(count):
        turns = (f"Question {thread}?", f"Answer {thread}.")
        await c.read_model.conversation(run, thread, turns=turns, **changes)


async def reviewed(
    read_model: ReadModel,
    conversation: str,
    version: int,
    reviewer: str,
    decision: str,
    edits: tuple[dict[str, Any], ...] = (),
) -> None:
    """A review, folded."""
    await read_model.review(
        conversation, version, reviewer, decision, note="A note.", edits=json.dumps(edits)
    )
    await read_model.execute(
        "update conversation set review = $2, edited = $3, review_version = $4 where id = $1",
        conversation,
        decision,
        bool(edits),
        version,
    )
