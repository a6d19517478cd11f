"""Conversations come in portions that fit into memory, in one order, whatever their size."""

import asyncpg
import pytest

from convo_gateway.exports import source
from convo_gateway.exports.source import examples, scope_of_run
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
    c = await asyncpg.connect(url)
    try:
        async with c.transaction(isolation="repeatable_read", readonly=True):
            scope = scope_of_run(run)
            batches = [one async for one in examples(c, scope, ExportOptions(), ["accepted"])]
    finally:
        await c.close()
    found = [[len(one.messages[0].content) for one in batch] for batch in batches]
    assert found == [[10, 10, 10, 10], [2_000], [2_000], [50_000], [10], [10]]
