"""Changing the life of a run."""

from typing import Annotated, Literal

from fastapi import Body, Response
from pydantic import ConfigDict

from convo_events.commands import ControlRun
from convo_events.errors import NotFound
from convo_gateway.commands import ask_scheduler
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.runs import RunId, router
from convo_gateway.pages.start import state_of
from convo_gateway.problems import HttpProblem
from convo_gateway.reads.pipeline import calls_in_flight
from convo_gateway.reads.runs import run_row
from convo_gateway.shapes.counts import Input
from convo_gateway.shapes.runs import RunState

__all__ = ["cancel_run", "kick_run", "pause_run", "resume_run", "start_queued_run"]

_NO_RUN = {404: {"description": "There is no such run"}, 409: {"description": "Its state refuses"}}


class Cancel(Input):
    """Cancelling aborts calls in flight and cannot be undone."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"confirm": True}]})

    confirm: bool = False
    """Has to be true."""


@router.post("/{run}/actions/start", status_code=202, response_model=RunState)
async def start_queued_run(run: RunId, here: Here) -> Response:
    """Start a run now that waits queued for its off-peak window."""
    return await _control(here, run, "start")


@router.post("/{run}/actions/pause", status_code=202, response_model=RunState)
async def pause_run(run: RunId, here: Here) -> Response:
    """Send nothing new. Calls under way finish and are kept; the answer comes when no new call can start any more."""
    return await _control(here, run, "pause")


@router.post("/{run}/actions/resume", status_code=202, response_model=RunState)
async def resume_run(run: RunId, here: Here) -> Response:
    """Go on where each thread stopped; nothing is done twice."""
    return await _control(here, run, "resume")


@router.post("/{run}/actions/kick", status_code=202, response_model=RunState)
async def kick_run(run: RunId, here: Here) -> Response:
    """Send every open step again, for a run that seems stuck; never a second paid call for finished work."""
    return await _control(here, run, "kick")


@router.post("/{run}/actions/cancel", status_code=202, response_model=RunState)
async def cancel_run(
    run: RunId, here: Here, wish: Annotated[Cancel | None, Body()] = None
) -> Response:
    """End a run for good. Calls in flight are aborted, so it has to be confirmed."""
    if wish is None or not wish.confirm:
        raise await _what_cancel_does(here, run)
    return await _control(here, run, "cancel")


async def _what_cancel_does(here: Gateway, run: str) -> HttpProblem:
    async with here.connections.reading() as c:
        row, calls = await run_row(c, run), await calls_in_flight(c, run)
    if row is None:
        raise NotFound(f"There is no run {run}.")
    settled = row["accepted"] + row["rejected"] + row["failed"] + row["cancelled"]
    left = row["target"] - settled
    return HttpProblem(
        409,
        f"Cancelling ends run {run} for good: {calls} calls in flight are aborted and {left} of {row['target']} "
        'conversations are not made. Repeat with {"confirm": true}.',
        code="needs-confirmation",
        extra={"state": row["status"], "calls_in_flight": calls, "conversations_open": left},
    )


async def _control(
    here: Gateway, run: str, action: Literal["start", "pause", "resume", "kick", "cancel"]
) -> Response:
    reply = await ask_scheduler(here.connections, ControlRun(run=run, action=action))
    headers = {"Location": f"/api/v1/runs/{run}", "Cache-Control": "no-store"}
    body = state_of(reply).model_dump_json()
    return Response(body, 202, headers, media_type="application/json")
