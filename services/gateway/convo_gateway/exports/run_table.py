"""The list of runs as CSV, for spreadsheets and scripts: counts, how much of each run they cover, and cost."""

from collections.abc import AsyncGenerator
from datetime import datetime

from convo_events.store import Connection
from convo_gateway.exports.formats.csv_table import cell, line
from convo_gateway.reads.run_lists import RunFilter, page_of_runs
from convo_gateway.shapes.runs import RunSummary

BATCH = 500
_PLAIN = ("name", "config", "config_version", "mode", "status", "reason", "target", "generated")
_COUNTS = ("accepted", "rejected", "failed", "cancelled", "open")
_COSTS = ("cost_micro", "unknown_calls", "unknown_micro", "unpriced_calls", "estimate_micro")
_TIMES = ("planned_at", "started_at", "ended_at")
COLUMNS = (
    "run",
    *_PLAIN,
    *_COUNTS,
    "with_verdict",
    "coverage",
    "acceptance",
    *_COSTS,
    *_TIMES,
)
"""``coverage``: verdicts of all that are planned. ``acceptance``: accepted of the verdicts; empty without any."""


async def run_table(
    c: Connection, wanted: RunFilter, now: datetime, *, bom: bool
) -> AsyncGenerator[bytes, None]:
    """A head, then one line a run, in the order that is wanted, some at a time.

    Args:
        c: a connection inside a transaction in which every question sees the same.
        wanted: which runs.
        now: the moment that rates would be for.
        bom: begin with a byte order mark, for spreadsheets.
    """
    yield (b"\xef\xbb\xbf" if bom else b"") + line(list(COLUMNS))
    after: tuple[object, str] | None = None
    while True:
        page = await page_of_runs(c, now, wanted, limit=BATCH, after=after)
        if not page:
            return
        yield b"".join(line([cell(value) for value in _row(run)]) for run, _ in page)
        last, key = page[-1]
        after = (key, last.id)


def _row(run: RunSummary) -> list[object]:
    verdicts = run.accepted + run.rejected + run.failed
    coverage = round(verdicts / run.target, 6) if run.target else None
    acceptance = round(run.accepted / verdicts, 6) if verdicts else None
    return [
        run.id,
        *(getattr(run, name) for name in (*_PLAIN, *_COUNTS)),
        verdicts,
        coverage,
        acceptance,
        *(getattr(run, name) for name in (*_COSTS, *_TIMES)),
    ]
