"""A run's verdicts with other settings: tried without a call, and kept beside its record where wanted."""

import asyncio
import uuid
from typing import Annotated

from fastapi import Path, Query, Request, Response
from pydantic import ValidationError

from convo_events import ids
from convo_events.catalog import FilterList, RunConfig
from convo_events.errors import Invalid, NotFound, Problem, Refused
from convo_events.replays import ReplayStatus
from convo_events.snapshot import Snapshot
from convo_events.store import Connection
from convo_gateway.catalog import store
from convo_gateway.cursors import cursor, place_of
from convo_gateway.etags import tagged_model
from convo_gateway.gateway import Here
from convo_gateway.idempotency import Done, once, request_hash
from convo_gateway.pages.query import Cursor, Limit
from convo_gateway.pages.runs import RunId, router
from convo_gateway.pages.start import Key
from convo_gateway.reads import replays as reads
from convo_gateway.reads.catalog_sources import rule_schemas
from convo_gateway.reads.runs import existing_run
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.replay_settings import Considered, Today, consider, lists_needed
from convo_gateway.replays import changes_json, drop_set, forget, keep, wish
from convo_gateway.shapes.replays import (
    FlipPage,
    KeepReplay,
    Replay,
    ReplayChanges,
    Replays,
    VerdictSet,
    VerdictSets,
)

__all__ = ["start_replay"]

ReplayId = Annotated[str, Path(max_length=100, examples=["replay-3f2a9c0d1e4b"])]
SetName = Annotated[str, Path(max_length=100, examples=["threshold-3.5"])]
Status = Annotated[ReplayStatus | None, Query()]
Reason = Annotated[str | None, Query(max_length=100)]
_STANDS = ("paused", "completed", "cancelled", "failed")
"""Statuses of a run whose record does not grow."""


@router.post("/{run}/replays", status_code=202, response_model=Replay)
async def start_replay(run: RunId, changes: ReplayChanges, here: Here, key: Key = None) -> Response:
    """Try other settings on a run that is finished, cancelled or paused. No model is called and nothing is changed.

    The answer comes at once; ask for the replay until its state is ``done``. The last ten replays of a run are kept.
    """
    replay = "replay-" + ids.digest("replay", run, key or uuid.uuid4().hex, length=12)

    async def work() -> Done:
        async with here.connections.reading() as c:
            found = await _considered(c, run, changes)
        if found.problems:
            raise Invalid(list(found.problems))
        async with here.connections.database() as c:
            await wish(c, replay, run, changes, found.settings, found.notes)
            made = reads.replay_of(await reads.existing_replay(c, run, replay))
        location = f"/api/v1/runs/{run}/replays/{replay}"
        return Done(202, made.model_dump_json().encode(), location)

    operation = f"start_replay {run} {changes_json(changes)}"
    return await once(here.connections, key, request_hash(operation, changes), work)


@router.get("/{run}/replays", response_model=Replays)
async def list_replays(run: RunId, here: Here, request: Request) -> Response:
    """The last replays of a run, newest first."""
    async with here.connections.reading() as c:
        await existing_run(c, run)
        found = Replays(items=await reads.replays_of(c, run))
    return tagged_model(request, found)


@router.get("/{run}/replays/{replay}", response_model=Replay)
async def get_replay(run: RunId, replay: ReplayId, here: Here, request: Request) -> Response:
    """How far a replay is, and what it came to."""
    async with here.connections.reading() as c:
        found = reads.replay_of(await reads.existing_replay(c, run, replay))
    return tagged_model(request, found)


@router.delete("/{run}/replays/{replay}", status_code=204)
async def delete_replay(run: RunId, replay: ReplayId, here: Here) -> None:
    """Cancel a replay that is under way, or forget one that is done. A verdict set that was kept of it stays."""
    async with here.connections.database() as c:
        await forget(c, run, replay)


@router.get("/{run}/replays/{replay}/flips")
async def list_flips(
    run: RunId,
    replay: ReplayId,
    here: Here,
    was: Status = None,
    status: Status = None,
    was_reason: Reason = None,
    reason: Reason = None,
    limit: Limit = 100,
    cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
) -> FlipPage:
    """The conversations that flip, in the order in which the run settled them, without their text."""
    wanted = reads.FlipFilter(was, status, was_reason, reason)
    after = place_of(cursor_, "flips", int, str)
    async with here.connections.reading() as c:
        row = await reads.existing_replay(c, run, replay)
        if row["state"] != "done":
            raise Refused("What flips is known when the replay is done.", state=row["state"])
        found = await reads.flips_of(c, replay, wanted, limit=limit + 1, after=after)
    more, found = len(found) > limit, found[:limit]
    end = cursor("flips", *found[-1][1]) if more else None
    return FlipPage(items=[flip for flip, _ in found], next_cursor=end)


@router.post("/{run}/replays/{replay}/keep", status_code=201, response_model=VerdictSet)
async def keep_replay(
    run: RunId, replay: ReplayId, wanted: KeepReplay, here: Here, key: Key = None
) -> Response:
    """Keep what a replay came to as a verdict set of the run. The run's own record stays as it is."""

    async def work() -> Done:
        async with here.connections.database() as c:
            kept = await keep(c, run, replay, wanted.name)
        location = f"/api/v1/runs/{run}/verdict-sets/{kept.name}"
        return Done(201, kept.model_dump_json().encode(), location)

    operation = request_hash(f"keep_replay {run} {replay}", wanted)
    return await once(here.connections, key, operation, work)


@router.get("/{run}/verdict-sets", response_model=VerdictSets)
async def list_verdict_sets(run: RunId, here: Here, request: Request) -> Response:
    """The verdict sets that were kept beside the run's own record, by name."""
    async with here.connections.reading() as c:
        await existing_run(c, run)
        found = VerdictSets(items=await reads.verdict_sets_of(c, run))
    return tagged_model(request, found)


@router.get("/{run}/verdict-sets/{name}", response_model=VerdictSet)
async def get_verdict_set(run: RunId, name: SetName, here: Here, request: Request) -> Response:
    """One verdict set."""
    async with here.connections.reading() as c:
        found = await reads.verdict_set_named(c, run, name)
    return tagged_model(request, found)


@router.delete("/{run}/verdict-sets/{name}", status_code=204)
async def delete_verdict_set(run: RunId, name: SetName, here: Here) -> None:
    """Delete a verdict set. The run's own record, and exports that were made with the set, stay as they are."""
    async with here.connections.database() as c:
        await drop_set(c, run, name)


@router.get("/{run}/verdict-sets/{name}/flips")
async def list_verdict_set_flips(
    run: RunId,
    name: SetName,
    here: Here,
    was: Status = None,
    status: Status = None,
    was_reason: Reason = None,
    reason: Reason = None,
    limit: Limit = 100,
    cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
) -> FlipPage:
    """The conversations whose verdict differs from the run's record, by id, without their text."""
    wanted = reads.FlipFilter(was, status, was_reason, reason)
    after = place_of(cursor_, "set-flips", str)
    async with here.connections.reading() as c:
        kept = await reads.verdict_set_named(c, run, name)
        found = await reads.flips_of_set(c, kept.id, wanted, limit=limit + 1, after=after)
    more, found = len(found) > limit, found[:limit]
    end = cursor("set-flips", *found[-1][1]) if more else None
    return FlipPage(items=[flip for flip, _ in found], next_cursor=end)


async def _considered(c: Connection, run: str, changes: ReplayChanges) -> Considered:
    """The changes against what the run froze and what the catalog has now.

    Raises:
        NotFound: there is no such run, or what it froze is gone.
        Refused: the run is still making verdicts.
    """
    row = await existing_run(c, run)
    if row["status"] not in _STANDS:
        message = f"Run {run} is {row['status']}: pause it first, so that its record stands still."
        raise Refused(message, state=row["status"])
    body = await snapshot_body(c, row["snapshot"])
    if body is None:
        raise NotFound(f"What run {run} froze is not in this database.")
    config = await _config(c, changes.config) if changes.config else None
    names = lists_needed(changes, config)
    lists = [await _filter_list(c, name) for name in sorted(names)]
    known = {one.name: one for one in lists if one is not None}
    today = Today(config, known, await rule_schemas(c))
    try:
        snapshot = await asyncio.to_thread(Snapshot.model_validate_json, body)
    except ValidationError:
        raise NotFound(f"What run {run} froze cannot be read by this version of convo.") from None
    return await asyncio.to_thread(consider, changes, snapshot, today)


async def _config(c: Connection, name: str) -> RunConfig:
    try:
        item = (await store.latest(c, "run-configs", name)).item
    except NotFound as error:
        raise Invalid([Problem(str(error), "/config")]) from None
    assert isinstance(item, RunConfig)
    return item


async def _filter_list(c: Connection, name: str) -> FilterList | None:
    try:
        item = (await store.latest(c, "filter-lists", name)).item
    except NotFound:
        return None
    assert isinstance(item, FilterList)
    return item
