"""Distinct-3 over the last accepted conversations of a run, computed seldom and kept."""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass

from convo_events.distinct import WINDOW, distinct_n
from convo_events.store import Connection

PAUSE_S = 5.0
"""Least time between two computations for one run."""
_KEPT = 512


@dataclass(frozen=True, slots=True)
class Distinct3:
    """A value and what it was computed over."""

    value: float | None
    """Different over all word 3-grams, 0 to 1; None where there are none."""
    conversations: int
    accepted: int
    """Accepted conversations of the run at that moment."""
    computed_at: float
    """Monotonic seconds."""


class Diversity:
    """Values by run, the ones used last."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: OrderedDict[str, Distinct3] = OrderedDict()

    async def of(self, c: Connection, run: str, accepted: int, *, final: bool = False) -> Distinct3:
        """The value for a run that has accepted so many; up to 5 seconds old unless the run has ended."""
        known = self._known.get(run)
        now = time.monotonic()
        if known is None or (
            known.accepted != accepted and (final or now - known.computed_at >= PAUSE_S)
        ):
            turns = await _last_accepted(c, run) if accepted else []
            value = await asyncio.to_thread(distinct_n, turns, 3) if turns else None
            known = Distinct3(value, len(turns), accepted, now)
            self._known[run] = known
        self._known.move_to_end(run)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return known


async def _last_accepted(c: Connection, run: str) -> list[list[str]]:
    """Turns of the last accepted conversations, by the order of their verdicts."""
    rows = await c.fetch(
        """
        select array_agg(t.body order by t.number) as bodies
        from (select id from conversation where run = $1 and status = 'accepted'
              order by settled_seq desc limit $2) last
        join turn t on t.conversation = last.id group by last.id
        """,
        run,
        WINDOW,
    )
    return [row["bodies"] for row in rows]
