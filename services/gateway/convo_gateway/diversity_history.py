"""Distinct-3 as it went in a run: a window that slides over its last accepted conversations."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence

import asyncpg

from convo_events.distinct import WINDOW, ngrams
from convo_events.runs import FINAL
from convo_events.store import Connection
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.run_parts import DiversityHistory, DiversityPoint

LOOKED_AT = 500
"""The last accepted conversations that are read."""
POINTS = 50
PAUSE_S = 30.0
"""Least time between two computations for one run."""
_KEPT = 64

Grams = Sequence[tuple[str, ...]]


class DiversityHistories:
    """Histories by run, the ones used last."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: OrderedDict[str, tuple[DiversityHistory, int, float]] = OrderedDict()

    async def of(self, c: Connection, row: asyncpg.Record) -> DiversityHistory:
        """The history of a run, from its row; up to 30 seconds old unless the run has ended."""
        run, accepted = row["run"], row["accepted"]
        moment = time.monotonic()
        found, counted, computed_at = self._known.get(run, (None, -1, 0.0))
        is_old = moment - computed_at >= PAUSE_S or row["status"] in FINAL
        if found is None or (is_old and counted != accepted):
            texts = await _last_accepted(c, run) if accepted else []
            found = await asyncio.to_thread(_history, texts, row)
            self._known[run] = (found, accepted, moment)
        self._known.move_to_end(run)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found


async def _last_accepted(c: Connection, run: str) -> list[list[str]]:
    """Turns of the last accepted conversations, by the order of their verdicts, oldest first."""
    rows = await c.fetch(
        """
        select last.settled_seq, array_agg(t.body order by t.number) as bodies
        from (select id, settled_seq from conversation where run = $1 and status = 'accepted'
              order by settled_seq desc limit $2) last
        join turn t on t.conversation = last.id group by last.id, last.settled_seq order by last.settled_seq
        """,
        run,
        LOOKED_AT,
    )
    return [row["bodies"] for row in rows]


def _history(texts: Sequence[Sequence[str]], row: asyncpg.Record) -> DiversityHistory:
    accepted, seen = row["accepted"], len(texts)
    values = windows([list(ngrams(turns, 3)) for turns in texts], window=WINDOW, points=POINTS)
    return DiversityHistory(
        points=[
            DiversityPoint(accepted=accepted - seen + end, distinct3=value) for end, value in values
        ],
        window=WINDOW,
        floor=row["distinct3_floor"],
        conversations=Counted(
            value=seen, unit="conversations", scope="last accepted of this run", of=accepted
        ),
    )


def windows(grams: Sequence[Grams], *, window: int, points: int) -> list[tuple[int, float]]:
    """Different n-grams over all of them, in a window that ends after so many conversations.

    Where there are more conversations than a window, only full windows are told, so that the values compare. Pure.

    Args:
        grams: N-grams of each conversation, oldest first.
        window: Conversations of a window.
        points: About how many values are wanted.
    """
    first = min(window, len(grams)) if len(grams) > window else 1
    step = max(1, (len(grams) - first) // points)
    inside: Counter[tuple[str, ...]] = Counter()
    total, found = 0, []
    for end, added in enumerate(grams, 1):
        inside.update(added)
        total += len(added)
        if end > window:
            gone = grams[end - window - 1]
            inside.subtract(gone)
            total -= len(gone)
            for gram in set(gone):
                if not inside[gram]:
                    del inside[gram]
        if end >= first and (len(grams) - end) % step == 0 and total:
            found.append((end, len(inside) / total))
    return found
