"""What personas remember: the memory that a conversation of mode ``sessions`` starts from.

Only an accepted conversation leaves a memory, and each holds all that came before it. So a conversation starts from the
latest memory of an earlier conversation of its thread. The thread makes one conversation after another: when one
begins, what it starts from stands, and is kept here once it was read.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeAlias

from convo_events.coalesce import Coalescer
from convo_events.store import Pool, outage_named

Place: TypeAlias = tuple[str, int, int]
"""Run, thread and number of a conversation."""
KEPT = 1_024

_LATEST = """
select coalesce(m.body, '') as body
from unnest($1::text[], $2::int[], $3::int[]) with ordinality as asked (run, thread, number, at)
left join lateral (
  select body from memory
  where run = asked.run and thread = asked.thread and number < asked.number
  order by number desc limit 1
) m on true
order by asked.at
"""


class Memories:
    """Reads memories; concurrent reads of a process share a query."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._kept: OrderedDict[Place, str] = OrderedDict()
        self._reads: Coalescer[Place, str] = Coalescer(self._read, most=200, linger_s=0.002)

    async def before(self, run: str, thread: int, number: int) -> str:
        """What is remembered when conversation ``number`` (from 0) of a thread begins; empty for nothing.

        Raises:
            Unavailable: when Postgres is away.
        """
        if number == 0:
            return ""
        place = (run, thread, number)
        found = self._kept.get(place)
        if found is None:
            found = self._kept[place] = await self._reads.ask(place)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    async def _read(self, places: Sequence[Place]) -> list[str]:
        runs, threads, numbers = zip(*places, strict=True)
        async with outage_named():
            rows = await self._pool.fetch(_LATEST, list(runs), list(threads), list(numbers))
        return [row["body"] for row in rows]
