"""What an export holds and what it does not: counts with their population, coverage, cost, and a checksum."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from convo_events.errors import NotFound
from convo_events.runs import FINAL, RunStatus
from convo_events.store import Connection
from convo_gateway.exports.rows import jsonl
from convo_gateway.reads.costs import costs_of
from convo_gateway.reads.rejects import reason_counts
from convo_gateway.reads.runs import run_row
from convo_gateway.shapes.counts import CallCosts, Counted, Shape, added
from convo_gateway.shapes.runs import ReasonCount


class DataFile(Shape):
    """The lines themselves."""

    name: str
    format: str
    rows: Counted
    bytes: int


class Coverage(Shape):
    """Where the conversations of the run are that the file does not hold."""

    accepted: int
    rejected: int
    failed: int
    cancelled: int
    open: int
    """Without a verdict yet."""
    missing: int
    """Conversations of the run that are not in the file."""
    reasons: list[ReasonCount]
    """Why conversations were rejected or failed, in precedence order."""


class Manifest(Shape):
    """An export beside its data."""

    format_version: int
    run: str
    name: str
    status: RunStatus
    complete: bool
    """True where the run has ended: the file will not change any more."""
    statuses: list[str]
    """Statuses of the conversations in the file."""
    conversations: int
    """Conversations in the file."""
    sha256: str
    """Of the file."""
    data: DataFile
    coverage: Coverage
    cost: CallCosts
    """Of the whole run, whatever is in the file."""
    config: str
    config_version: int
    snapshot: str
    mode: str
    seed: int
    target: int
    planned_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


def file_name(run: str, statuses: Sequence[str]) -> str:
    """Name of the file that holds the lines."""
    return f"{run}.{'-'.join(statuses)}.jsonl"


async def manifest_of(c: Connection, run: str, statuses: Sequence[str]) -> Manifest:
    """The manifest of the export that a download at this moment gives.

    Raises:
        NotFound: there is no such run.
    """
    row = await run_row(c, run)
    if row is None:
        raise NotFound(f"There is no run {run}.")
    digest, size, lines = hashlib.sha256(), 0, 0
    async for part in jsonl(c, row, statuses):
        digest.update(part)
        size += len(part)
        lines += part.count(b"\n")
    settled = row["accepted"] + row["rejected"] + row["failed"] + row["cancelled"]
    rows = Counted(value=lines, unit="conversations", scope="this file", of=row["target"])
    return Manifest(
        format_version=1,
        **{name: row[name] for name in Manifest.model_fields if name in row},
        complete=row["status"] in FINAL,
        statuses=list(statuses),
        data=DataFile(
            name=file_name(run, statuses),
            format="jsonl",
            rows=rows,
            bytes=size,
        ),
        conversations=lines,
        sha256=digest.hexdigest(),
        coverage=Coverage(
            accepted=row["accepted"],
            rejected=row["rejected"],
            failed=row["failed"],
            cancelled=row["cancelled"],
            open=row["target"] - settled,
            missing=row["target"] - lines,
            reasons=await reason_counts(c, run),
        ),
        cost=added(await costs_of(c, run)),
    )
