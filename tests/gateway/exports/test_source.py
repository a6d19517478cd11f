"""Conversations come in portions that fit into memory, in one order, whatever their size."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import orjson
import pytest

from convo_gateway.exports import source
from convo_gateway.exports.columns import WITH_ORIGIN
from convo_gateway.exports.examples import Message, chat
from convo_gateway.exports.rows import jsonl
from convo_gateway.exports.source import (
    Scope,
    columns_of,
    examples,
    scope_of_filter,
    scope_of_run,
)
from convo_gateway.reads.runs import existing_run
from convo_gateway.shapes.conversation_filter import ConversationFilter
from convo_gateway.shapes.export_wishes import ExportOptions
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import new_database

pytestmark = pytest.mark.anyio


async def test_x03_a_portion_is_bounded_by_number_and_by_bytes(
    infrastructure: Infrastructure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "BATCH", 4)
    monkeypatch.setattr(source, "BATCH_BYTES", 3_000)
    url = await new_database(infrastructure)
    read_model = ReadModel(url)
    run = await read_model.run("run-sized", accepted=10)
    sizes = [10, 10, 10, 10, 2_000, 2_000, 50_000, 10, 10]
    for thread, size in reversed(list(enumerate(sizes))):
        await read_model.conversation(run, thread, turns=("x" * size,))
    async with reading(url) as c:
        scope = scope_of_run(run)
        batches = [one async for one in examples(c, scope, ExportOptions(), ["accepted"])]
    found = [[len(one.messages[0].content) for one in batch] for batch in batches]
    assert found == [[10, 10, 10, 10], [2_000], [2_000], [50_000], [10], [10]]


async def test_only_exports_with_imports_have_the_columns_about_their_rows(
    infrastructure: Infrastructure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "BATCH_BYTES", 3_000)
    url = await new_database(infrastructure)
    read_model = ReadModel(url)
    made = await read_model.run("run-made")
    await read_model.conversation(made, 0, turns=("Hi", "Hello"), persona="ana")
    read = await read_model.run("run-read", mode="import")
    system = "Be kind. " * 500
    for thread, metadata in enumerate(({"system": system, "b": 1, "a": "é"}, {})):
        name = await read_model.conversation(
            read, thread, turns=("Hi", "Hello"), persona="imported", planned_turns=0
        )
        await read_model.origin(name, thread + 4, metadata=metadata, left_out=["c"] * thread)
    empty = await read_model.run("run-empty", mode="import")

    async with reading(url) as c:

        async def kind(scope: Scope) -> bool:
            return await columns_of(c, scope) == WITH_ORIGIN

        everything = scope_of_filter(ConversationFilter())
        assert [await kind(scope_of_run(run)) for run in (made, read, empty)] == [False, True, True]
        assert not await kind(scope_of_filter(ConversationFilter(persona=("ana",))))
        assert await kind(everything)
        assert await kind(scope_of_filter(ConversationFilter(persona=("imported",))))

        batches = [
            batch
            async for batch in examples(
                c, everything, ExportOptions(), ["accepted"], columns=WITH_ORIGIN
            )
        ]
        row = await existing_run(c, read)
        lines = b"".join([part async for part in jsonl(c, row, ["accepted"])]).splitlines()
    assert [len(batch) for batch in batches] == [1, 1, 1], "a system message has its size too"
    ours, first, second = (one for batch in batches for one in batch)
    about = ("import_source", "import_row", "import_left_out", "metadata", "planned_turns")
    assert [ours.metadata[name] for name in about] == [None, None, None, None, 2]
    assert [first.metadata[name] for name in about] == ["imp-1", 4, [], '{"a":"é","b":1}', None]
    assert [second.metadata[name] for name in about] == ["imp-1", 5, ["c"], "{}", None]
    assert first.messages[0] == Message("system", system)
    assert first.turns == second.messages == ours.messages

    (line, other) = (orjson.loads(one) for one in lines)
    assert line["messages"] == chat(first.messages)
    assert other["messages"] == chat(second.turns)
    assert [line["metadata"][name] for name in about] == [first.metadata[name] for name in about]


@asynccontextmanager
async def reading(url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection on which every question sees the same."""
    c = await asyncpg.connect(url)
    try:
        async with c.transaction(isolation="repeatable_read", readonly=True):
            yield c
    finally:
        await c.close()
