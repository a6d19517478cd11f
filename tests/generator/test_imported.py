"""Conversations that are read and not generated: whole, with where they come from, and never asked of a model."""

import asyncpg
import orjson
import pytest

from convo_events.migrate import migrate_database
from convo_events.outcomes import Generated, StepFailed
from convo_events.plan import draw_at
from convo_events.steps import StepRequested
from convo_gateway.stack.infrastructure import Infrastructure
from convo_generator.imported import Imported
from tests.journeys.brought_in import SOURCE, importing
from tests.journeys.configs import snapshot

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
TURNS = [["user", "Hi \U0001f600"], ["user", ""], ["assistant", "\ufffd\n"]]


def asked(index: int) -> StepRequested:
    return StepRequested(
        run="run-1",
        thread=index,
        conversation=0,
        leader=1,
        epoch=1,
        step=1,
        kind="generate",
        emit=1,
        snapshot="s",
    )


async def test_a_row_is_read_as_it_was_brought_in(infrastructure: Infrastructure) -> None:
    url = infrastructure.create_database()
    c = await asyncpg.connect(url)
    await migrate_database(c)
    await c.execute(
        "insert into import_source (id, name, format, status) values ($1, 'old', '', 'ready')",
        SOURCE,
    )
    await c.execute(
        "insert into import_row (source, position, row, content, turns, metadata) values ($3, 1, 17, '', $1, $2)",
        orjson.dumps(TURNS).decode(),
        orjson.dumps({"system": "Be kind.", "n": [1, None]}).decode(),
        SOURCE,
    )
    await c.close()
    frozen = importing(3)
    async with asyncpg.create_pool(url, min_size=1, max_size=1) as pool:
        imported = Imported(pool)
        found = await imported.outcome(asked(1), frozen, draw_at(frozen, 1))
        missing = await imported.outcome(asked(2), frozen, draw_at(frozen, 2))
        generated = await imported.outcome(asked(0), snapshot(3), draw_at(snapshot(3), 0))

    assert isinstance(found, Generated)
    assert [[turn.role, turn.text] for turn in found.turns] == TURNS
    assert (found.first_turn, found.finish, found.call) == (0, "stop", None)
    assert found.origin is not None
    assert (found.origin.source, found.origin.row) == (SOURCE, 17)
    assert found.origin.metadata == {"system": "Be kind.", "n": [1, None]}
    assert isinstance(missing, StepFailed)
    assert (missing.retryable, missing.call) == (False, None)
    assert missing.detail == "conversation 3 of old.jsonl is not there any more"
    assert generated is None, "a model is asked"
