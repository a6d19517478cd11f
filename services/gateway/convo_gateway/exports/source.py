"""Conversations for an export, in a stable order and in flat memory, all from one moment of the read model."""

import hashlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

import asyncpg
import orjson
from pydantic import ValidationError

from convo_events.snapshot import Snapshot
from convo_events.store import Connection
from convo_gateway.exports.columns import COLUMNS, WITH_ORIGIN, Column
from convo_gateway.exports.examples import Example
from convo_gateway.exports.provenance import Found, Row, RunFacts, example
from convo_gateway.reads.conversation_filter import where
from convo_gateway.reads.origins import origins_of
from convo_gateway.reads.runs import existing_run
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.conversation_filter import ConversationFilter
from convo_gateway.shapes.export_wishes import ExportOptions

BATCH = 200
"""Conversations read at once."""
BATCH_BYTES = 8_000_000
"""Bytes of turns read at once; one conversation may have more."""
PATIENCE_S = 600.0
"""How long the database may sort a million conversations before the first one comes."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which conversations an export chooses from: a condition on ``conversation v``, and whose verdicts count."""

    condition: str
    arguments: tuple[object, ...]
    verdict_set: str | None = None
    """Id of a named verdict set; None: the runs' own record."""
    run: str = ""
    """The run that it is all of; empty where it is of several, or none."""

    def verdict(self, hole: int) -> str:
        """SQL that joins the verdicts that count, as ``f``; the set is argument ``hole``."""
        if self.verdict_set is None:
            return "cross join lateral (select v.status, v.reason, v.layer) f"
        return (
            "cross join lateral (select coalesce(x.status, v.status) as status, "
            "case when x.conversation is null then v.reason else x.reason end as reason, "
            "case when x.conversation is null then v.layer else x.layer end as layer from (select) one "
            f"left join verdict_set_flip x on x.conversation = v.id and x.set = ${hole}) f"
        )

    def sql(self, columns: str) -> str:
        """A question about all of it, without what comes after ``where``."""
        return f"select {columns} from conversation v {self.verdict(len(self.arguments) + 1)} where {self.condition}"

    @property
    def values(self) -> list[object]:
        """Arguments of that question."""
        return [*self.arguments, *self.set_value]

    @property
    def set_value(self) -> list[object]:
        """The argument that names the verdict set, where there is one."""
        return [] if self.verdict_set is None else [self.verdict_set]


def scope_of_run(run: str, verdict_set: str | None = None) -> Scope:
    """Everything of a run."""
    return Scope("v.run = $1", (run,), verdict_set, run)


def scope_of_filter(wanted: ConversationFilter) -> Scope:
    """What a filter of the corpus shows."""
    found = where(wanted)
    return Scope(f"v.id in (select id from corpus {found.sql})", tuple(found.arguments))


@dataclass(frozen=True, slots=True)
class Population:
    """Conversations of a scope with the same verdict."""

    status: str
    reason: str
    layer: int | None
    count: int


async def populations(c: Connection, scope: Scope) -> list[Population]:
    """How many conversations a scope has, by verdict, in the order of their names."""
    rows = await c.fetch(
        scope.sql("f.status, f.reason, f.layer, count(*) as n")
        + " group by 1, 2, 3 order by 1, 3, 2",
        *scope.values,
        timeout=PATIENCE_S,
    )
    return [Population(row["status"], row["reason"], row["layer"], row["n"]) for row in rows]


async def columns_of(c: Connection, scope: Scope) -> tuple[Column, ...]:
    """What stands beside the turns of a scope's conversations: more where one of them can have been brought in."""
    hole = len(scope.arguments) + 1
    found = await c.fetchval(
        f"select exists (select from run_view r where r.mode = 'import' and (r.run = ${hole} or exists ("
        f"select from conversation v where v.run = r.run and {scope.condition})))",
        *scope.arguments,
        scope.run,
        timeout=PATIENCE_S,
    )
    return WITH_ORIGIN if found else COLUMNS


async def examples(
    c: Connection,
    scope: Scope,
    options: ExportOptions,
    statuses: Sequence[str],
    set_name: str = "",
    columns: Sequence[Column] = COLUMNS,
) -> AsyncGenerator[list[Example], None]:
    """Conversations, some at a time, ordered by run, thread and number.

    Args:
        c: a connection inside a transaction in which every question sees the same.
        scope: what is chosen from.
        options: which text, and which splits.
        statuses: statuses of the conversations wanted.
        set_name: name of the verdict set, as rows say it.
        columns: what stands beside the turns, as ``columns_of`` says.
    """
    found = await c.cursor(
        f"{scope.sql('v.id')} and f.status = any(${len(scope.values) + 1}) order by v.run, v.thread, v.number",
        *scope.values,
        list(statuses),
        timeout=PATIENCE_S,
    )
    facts: RunFacts | None = None
    while rows := await found.fetch(BATCH, timeout=PATIENCE_S):
        for ids in await _portions(c, [row["id"] for row in rows]):
            batch: list[Example] = []
            for one in await _found(c, ids, scope):
                run = str(one.conversation["run"])
                if facts is None or facts.run["run"] != run:
                    facts = await run_facts(c, run)
                batch.append(example(one, facts, options, set_name, columns))
            yield batch


async def _portions(c: Connection, ids: Sequence[str]) -> list[list[str]]:
    """The ids in portions whose texts fit into memory."""
    rows = await c.fetch(
        "select conversation, sum(size) as size from ("
        "select conversation, octet_length(body) as size from turn where conversation = any($1) union all "
        "select conversation, octet_length(metadata::text) from origin where conversation = any($1)"
        ") text group by 1",
        ids,
    )
    sizes = {row["conversation"]: int(row["size"]) for row in rows}
    portions: list[list[str]] = [[]]
    filled = 0
    for one in ids:
        size = sizes.get(one, 0)
        if portions[-1] and filled + size > BATCH_BYTES:
            portions.append([])
            filled = 0
        portions[-1].append(one)
        filled += size
    return portions


async def _found(c: Connection, ids: Sequence[str], scope: Scope) -> list[Found]:
    """All rows of these conversations, in the order of the ids."""
    rows = await c.fetch(
        f"select v.*, f.status, f.reason, f.layer from conversation v {scope.verdict(2)} where v.id = any($1)",
        list(ids),
        *scope.set_value,
    )
    # Of two columns with one name the later one is the verdict that counts.
    by_id = {row["id"]: dict(row.items()) for row in rows}
    turns = _by_conversation(
        await c.fetch(
            "select conversation, role, body from turn where conversation = any($1) order by conversation, number",
            ids,
        )
    )
    reviewed = [one for one in ids if by_id[one]["review_version"]]
    reviews = _by_conversation(
        await c.fetch(
            "select conversation, version, reviewer, decision, reason, note, edits, at from review "
            "where conversation = any($1) order by conversation, version",
            reviewed,
        )
        if reviewed
        else []
    )
    origins = await origins_of(c, ids)
    return [
        Found(by_id[one], turns.get(one, []), reviews.get(one, []), origins.get(one)) for one in ids
    ]


def _by_conversation(rows: Sequence[asyncpg.Record]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["conversation"], []).append(dict(row))
    return found


async def run_facts(c: Connection, run: str) -> RunFacts:
    """What every conversation of a run has in common.

    Raises:
        NotFound: there is no such run.
    """
    row = dict(await existing_run(c, run))
    body = await snapshot_body(c, row["snapshot"])
    if body is None:
        return RunFacts(row, None, None)
    frozen = orjson.dumps(orjson.loads(body).get("config"), option=orjson.OPT_SORT_KEYS)
    try:
        snapshot = Snapshot.model_validate_json(body)
    except ValidationError:
        snapshot = None
    return RunFacts(row, snapshot, hashlib.sha256(frozen).hexdigest())
