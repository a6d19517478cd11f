"""Numbers over all runs, read from Postgres when somebody scrapes."""

import asyncio
import typing

from convo_events.clock import now
from convo_events.runs import RunStatus
from convo_gateway.gateway import Gateway
from convo_gateway.reads.run_lists import RunFilter, page_of_runs
from convo_gateway.reads.runs import count_by_status

PATIENCE_S = 2.0
MOST_RUNS = 20
"""Running runs, the newest ones, whose distinct-3 is looked at."""


async def measure(gateway: Gateway) -> None:
    """Bring the gauges of runs up to date.

    Raises:
        Unavailable: while Postgres is away; the gauges stay as they were.
        TimeoutError: when it takes too long.
    """
    async with asyncio.timeout(PATIENCE_S), gateway.connections.reading() as c:
        counts = await count_by_status(c)
        running = await page_of_runs(c, now(), RunFilter(["running"]), limit=MOST_RUNS)
        known = [await gateway.diversity.of(c, run.id, run.accepted) for run, _ in running]
    for status in typing.get_args(RunStatus):
        gateway.metrics.runs.labels(status).set(counts.get(status, 0))
    values = [distinct.value for distinct in known if distinct.value is not None]
    # Without a running run there is no lowest one; not a number says so.
    gateway.metrics.distinct3.set(min(values, default=float("nan")))
