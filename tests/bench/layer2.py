"""Layer 2 alone: ``python -m tests.bench.layer2`` fills the index and says how long one look takes, and how big it is.

A look is all that the filters do for layer 2 of one conversation: shingles, MinHash, the index, samples, and the words
of what is left. One at a time, on a Postgres of its own. Settling is what the scheduler does once more for a batch.
Beside the wall clock, which other work on the machine slows down, stands the time on a core, here and in Postgres.
``--sizes`` says how many conversations are accepted, ``--told`` how many of them are made of words; the others are
strangers, as random as the signatures of conversations that share nothing. ``--database`` measures one filled before.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from convo_events.catalog import Diversity
from convo_events.masking import Mask
from convo_events.migrate import migrate_database
from convo_events.similarity import shingles
from convo_events.snapshot import Snapshot
from convo_events.store import Connection, Pool
from convo_events.threads import ThreadState
from convo_filters.neighbours import Neighbours, Subject
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models.transcripts import Transcripts
from convo_scheduler.settling import Settling
from tests.bench.corpus import COPIED, RUN, Corpus, fill, turns_of
from tests.journeys.configs import snapshot

LIMIT = 0.7
SIZES = (1_000, 100_000, 1_000_000)
COPIES = 0.05
"""Share of the looks that are at a copy of something accepted, two words of a hundred changed."""
SETTLED = 100
"""Candidates that are settled in one go."""


@dataclass(frozen=True, slots=True)
class Looks:
    """How looks went."""

    wall: list[float]
    """Seconds, ascending."""
    cores: list[float]
    """The same on a core."""
    found: int

    def __str__(self) -> str:
        """Two figures and what was found."""
        return f"{_spread(self.wall)}; on a core {_spread(self.cores)}; {self.found} of {len(self.wall)} too near"


def _spread(seconds: Sequence[float]) -> str:
    p50, p99 = (1e3 * seconds[len(seconds) * part // 100] for part in (50, 99))
    return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"


class Clock:
    """Time by the wall and on cores."""

    def __init__(self, backends: Sequence[int]) -> None:
        """Take the process ids of the connections, which are on this machine."""
        self._files = [Path(f"/proc/{pid}/schedstat") for pid in backends]

    def read(self) -> tuple[float, float]:
        """Seconds by the wall; seconds on cores, of this process and of Postgres."""
        theirs = sum(int(file.read_text().split()[0]) for file in self._files) / 1e9
        return time.perf_counter(), time.process_time() + theirs


def subjects(corpus: Corpus, count: int) -> list[list[str]]:
    """Turns of what is looked at: new ones of the same families, and a few copies."""
    rng = random.Random(5)
    found = []
    for at in range(count):
        if rng.random() < COPIES:
            number = rng.randrange(-(-corpus.told // COPIED)) * COPIED
            words = turns_of(number, corpus.total, edit=0.02)
        else:
            words = turns_of(corpus.total + at, corpus.total)
        found.append([" ".join(turn) for turn in words])
    return found


def frozen() -> Snapshot:
    """A run of the scope over everything."""
    made = snapshot(9, threads=9)
    limits = Diversity(near_duplicate=LIMIT, scope="everything")
    return made.model_copy(update={"config": made.config.model_copy(update={"diversity": limits})})


async def look(pool: Pool, clock: Clock, told: Sequence[list[str]]) -> Looks:
    """Look at each, one after the other."""
    neighbours, config = Neighbours(pool, Transcripts(pool)), frozen().config
    wall, cores, found = [], [], 0
    for turns in told:
        began, busy = clock.read()
        subject = Subject.of(RUN, config, shingles(turns), Mask())
        found += (await neighbours.look(subject)).nearest is not None
        ended, busier = clock.read()
        wall.append(ended - began)
        cores.append(busier - busy)
    return Looks(sorted(wall), sorted(cores), found)


async def settle(pool: Pool, clock: Clock, told: Sequence[list[str]], looked_at: int) -> str:
    """Time to settle a batch that the filters looked at when the index ended there."""
    states = []
    for at, turns in enumerate(told[:SETTLED]):
        subject = Subject.of(RUN, frozen().config, shingles(turns), Mask())
        state = ThreadState(
            run=RUN,
            thread=at,
            conversation=10**6,
            step=1,
            kind="filter",
            turn=0,
            emit=1,
            epoch=1,
            phase="due",
            fingerprint=subject.fingerprint.encode(),
            looked_at=looked_at,
        )
        states.append(state)
    settling = Settling(pool)
    began, busy = clock.read()
    await settling.neighbours(states, frozen(), "hash")
    ended, busier = clock.read()
    return f"{(ended - began) * 1e3:.0f} ms, on a core {(busier - busy) * 1e3:.0f} ms"


async def sizes_of(c: Connection) -> str:
    """Bytes a conversation in each part of the index."""
    count = await c.fetchval("select count(*) from accepted_signature")
    rows = await c.fetch(
        "select relname as name, pg_relation_size(oid) as bytes from pg_class"
        " where relname like 'accepted\\_signature%' and relkind in ('r', 'i') order by 1"
    )
    parts = ", ".join(f"{row['name']} {row['bytes'] / count:.0f}" for row in rows)
    return f"{sum(row['bytes'] for row in rows) / count:.0f} bytes a conversation: {parts}"


async def measure(url: str, corpus: Corpus, count: int) -> None:
    """Measure a filled database."""
    async with asyncpg.create_pool(url, min_size=2, max_size=2) as pool:
        async with pool.acquire() as one, pool.acquire() as other:
            say(f"  {await sizes_of(one)}")
            clock = Clock([c.get_server_pid() for c in (one, other)])
            end = await one.fetchval("select max(position) from accepted_signature")
        told = subjects(corpus, count)
        await look(pool, clock, told)  # reads pages for the first time
        say(f"  a look: {await look(pool, clock, told)}")
        for behind in (1_000, end):
            took = await settle(pool, clock, told, max(0, end - behind))
            say(f"  settling {SETTLED} that were looked at {behind:,} ago: {took}")


async def fill_and_measure(
    url: str, sizes: Sequence[int], corpus: Corpus, count: int, processes: int
) -> None:
    """Fill to each size and measure there."""
    c = await asyncpg.connect(url)
    try:
        await migrate_database(c)
        filled = 0
        for size in sorted(sizes):
            started = time.perf_counter()
            await fill(c, corpus, range(filled, size), processes)
            filled = size
            say(f"{size:,} accepted ({time.perf_counter() - started:.0f} s to fill)")
            await measure(url, corpus, count)
    finally:
        await c.close()


def say(line: str) -> None:
    """A line, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Measure and print; exit code 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.layer2", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--told", type=int, default=400_000, help="conversations made of words")
    parser.add_argument("--looks", type=int, default=1_000)
    parser.add_argument("--processes", type=int, default=1, help="that make the words")
    parser.add_argument("--database", help="address of one that is filled to the last size")
    arguments = parser.parse_args()
    corpus = Corpus(max(arguments.sizes), min(arguments.told, max(arguments.sizes)))
    say(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    if arguments.database:
        asyncio.run(measure(arguments.database, corpus, arguments.looks))
        return 0
    with (
        tempfile.TemporaryDirectory(prefix="convo-") as home,
        Infrastructure(Path(home)) as infrastructure,
    ):
        url = infrastructure.create_database()
        looks, processes = arguments.looks, arguments.processes
        asyncio.run(fill_and_measure(url, arguments.sizes, corpus, looks, processes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
