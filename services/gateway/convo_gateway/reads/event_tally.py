"""How many events each run has in the archive: counted once, then only what was added."""

from collections import OrderedDict

from convo_events.store import Connection

_KEPT = 512


class EventTally:
    """Counts by run, the ones used last. The archive only grows, and in the order of its positions."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._known: OrderedDict[str, tuple[int, int]] = OrderedDict()

    async def of(self, c: Connection, run: str) -> int:
        """Events of a run now."""
        known, last = self._known.get(run, (0, 0))
        row = await c.fetchrow(
            "select count(*) as n, max(position) as last from event where run = $1 and position > $2",
            run,
            last,
        )
        if row is not None and row["n"]:
            known, last = known + row["n"], row["last"]
        self._known[run] = (known, last)
        self._known.move_to_end(run)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return known
