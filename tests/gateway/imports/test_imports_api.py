"""Files of conversations over HTTP: every row is taken or refused, and a file that breaks leaves nothing behind."""

import asyncio
import gzip
import io
import json
from typing import Any

import asyncpg
import pytest

from tests.gateway.serving import Served

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


def lines(*records: object) -> bytes:
    return b"\n".join(json.dumps(record).encode() for record in records)


def chat(text: str, **more: object) -> dict[str, object]:
    answer = {"role": "assistant", "content": f"About {text}"}
    return {"messages": [{"role": "user", "content": text}, answer], **more}


async def sent(
    served: Served, content: bytes, name: str = "old.jsonl", status: int = 202
) -> dict[str, Any]:
    """The import when it is read."""
    answer = await served.post(
        f"/imports?name={name}",
        data=io.BytesIO(content),
        headers={"Content-Type": "application/octet-stream"},
    )
    assert answer.status == status, answer.body
    return await read(served, answer.json["id"])


async def read(served: Served, source: str) -> dict[str, Any]:
    async with asyncio.timeout(120):
        while (found := (await served.get(f"/imports/{source}")).json)["status"] == "reading":
            await asyncio.sleep(0.02)
    assert isinstance(found, dict)
    return found


async def test_every_row_is_taken_or_refused_with_its_reason(served: Served) -> None:
    large = {"messages": [{"role": "user", "content": "x" * 1_000_000}]}
    content = lines(
        chat("one", persona="mara", n=1),
        chat("null") | {"messages": [{"role": "user", "content": None}]},
        chat("one", persona="another"),
        {"conversations": [{"from": "human", "value": "a\0b"}, {"from": "gpt", "value": "\ud800"}]},
        chat("tool") | {"messages": [{"role": "tool", "content": "x"}]},
        large,
        5,
    )
    found = await sent(served, content + b"\n{broken")

    assert (found["status"], found["format"], found["name"]) == ("ready", "jsonl", "old.jsonl")
    assert (found["read"], found["taken"], found["refused"]) == (8, 3, 5)
    assert {one["code"]: one["n"] for one in found["refusals"]} == {
        "duplicate": 1,
        "no_text": 1,
        "not_a_conversation": 1,
        "not_json": 1,
        "tool_call": 1,
    }
    assert (found["mended"], found["turns"], found["bytes"]) == (2, 5, len(content) + 8)
    page = (await served.get(f"/imports/{found['id']}/refused?limit=2")).json
    assert ([row["row"] for row in page["items"]], page["kept"], page["of"]) == ([2, 3], 5, 5)
    assert page["items"][0]["pointer"] == "/messages/0/content"
    assert page["items"][1]["message"] == "says exactly what row 1 says"
    rest = (await served.get(f"/imports/{found['id']}/refused?after={page['next_row']}")).json
    assert ([row["row"] for row in rest["items"]], rest["next_row"]) == ([5, 7, 8], None)

    c = await asyncpg.connect(served.read_model.url)
    try:
        rows = await c.fetch(
            "select position, row, turns, metadata from import_row where source = $1 order by position",
            found["id"],
        )
    finally:
        await c.close()
    assert [(row["position"], row["row"]) for row in rows] == [(0, 1), (1, 4), (2, 6)]
    assert json.loads(rows[0]["metadata"]) == {"persona": "mara", "n": 1}
    assert json.loads(rows[1]["turns"]) == [["user", "a\ufffdb"], ["assistant", "\ufffd"]]


async def test_the_same_bytes_are_one_import_until_it_is_deleted(served: Served) -> None:
    content = lines(*(chat(f"number {n}") for n in range(1_200)))
    first = await sent(served, content)
    assert (first["taken"], first["refused"]) == (1_200, 0)
    assert (await sent(served, content, "again.jsonl", 200))["id"] == first["id"]
    listed = (await served.get("/imports?limit=1")).json
    assert listed["items"][0]["id"] == first["id"]
    assert (await served.ask("DELETE", f"/api/v1/imports/{first['id']}")).status == 204
    (await served.get(f"/imports/{first['id']}")).problem(404, "not-found")
    assert (await sent(served, content))["id"] != first["id"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            gzip.compress(lines(*(chat(str(n)) for n in range(900))))[:-9],
            "the file breaks",
        ),
        (b"PAR1 no", "the file breaks before its first row"),
        (b"", "it is empty"),
        (b"{}\n[]", "none of its 2 rows is a conversation"),
    ],
)
async def test_a_file_that_is_broken_says_why_and_leaves_no_rows(
    served: Served, content: bytes, says: str
) -> None:
    found = await sent(served, content)
    assert found["status"] == "broken"
    assert says in found["detail"]
    c = await asyncpg.connect(served.read_model.url)
    try:
        left = "select count(*) from import_row where source = $1"
        assert await c.fetchval(left, found["id"]) == 0
    finally:
        await c.close()
