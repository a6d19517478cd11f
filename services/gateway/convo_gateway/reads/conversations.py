"""One conversation with everything that is known of it."""

import asyncpg
import orjson
from pydantic import TypeAdapter

from convo_events import ids
from convo_events.catalog import JudgedCriterion
from convo_events.outcomes import CriterionScore
from convo_events.store import Connection
from convo_gateway.reads.judgements import judgements_of, tally_shown
from convo_gateway.reads.origins import origin_of
from convo_gateway.shapes.conversations import (
    BookedCall,
    Conversation,
    ConversationSummary,
    MemoryKept,
    ScoreShown,
    StoredTurn,
)
from convo_gateway.shapes.counts import Tokens

_SAID = TypeAdapter(list[CriterionScore])
_ASKED = TypeAdapter(list[JudgedCriterion])


async def place_of_conversation(c: Connection, conversation: str) -> asyncpg.Record | None:
    """Run, thread, number, turns and the run's snapshot of a conversation; None where there is none."""
    return await c.fetchrow(
        """
        select v.run, v.thread, v.number, v.turns, r.snapshot
        from conversation v join run_view r on r.run = v.run where v.id = $1
        """,
        conversation,
    )


def _known(row: asyncpg.Record) -> dict[str, object]:
    return {name: row[name] for name in ConversationSummary.model_fields}


async def one_conversation(
    c: Connection, conversation: str, *, turns: int = 2**31 - 1
) -> Conversation | None:
    """A conversation with its first turns, hits, scores and calls; None where there is none."""
    row = await c.fetchrow(
        """
        select v.*, r.config, r.config_version, r.mode, r.language, r.snapshot
        from conversation v join run_view r on r.run = v.run where v.id = $1
        """,
        conversation,
    )
    if row is None:
        return None
    messages = await turns_of_conversation(c, conversation, first=0, most=turns)
    fields = _known(row) | {
        "config_version": row["config_version"],
        "snapshot": row["snapshot"],
        "detail": row["detail"],
        "hit": orjson.loads(row["hit"]) if row["hit"] else None,
        "also": orjson.loads(row["also"]),
        "criteria": await _scores(c, row["criteria"], row["snapshot"]),
        "judgements": await judgements_of(c, conversation),
        "tally": tally_shown(row["tally"]),
        "messages": messages,
        "calls": await _calls(c, row["run"], row["thread"], row["number"]),
        "memory_before": await memory_before(c, row["run"], row["thread"], row["number"]),
        "memory_after": await memory_of(c, conversation),
        "memory_gave_up": await _memory_gave_up(c, row["run"], row["thread"], row["number"]),
        "roughen_gave_up": row["roughen_gave_up"],
        "origin": await origin_of(c, conversation, row["snapshot"]),
    }
    return Conversation.model_validate(fields)


async def turns_of_conversation(
    c: Connection, conversation: str, *, first: int, most: int
) -> list[StoredTurn]:
    """Turns from a number on, oldest first."""
    rows = await c.fetch(
        "select number, role, body as text, raw, kept, finish from turn"
        " where conversation = $1 and number >= $2 order by number limit $3",
        conversation,
        first,
        most,
    )
    return [StoredTurn.model_validate(dict(row)) for row in rows]


async def _scores(c: Connection, criteria: str, snapshot: str) -> list[ScoreShown]:
    """What the judge said, with the anchors of the rubric that was frozen."""
    said = _SAID.validate_json(criteria)
    rubric = said and await c.fetchval(
        "select convert_from(body, 'UTF8')::json #>> '{config,judge,criteria}' from snapshot where hash = $1",
        snapshot,
    )
    asked = _ASKED.validate_json(rubric) if rubric else []
    anchors = {
        (one.name, float(score)): looks for one in asked for score, looks in one.anchors.items()
    }
    return [
        ScoreShown(**one.model_dump(), anchor=anchors.get((one.name, one.score), ""))
        for one in said
    ]


async def memory_before(c: Connection, run: str, thread: int, number: int) -> MemoryKept | None:
    """What is remembered when conversation ``number`` (from 0) of a thread begins."""
    row = await c.fetchrow(
        """
        select conversation, body as text, cut from memory
        where run = $1 and thread = $2 and number < $3 order by number desc limit 1
        """,
        run,
        thread,
        number,
    )
    return MemoryKept(**row) if row else None


async def memory_of(c: Connection, conversation: str) -> MemoryKept | None:
    """What is remembered after a conversation."""
    row = await c.fetchrow(
        "select conversation, body as text, cut from memory where conversation = $1", conversation
    )
    return MemoryKept(**row) if row else None


async def _memory_gave_up(c: Connection, run: str, thread: int, number: int) -> str:
    """Why a conversation left no memory, as the first step of the next one says."""
    following = ids.conversation_id(run, thread, number + 1)
    why = await c.fetchval("select memory_gave_up from conversation where id = $1", following)
    return why or ""


async def roles_called(c: Connection, run: str, thread: int, number: int) -> frozenset[str]:
    """The roles that calls were made for."""
    rows = await c.fetch(
        "select distinct role from model_attempt where run = $1 and thread = $2 and conversation = $3",
        run,
        thread,
        number,
    )
    return frozenset(row["role"] for row in rows)


async def _calls(c: Connection, run: str, thread: int, number: int) -> list[BookedCall]:
    rows = await c.fetch(
        """
        select step, attempt, role, backend, model, state, cost_micro, worst_micro, basis, usage, started_at, ended_at,
               (event::jsonb #>> '{event,call,latency_ms}')::int as latency_ms,
               (event::jsonb #>> '{event,call,provider_cost_micro}')::bigint as provider_cost_micro
        from model_attempt where run = $1 and thread = $2 and conversation = $3 order by step, started_at, attempt
        """,
        run,
        thread,
        number,
    )
    return [
        BookedCall.model_validate(dict(row) | {"tokens": _tokens(row["usage"])}) for row in rows
    ]


def _tokens(usage: str | None) -> Tokens | None:
    found = orjson.loads(usage) if usage else None
    if not found:
        return None
    return Tokens(
        input=found.get("input_tokens", 0),
        cached=found.get("cached_tokens", 0),
        cache_write=found.get("cache_write_tokens", 0),
        output=found.get("output_tokens", 0),
        reasoning=found.get("reasoning_tokens", 0),
    )
