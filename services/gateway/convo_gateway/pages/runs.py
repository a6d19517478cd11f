"""Runs: the list, one run, and what is kept of it."""

from dataclasses import asdict
from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import StringConstraints

from convo_events.clock import now
from convo_events.errors import NotFound
from convo_events.runs import RunStatus
from convo_gateway.cursors import cursor, place_of
from convo_gateway.etags import tagged, tagged_model
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.query import Cursor, Limit
from convo_gateway.reads import events, rejects, run_lists, snapshots
from convo_gateway.reads.run import moment_of
from convo_gateway.reads.run_lists import RunFilter, RunSort
from convo_gateway.reads.runs import existing_run
from convo_gateway.run_page import run_page
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.runs import EventPage, Rejects, Run, RunPage

router = APIRouter(prefix="/runs", tags=["runs"])

RunId = Annotated[str, Path(max_length=100, examples=["run-k3v9d0q2m1xa"])]


@router.get("")
async def list_runs(
    here: Here,
    status: Annotated[list[RunStatus] | None, Query(description="Only these.")] = None,
    config: Annotated[str | None, Query(max_length=100)] = None,
    q: Annotated[str | None, Query(max_length=200, description="Part of name or id.")] = None,
    id_: Annotated[
        list[Annotated[str, StringConstraints(max_length=100)]] | None,
        Query(alias="id", max_length=1_000, description="Only these."),
    ] = None,
    from_: Annotated[
        date | None, Query(alias="from", description="Only runs of this day (UTC) or later.")
    ] = None,
    to: Annotated[date | None, Query(description="Only runs of this day (UTC) or earlier.")] = None,
    sort: Annotated[
        RunSort, Query(description="``-`` for the highest or newest first.")
    ] = "-started",
    limit: Limit = 50,
    cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
) -> RunPage:
    """Runs, newest first unless sorted otherwise, with how many there are."""
    wanted = RunFilter(status or (), config, q, id_ or (), from_, to, sort)
    after = place_of(cursor_, f"runs/{sort}", wanted.key_type, str)
    async with here.connections.reading() as c:
        found = await run_lists.page_of_runs(c, now(), wanted, limit=limit + 1, after=after)
        counts = await run_lists.count_runs(c, wanted)
    more, found = len(found) > limit, found[:limit]
    end = cursor(f"runs/{sort}", found[-1][1], found[-1][0].id) if more else None
    return RunPage.model_validate(
        {"items": [run for run, _ in found], "next_cursor": end} | asdict(counts)
    )


@router.get("/{run}", response_model=Run)
async def get_run(run: RunId, here: Here, request: Request) -> Response:
    """One run, in reading order: requested, happened, produced, evidence."""
    return tagged_model(request, await read_run(here, run))


async def read_run(here: Gateway, run: str) -> Run:
    """The page of a run.

    Raises:
        NotFound: there is no such run.
    """
    async with here.connections.reading() as c:
        return run_page(await moment_of(c, run, here.diversity, here.tally, now()))


@router.get("/{run}/rejects", response_model=Rejects)
async def get_rejects(run: RunId, here: Here, request: Request) -> Response:
    """Reasons in precedence order, and the last 10 rejects."""
    async with here.connections.reading() as c:
        row = await existing_run(c, run)
        found = Rejects(
            reasons=await rejects.reason_counts(c, run),
            population=Counted(
                value=row["rejected"] + row["failed"],
                unit="conversations",
                scope="this run, with a verdict",
                of=row["accepted"] + row["rejected"] + row["failed"],
            ),
            last=await rejects.last_rejects(c, run),
        )
    return tagged_model(request, found)


@router.get("/{run}/snapshot", responses={200: {"content": {"application/json": {}}}})
async def get_snapshot(run: RunId, here: Here, request: Request) -> Response:
    """Everything that the run froze at its start; it never changes."""
    async with here.connections.reading() as c:
        content = str((await existing_run(c, run))["snapshot"])
        body = await snapshots.snapshot_body(c, content)
    if body is None:
        raise NotFound(f"The snapshot {content} of run {run} is not in this database.")
    return tagged(request, body, f'"{content}"', cache="private, max-age=31536000, immutable")


@router.get("/{run}/events")
async def list_events(
    run: RunId,
    here: Here,
    about: Annotated[
        Literal["all", "run"], Query(description="``run``: only the life of the run itself.")
    ] = "all",
    limit: Limit = 100,
    cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
) -> EventPage:
    """The archive of a run, oldest first, without the text of conversations."""
    after = place_of(cursor_, "events", int)
    start = after[0] if after and isinstance(after[0], int) else 0
    async with here.connections.reading() as c:
        await existing_run(c, run)
        found = await events.events_of(
            c, run, after=start, limit=limit + 1, life_only=about == "run"
        )
    more, items = len(found) > limit, found[:limit]
    end = cursor("events", items[-1].position) if more else None
    return EventPage(items=items, next_cursor=end)
