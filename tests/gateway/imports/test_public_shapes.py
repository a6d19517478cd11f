"""Files as they lie about in public: a few hundred conversations in each format, with rows of every odd kind."""

import io
import json
from collections import Counter
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.gateway.imports.test_imports_api import sent
from tests.gateway.serving import Served

pytestmark = [pytest.mark.anyio, pytest.mark.connected]

ROWS = 300
Rows = list[object]
Keys = tuple[str, str, str, str, str]
"""What a format calls the list, who speaks, what is said, and the two speakers."""
MESSAGES: Keys = ("messages", "role", "content", "user", "assistant")
SHAREGPT: Keys = ("conversations", "from", "value", "human", "gpt")


def conversation(keys: Keys, *turns: object) -> dict[str, object]:
    name, who, what, user, assistant = keys
    speakers = (user, assistant) * len(turns)
    return {name: [{who: s, what: t} for s, t in zip(speakers, turns, strict=False)]}


def written(keys: Keys, odd: dict[int, object]) -> Rows:
    """Rows from 1 on; those that are not odd say something of their own."""
    return [
        odd.get(n, conversation(keys, f"Question {n}?", f"Answer {n}.")) for n in range(1, ROWS + 1)
    ]


def odd_rows(keys: Keys) -> tuple[dict[int, object], dict[int, tuple[str, str]]]:
    """Odd rows by number, and code and pointer of those that are to be refused."""
    name, who, what, user, assistant = keys
    called = {who: assistant, what: None, "tool_calls": [{"function": {"name": "f"}}]}
    rows: dict[int, object] = {
        10: conversation(keys, None, "Yes."),
        20: {name: [{who: user, what: "Weather?"}, called]},
        30: conversation(keys, "half a pair \ud83d", "Yes 30."),
        40: conversation(keys, "a NUL \0 in it", "Yes 40."),
        50: conversation(keys, "x" * 1_000_000, "Long."),
        60: conversation(keys, "How many?", 5),
        70: conversation(keys, [{"type": "text", "text": "in parts"}], "Yes 70."),
        80: ["a", "list"],
        90: conversation(keys, "Question 1?", "Answer 1."),
        100: {name: [{who: "narrator", what: "Once upon a time"}]},
        110: {name: []},
        120: {name: {"0": "no list"}},
        130: {name: [{who: "system", what: "Be kind."}]},
        140: {name: [{who: user, what: "Look"}, {who: "tool", what: "{}"}]},
        150: conversation(keys, [{"type": "image_url", "image_url": {}}], "Nice."),
    }
    refused = {
        10: ("no_text", f"/{name}/0/{what}"),
        20: ("tool_call", f"/{name}/1"),
        60: ("no_text", f"/{name}/1/{what}"),
        80: ("not_a_conversation", ""),
        90: ("duplicate", ""),
        100: ("bad_role", f"/{name}/0/{who}"),
        110: ("empty", f"/{name}"),
        120: ("not_a_conversation", f"/{name}"),
        130: ("empty", f"/{name}"),
        140: ("tool_call", f"/{name}/1"),
        150: ("no_text", f"/{name}/0/{what}/0"),
    }
    return rows, refused


def as_lines(rows: Rows) -> bytes:
    return b"\n".join(json.dumps(one).encode() for one in rows)


def as_array(rows: Rows) -> bytes:
    return json.dumps(rows, indent=1).encode()


@pytest.mark.parametrize(
    ("keys", "file"), [(MESSAGES, as_lines), (SHAREGPT, as_lines), (SHAREGPT, as_array)]
)
async def test_every_odd_row_of_json_is_reported_and_every_other_one_is_taken(
    served: Served, keys: Keys, file: Callable[[Rows], bytes]
) -> None:
    odd, refused = odd_rows(keys)
    found = await sent(served, file(written(keys, odd)), "public.json")
    await reported_exactly(served, found, refused, mended=2)


async def test_every_odd_row_of_parquet_is_reported_and_every_other_one_is_taken(
    served: Served,
) -> None:
    keys = MESSAGES
    odd: dict[int, object] = {
        10: conversation(keys, None, "Yes."),
        40: conversation(keys, "a NUL \0 in it", "Yes 40."),
        50: conversation(keys, "x" * 1_000_000, "Long."),
        90: conversation(keys, "Question 1?", "Answer 1."),
        100: {"messages": [{"role": "narrator", "content": "Once upon a time"}]},
        110: {"messages": []},
        120: {"messages": None},
        140: {"messages": [{"role": "tool", "content": "{}"}]},
        160: {"messages": [None]},
        170: {"messages": [{"role": None, "content": "Who?"}]},
    }
    refused = {
        10: ("no_text", "/messages/0/content"),
        90: ("duplicate", ""),
        100: ("bad_role", "/messages/0/role"),
        110: ("empty", "/messages"),
        120: ("not_a_conversation", ""),
        140: ("tool_call", "/messages/0"),
        160: ("bad_message", "/messages/0"),
        170: ("bad_role", "/messages/0"),
    }
    schema = pa.schema(
        [("messages", pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])))]
    )
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(written(keys, odd), schema=schema), file)
    found = await sent(served, file.getvalue(), "public.parquet")
    await reported_exactly(served, found, refused, mended=1)


async def reported_exactly(
    served: Served, found: dict[str, object], refused: dict[int, tuple[str, str]], mended: int
) -> None:
    """Nothing is dropped: what is not refused with its place and reason is there."""
    assert found["status"] == "ready", found
    page = (await served.get(f"/imports/{found['id']}/refused")).json
    assert {one["row"]: (one["code"], one["pointer"]) for one in page["items"]} == refused
    assert all(one["message"] for one in page["items"])
    counted = Counter(code for code, _ in refused.values())
    assert {one["code"]: one["n"] for one in found["refusals"]} == counted  # type: ignore[attr-defined]
    taken = ROWS - len(refused)
    assert (found["read"], found["taken"], found["refused"]) == (ROWS, taken, len(refused))
    assert found["mended"] == mended
