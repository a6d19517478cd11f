"""The list of runs as a table to download."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Response

from convo_events.clock import now
from convo_events.runs import RunStatus
from convo_gateway.exports.run_table import run_table
from convo_gateway.exports.stream import Download
from convo_gateway.gateway import Gateway, Here
from convo_gateway.reads.run_lists import RunFilter, RunSort

router = APIRouter(tags=["runs"])


@router.get(
    "/runs.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "One line a run."}},
)
async def download_runs(
    here: Here,
    status: Annotated[list[RunStatus] | None, Query(description="Only these.")] = None,
    config: Annotated[str | None, Query(max_length=100)] = None,
    q: Annotated[str | None, Query(max_length=200, description="Part of name or id.")] = None,
    from_: Annotated[
        date | None, Query(alias="from", description="Only runs of this day (UTC) or later.")
    ] = None,
    to: Annotated[date | None, Query(description="Only runs of this day (UTC) or earlier.")] = None,
    sort: Annotated[
        RunSort, Query(description="``-`` for the highest or newest first.")
    ] = "-started",
    bom: Annotated[bool, Query(description="With a byte order mark, for spreadsheets.")] = False,
) -> Response:
    """Every run that the filter leaves, with its counts, how much of it they cover, and its cost."""
    wanted = RunFilter(status or (), config, q, (), from_, to, sort)
    here.seats.look()
    headers = {
        "Content-Disposition": 'attachment; filename="runs.csv"',
        "Cache-Control": "no-store",
    }
    return Download(_lines(here, wanted, bom), headers=headers, media_type="text/csv")


async def _lines(here: Gateway, wanted: RunFilter, bom: bool) -> AsyncIterator[bytes]:
    with here.seats.one():
        async with (
            here.connections.reading() as c,
            aclosing(run_table(c, wanted, now(), bom=bom)) as parts,
        ):
            async for part in parts:
                yield part
