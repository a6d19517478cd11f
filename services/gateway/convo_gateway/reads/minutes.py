"""Verdicts by minute."""

from convo_events.store import Connection
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.run_parts import Minute, Minutes


async def minutes_of(c: Connection, run: str, *, limit: int) -> Minutes:
    """The newest minutes of a run that had a verdict, oldest first."""
    rows = await c.fetch(
        """
        select minute, accepted, rejected, failed from run_minute
        where run = $1 order by minute desc limit $2
        """,
        run,
        limit,
    )
    whole = await c.fetchval("select count(*) from run_minute where run = $1", run)
    return Minutes(
        items=[Minute(**dict(row)) for row in reversed(rows)],
        minutes=Counted(value=len(rows), unit="minutes", scope="this run", of=whole),
    )
