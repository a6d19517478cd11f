"""Everything the page of one run shows, read at one moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg
import orjson

from convo_events.errors import NotFound
from convo_events.runs import FINAL
from convo_events.store import Connection
from convo_gateway.diversity import Distinct3, Diversity
from convo_gateway.reads.costs import costs_of
from convo_gateway.reads.event_tally import EventTally
from convo_gateway.reads.judgements import comparisons_of
from convo_gateway.reads.pipeline import Waiting, deferred, stages
from convo_gateway.reads.runs import run_row, runs_named
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.counts import RoleCosts
from convo_gateway.shapes.judging import Comparisons
from convo_gateway.shapes.runs import RunSummary, Stage


@dataclass(frozen=True, slots=True)
class Moment:
    """What was read about a run, all at once."""

    row: asyncpg.Record
    summary: RunSummary
    frozen: bytes | None
    """Body of the snapshot."""
    costs: Sequence[RoleCosts]
    comparisons: Comparisons | None
    """None where the config compares with nothing."""
    distinct3: Distinct3
    stages: Sequence[Stage]
    waiting: Sequence[Waiting]
    events: int
    at: datetime


async def moment_of(
    c: Connection, run: str, diversity: Diversity, tally: EventTally, now: datetime
) -> Moment:
    """What one moment says of a run.

    Args:
        c: a connection inside a transaction in which every question sees the same.
        run: its id.
        diversity: keeps distinct-3.
        tally: keeps the numbers of events.
        now: the moment that the rate is for.

    Raises:
        NotFound: there is no such run.
    """
    row, summaries = await run_row(c, run), await runs_named(c, now, [run])
    if row is None or not summaries:
        raise NotFound(f"There is no run {run}.")
    waiting, body = await deferred(c, run), await snapshot_body(c, row["snapshot"])
    return Moment(
        row=row,
        summary=summaries[0],
        frozen=body,
        costs=await costs_of(c, run),
        comparisons=await _comparisons(c, run, body),
        distinct3=await diversity.of(c, run, row["accepted"], final=row["status"] in FINAL),
        stages=await stages(c, row, waiting),
        waiting=waiting,
        events=await tally.of(c, run),
        at=now,
    )


async def _comparisons(c: Connection, run: str, body: bytes | None) -> Comparisons | None:
    judge = orjson.loads(body).get("config", {}).get("judge") if body else None
    asked = judge.get("comparison") if judge else None
    return await comparisons_of(c, run, asked) if asked else None
