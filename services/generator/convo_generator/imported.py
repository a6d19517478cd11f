"""Mode ``import``: conversations are read as they were brought in, and no model is called."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from asyncpg import Record

from convo_events.coalesce import Coalescer
from convo_events.conversations import Turn
from convo_events.outcomes import Generated, Origin, StepFailed
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.store import Pool, outage_named

MOST_AT_ONCE = 32
"""Conversations of one query; each may have 1.5 MB."""


@dataclass(frozen=True, slots=True)
class _Row:
    turns: tuple[Turn, ...]
    origin: Origin


class Imported:
    """Reads staged conversations; concurrent reads of a process share a query."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._reads: Coalescer[tuple[str, int], _Row | None] = Coalescer(
            self._read, most=MOST_AT_ONCE, linger_s=0.002
        )

    async def outcome(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw
    ) -> Generated | StepFailed | None:
        """The whole conversation of a run that reads an import; None where a model has to be asked.

        Raises:
            Unavailable: when Postgres is away.
        """
        source = snapshot.source
        if source is None or step.kind != "generate":
            return None
        row = await self._reads.ask((source.id, drawn.index))
        if row is None:
            detail = f"conversation {drawn.index + 1:,} of {source.name} is not there any more"
            return StepFailed.of(
                step, reason="generation_failed", detail=detail, retryable=False, call=None
            )
        return Generated.of(
            step, turns=row.turns, first_turn=0, finish="stop", call=None, origin=row.origin
        )

    async def _read(self, places: Sequence[tuple[str, int]]) -> list[_Row | None]:
        async with outage_named():
            rows = await self._pool.fetch(
                "select source, position, row, turns, metadata, left_out from import_row where (source, position) in"
                " (select * from unnest($1::text[], $2::bigint[]))",
                [source for source, _ in places],
                [position for _, position in places],
            )
        found = {(row["source"], row["position"]): row for row in rows}
        return [_read_row(found[place]) if place in found else None for place in places]


def _read_row(row: Record) -> _Row:
    turns = tuple(
        Turn.model_construct(role=role, text=text) for role, text in orjson.loads(row["turns"])
    )
    origin = Origin(
        source=row["source"],
        row=row["row"],
        metadata=orjson.loads(row["metadata"]),
        left_out=tuple(orjson.loads(row["left_out"])),
    )
    return _Row(turns, origin)
