"""A run as JSONL, and the manifest that says what the lines are worth."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Annotated, Literal

from fastapi import Query, Response
from pydantic import ConfigDict

from convo_events.errors import NotFound
from convo_gateway.exports.manifest import Manifest, file_name, manifest_of
from convo_gateway.exports.rows import jsonl
from convo_gateway.exports.stream import Download
from convo_gateway.gateway import Gateway, Here
from convo_gateway.idempotency import Done, once, request_hash
from convo_gateway.pages.runs import RunId, router
from convo_gateway.pages.start import Key
from convo_gateway.reads.runs import run_row
from convo_gateway.shapes.counts import Input, Shape

__all__ = ["download_export", "get_manifest", "prepare_export"]

Status = Literal["accepted", "rejected", "failed", "cancelled", "open"]
_ALL: tuple[Status, ...] = ("accepted", "rejected", "failed", "cancelled", "open")
Choice = Literal["accepted", "rejected", "failed", "cancelled", "open", "all"]
Statuses = Annotated[
    list[Choice] | None,
    Query(description="Which conversations; may be repeated. None: the accepted ones."),
]
Format = Annotated[Literal["jsonl"], Query()]


class Export(Input):
    """An export to prepare."""

    model_config = ConfigDict(
        strict=False, json_schema_extra={"examples": [{"status": ["accepted"]}]}
    )

    status: tuple[Choice, ...] = ("accepted",)
    """Which conversations."""


class PreparedExport(Shape):
    """Where an export is found."""

    download_url: str
    manifest_url: str
    file: str
    statuses: list[Status]


def _statuses(asked: Sequence[str]) -> list[str]:
    """Without repeats, in the order of their names here, so that the same choice is the same file."""
    return [status for status in _ALL if status in asked or "all" in asked] or ["accepted"]


@router.post("/{run}/export", status_code=201, response_model=PreparedExport)
async def prepare_export(
    run: RunId, here: Here, wish: Export | None = None, key: Key = None
) -> Response:
    """Where the lines and the manifest are downloaded. An export is made as it is read."""
    statuses = _statuses((wish or Export()).status)

    async def work() -> Done:
        await _existing(here, run)
        query = "&".join(["format=jsonl", *(f"status={status}" for status in statuses)])
        location = f"/api/v1/runs/{run}/export?{query}"
        prepared = PreparedExport.model_validate(
            {
                "download_url": location,
                "manifest_url": f"/api/v1/runs/{run}/export/manifest?{query}",
                "file": file_name(run, statuses),
                "statuses": statuses,
            }
        )
        return Done(201, prepared.model_dump_json().encode(), location)

    operation = request_hash(f"prepare_export {run}", wish or Export())
    return await once(here.connections, key, operation, work)


@router.get(
    "/{run}/export",
    response_class=Response,
    responses={200: {"content": {"application/jsonl": {}}, "description": "One line each."}},
)
async def download_export(
    run: RunId,
    here: Here,
    status: Statuses = None,
    format: Format = "jsonl",
) -> Response:
    """Conversations in the chat format of OpenAI, one a line, ordered by thread and number."""
    statuses = _statuses(status or ())
    here.seats.look()
    await _existing(here, run)
    headers = {
        "Content-Disposition": f'attachment; filename="{file_name(run, statuses)}"',
        "Cache-Control": "no-store",
    }
    return Download(_lines(here, run, statuses), headers=headers, media_type="application/jsonl")


@router.get("/{run}/export/manifest")
async def get_manifest(
    run: RunId,
    here: Here,
    status: Statuses = None,
    format: Format = "jsonl",
) -> Manifest:
    """Counts, coverage, cost and checksum of the same lines."""
    with here.seats.one():
        async with here.connections.reading() as c:
            return await manifest_of(c, run, _statuses(status or ()))


async def _lines(here: Gateway, run: str, statuses: list[str]) -> AsyncIterator[bytes]:
    with here.seats.one():
        async with here.connections.reading() as c:
            row = await run_row(c, run)
            assert row is not None
            async with aclosing(jsonl(c, row, statuses)) as parts:
                async for part in parts:
                    yield part


async def _existing(here: Gateway, run: str) -> None:
    async with here.connections.database() as c:
        if await run_row(c, run) is None:
            raise NotFound(f"There is no run {run}.")
