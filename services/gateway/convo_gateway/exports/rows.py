"""Conversations of a run with their turns, in a stable order and in flat memory."""

from collections.abc import AsyncGenerator, Sequence

import asyncpg
import orjson

from convo_events.store import Connection
from convo_gateway.exports.examples import chat
from convo_gateway.exports.provenance import Row, told_of
from convo_gateway.reads.origins import origins_of

BATCH = 200
"""Conversations read at once."""

_CONVERSATIONS = """
select id, thread, number, status, reason, layer, score, persona, voice, planned_turns, turns, words, roughened,
       cost_micro, unknown_calls, created_at, settled_at
from conversation where run = $1 and status = any($2) order by thread, number
"""


async def jsonl(
    c: Connection, run: asyncpg.Record, statuses: Sequence[str]
) -> AsyncGenerator[bytes, None]:
    """Lines of JSON, some at a time, ordered by thread and number; the same rows always give the same bytes.

    Args:
        c: a connection inside a transaction in which every question sees the same.
        run: row of ``run_view``.
        statuses: statuses of the conversations wanted.
    """
    found = await c.cursor(_CONVERSATIONS, run["run"], list(statuses))
    while rows := await found.fetch(BATCH):
        ids = [row["id"] for row in rows]
        texts = await _turns(c, ids)
        origins = await origins_of(c, ids) if run["mode"] == "import" else {}
        yield b"".join(
            _line(run, row, texts.get(row["id"], []), origins.get(row["id"])) for row in rows
        )


async def _turns(c: Connection, ids: list[str]) -> dict[str, list[dict[str, str]]]:
    rows = await c.fetch(
        "select conversation, role, body from turn where conversation = any($1) order by conversation, number",
        ids,
    )
    texts: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        message = {"role": row["role"], "content": row["body"]}
        texts.setdefault(row["conversation"], []).append(message)
    return texts


def _line(
    run: asyncpg.Record, row: asyncpg.Record, turns: list[dict[str, str]], origin: Row | None
) -> bytes:
    """One conversation in the chat format of OpenAI, and where it comes from."""
    system, read = told_of(origin) if origin else ((), {})
    messages = [*chat(system), *turns]
    own = {name: value for name, value in row.items() if name != "id"}
    metadata = {
        "conversation": row["id"],
        "run": run["run"],
        "config": run["config"],
        "config_version": run["config_version"],
        "snapshot": run["snapshot"],
        "mode": run["mode"],
        "seed": run["seed"],
        **own,
        **read,
    }
    return orjson.dumps(
        {"messages": messages, "metadata": metadata},
        option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z,
    )
