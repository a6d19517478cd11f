"""Make the read model again from the archive or from the log, beside the live one, and compare the two.

``python -m convo_projector.rebuild --from archive --check`` may run at any time: it folds into a schema of its own and
holds the live fold still only while it reads the last few events and compares. Exit code 0 where both agree, 1 where
they differ, 2 where it could not be done. Without ``--check`` the rebuilt tables are left in schema ``rebuilt``.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

import asyncpg
import nats.errors

from convo_events.bus import connect
from convo_events.errors import ConvoError
from convo_events.log import read_ordered
from convo_events.migrate import migrations
from convo_events.settings import Settings
from convo_events.store import Connection, Pool, open_pool, outage_named
from convo_events.streams import check_log
from convo_projector.fold import CURSOR, FOLDED, WRITTEN, Fold, Recorded
from convo_projector.projections import corpus, corpus_counts
from convo_projector.text_count import TextCount

Source = Literal["archive", "log"]
SCHEMA = "rebuilt"
"""Schemas are named by this module and by tests, never from outside."""
LIVE = "public"
BATCH = 1_000
COMPARE_TIMEOUT_S = 3_600
SHOWN = 20
"""Differences of one table that are named."""
TABLES = (
    "event",
    "fence",
    corpus.TABLE,
    corpus_counts.TABLE,
    *(projection.TABLE for projection in (*FOLDED, *WRITTEN)),
    "run_distribution",
)
"""What is made from the log, without positions in it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that only one side has, as it stands there."""

    table: str
    side: str
    """Name of the schema that has it."""
    row: str
    """The row as JSON."""

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.table}: only in {self.side}: {self.row[:500]}"


async def compare(c: Connection, one: str, other: str) -> list[Difference]:
    """Rows in which the tables of two schemas differ, at most ``SHOWN`` a table and side."""
    found: list[Difference] = []
    for table in TABLES:
        rows = {
            schema: f"select (to_jsonb(t) - 'position')::text as row from {schema}.{table} t"
            for schema in (one, other)
        }
        for side, missing in ((one, other), (other, one)):
            only = await c.fetch(
                f"({rows[side]}) except all ({rows[missing]}) order by row limit {SHOWN}",
                timeout=COMPARE_TIMEOUT_S,
            )
            found += [Difference(table, side, record["row"]) for record in only]
    return found


@asynccontextmanager
async def rebuilt_tables(settings: Settings, schema: str) -> AsyncIterator[Pool]:
    """A pool whose tables of the read model are new and empty, in a schema made for them."""
    live = await open_pool(settings, most=1)
    try:
        async with outage_named():
            await live.execute(f"drop schema if exists {schema} cascade; create schema {schema}")
    finally:
        await live.close()
    pool = await open_pool(settings, most=2, schema=schema)
    try:
        async with outage_named():
            # Whole, though only the read model is filled: a file may be about tables of several writers.
            for _, _, sql in migrations():
                await pool.execute(sql)
        yield pool
    finally:
        await pool.close()


async def fold_archive(c: Connection, fold: Fold, after: int) -> int:
    """Fold what the live archive has after a position; the position of its last event."""
    while True:
        rows = await c.fetch(
            f"select position, seq, body from {LIVE}.event where position > $1"
            f" order by position limit {BATCH}",
            after,
        )
        if not rows:
            return after
        await fold.fold([Recorded(row["seq"], row["body"].encode()) for row in rows])
        after = int(rows[-1]["position"])


async def fold_log(settings: Settings, fold: Fold, until: int) -> None:
    """Fold the log from where the fold stands up to a sequence."""
    if fold.position >= until:
        return
    broker = await connect(settings)
    try:
        async with aclosing(read_ordered(broker.connection, fold.position)) as reader:
            async for messages in reader:
                read = [Recorded(m.metadata.sequence.stream, m.data) for m in messages]
                wanted = [item for item in read if item.seq <= until]
                if wanted:
                    await fold.fold(wanted)
                if fold.position >= until:
                    return
    finally:
        await broker.stop()


async def count_texts(c: Connection, pool: Pool, texts: TextCount, *, lock: bool = False) -> None:
    """Count the rebuilt texts as far as the live ones are counted; locked, the live count waits meanwhile."""
    last = await c.fetchval(
        f"select e.id from {LIVE}.distribution_cursor d join {LIVE}.event e on e.position = d.position"
        + (" for update of d" if lock else "")
    )
    until = await pool.fetchval("select position from event where id = $1", last)
    if until is not None:
        await texts.catch_up(until)


async def rebuild(
    settings: Settings, source: Source, *, schema: str = SCHEMA, keep: bool = False
) -> list[Difference]:
    """Fold everything anew into ``schema``; in what it differs from the live tables at the same position.

    Raises:
        Unavailable: when NATS or Postgres is away.
        Misconfigured: when the log is missing or not safe.
    """
    created = await _log_created(settings) if source == "log" else "archive"
    live = await open_pool(settings, most=1)
    try:
        async with rebuilt_tables(settings, schema) as pool, live.acquire() as c:
            fold = Fold(pool, created)
            await fold.open()
            after = 0
            if source == "archive":
                after = await fold_archive(c, fold, 0)
            else:
                await fold_log(settings, fold, await _folded_to(c))
            texts = TextCount(pool)
            await count_texts(c, pool, texts)
            async with outage_named(), c.transaction():
                # Locked, the live fold waits for the rest and the comparison, a moment each.
                until = await _folded_to(c, lock=True)
                if source == "archive":
                    await fold_archive(c, fold, after)
                else:
                    await fold_log(settings, fold, until)
                await count_texts(c, pool, texts, lock=True)
                found = await compare(c, LIVE, schema)
        if not keep:
            async with outage_named():
                await live.execute(f"drop schema {schema} cascade")
        return found
    finally:
        await live.close()


async def _folded_to(c: Connection, *, lock: bool = False) -> int:
    query = f"select seq from {LIVE}.fold_cursor where name = $1" + (" for update" if lock else "")
    return int(await c.fetchval(query, CURSOR) or 0)


async def _log_created(settings: Settings) -> str:
    broker = await connect(settings)
    try:
        return await check_log(broker.connection, settings.nats_monitor_url)
    finally:
        await broker.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 where the rebuilt tables equal the live ones, 1 where not, 2 where it could not be done."""
    parser = argparse.ArgumentParser(prog="python -m convo_projector.rebuild")
    parser.add_argument("--from", dest="source", choices=("archive", "log"), required=True)
    parser.add_argument("--check", action="store_true", help="drop the rebuilt tables afterwards")
    chosen = parser.parse_args(arguments)
    try:
        settings = Settings.from_env(os.environ)
        found = asyncio.run(rebuild(settings, chosen.source, keep=not chosen.check))
    except (ConvoError, OSError, asyncpg.PostgresError, nats.errors.Error) as error:
        sys.stderr.write(f"rebuild: {error}\n")
        return 2
    for difference in found:
        sys.stdout.write(f"{difference}\n")
    verdict = f"{len(found)} rows differ" if found else "equal to the live tables"
    sys.stderr.write(f"rebuild from the {chosen.source}: {verdict}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
