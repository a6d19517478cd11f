"""Folds of a test's own: events in, tables out."""

from collections.abc import Sequence
from typing import Any

from convo_events.codec import Event, encode
from convo_events.store import Pool
from convo_projector.fold import Fold, Folded, Recorded
from convo_projector.rebuild import TABLES
from tests.histories import envelope

Entry = tuple[str, Event]


def recorded(entries: Sequence[Entry], *, after: int = 0) -> list[Recorded]:
    """Events as they stand in the log behind a position."""
    return [
        Recorded(seq, encode(envelope(event_id, seq), event))
        for seq, (event_id, event) in enumerate(entries, start=after + 1)
    ]


async def opened(pool: Pool, log_created: str = "log-1") -> Fold:
    """A fold that stands where the database says."""
    fold = Fold(pool, log_created)
    await fold.open()
    return fold


async def fold_all(fold: Fold, entries: Sequence[Entry], sizes: Sequence[int] = (7,)) -> Folded:
    """Fold events behind the position, in batches whose sizes go round; what the last batch changed."""
    left = recorded(entries, after=fold.position)
    number = 0
    folded = Folded(seq=fold.position)
    while left:
        size = sizes[number % len(sizes)]
        folded = await fold.fold(left[:size])
        left, number = left[size:], number + 1
    return folded


async def tables(c: Pool, schema: str = "public") -> dict[str, list[str]]:
    """Every row of the read model as JSON, in order, by table; without positions in the archive."""
    found: dict[str, list[str]] = {}
    for table in TABLES:
        rows = await c.fetch(
            f"select (to_jsonb(t) - 'position')::text as row from {schema}.{table} t order by 1"
        )
        found[table] = [row["row"] for row in rows]
    return found


async def view(pool: Pool, run: str) -> dict[str, Any]:
    """The folded run."""
    row = await pool.fetchrow("select * from run_view where run = $1", run)
    return dict(row) if row else {}
