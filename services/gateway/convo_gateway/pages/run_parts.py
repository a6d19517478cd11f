"""Parts of a run's page that are asked for by themselves: throughput, diversity, distributions, what was frozen."""

from typing import Annotated

import orjson
from fastapi import Query, Request, Response

from convo_events.errors import NotFound
from convo_gateway.etags import tagged_model
from convo_gateway.gateway import Here
from convo_gateway.pages.runs import RunId, router
from convo_gateway.reads.frozen import frozen_objects
from convo_gateway.reads.minutes import minutes_of
from convo_gateway.reads.runs import existing_run
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.distributions import Distributions, Over
from convo_gateway.shapes.run_parts import DiversityHistory, Frozen, Minutes

__all__ = ["get_distributions", "get_diversity", "get_frozen", "list_minutes"]


@router.get("/{run}/minutes", response_model=Minutes)
async def list_minutes(
    run: RunId,
    here: Here,
    request: Request,
    limit: Annotated[int, Query(ge=1, le=10_000, description="Most minutes.")] = 1_440,
) -> Response:
    """Verdicts by minute: the newest minutes that had one, oldest first."""
    async with here.connections.reading() as c:
        await existing_run(c, run)
        return tagged_model(request, await minutes_of(c, run, limit=limit))


@router.get("/{run}/diversity", response_model=DiversityHistory)
async def get_diversity(run: RunId, here: Here, request: Request) -> Response:
    """Distinct-3 as it went, over the last accepted conversations; up to half a minute old while the run goes."""
    async with here.connections.reading() as c:
        row = await existing_run(c, run)
        found = await here.diversity_history.of(c, row)
    return tagged_model(request, found)


@router.get("/{run}/distributions", response_model=Distributions)
async def get_distributions(
    run: RunId,
    here: Here,
    request: Request,
    over: Annotated[
        Over, Query(description="The last 100 accepted conversations, or all of them.")
    ] = "last",
) -> Response:
    """What accepted conversations have in common: distinct-1, 2 and 3, words a turn, openings, likeness.

    Exact over the last 100, and over all while those are no more. Beyond, different n-grams are estimated with their
    error, openings have a least and a most, similarity is that of a sample; all of it some seconds behind the run.
    """
    async with here.connections.reading() as c:
        row = await existing_run(c, run)
        found = await here.distributions.of(c, row, over)
    return tagged_model(request, found)


@router.get("/{run}/frozen", response_model=Frozen)
async def get_frozen(run: RunId, here: Here, request: Request) -> Response:
    """The catalog objects that the run froze, and which of them have changed since."""
    async with here.connections.reading() as c:
        row = await existing_run(c, run)
        body = await snapshot_body(c, row["snapshot"])
        if body is None:
            raise NotFound(f"The snapshot {row['snapshot']} of run {run} is not in this database.")
        versions = orjson.loads(body).get("versions", {})
        found = Frozen(snapshot=row["snapshot"], objects=await frozen_objects(c, versions))
    return tagged_model(request, found)
