"""Exports that are made in the background: asked for, watched, downloaded, cancelled, deleted."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import FileResponse

from convo_events import ids
from convo_events.errors import NotFound, Refused
from convo_events.store import Connection
from convo_gateway.cursors import cursor, newest_place
from convo_gateway.etags import tagged_model
from convo_gateway.exports import operations
from convo_gateway.exports.archive import archive_size, tar_of
from convo_gateway.exports.known_formats import known_formats
from convo_gateway.exports.orders import settle
from convo_gateway.exports.stream import Download
from convo_gateway.gateway import Gateway, Here
from convo_gateway.idempotency import Done, once, request_hash
from convo_gateway.pages.query import Cursor, Limit
from convo_gateway.pages.start import Key
from convo_gateway.shapes.export_manifest import MANIFEST
from convo_gateway.shapes.export_wishes import ExportWish
from convo_gateway.shapes.exports import ExportPage, ExportShown, Formats, FormatShown

router = APIRouter(prefix="/exports", tags=["exports"])

ExportId = Annotated[str, Path(max_length=100, examples=["export-k3v9d0q2m1xa"])]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {}}, "description": "The file."}
}


@router.get("/formats")
async def list_formats(here: Here) -> Formats:
    """The forms that exports can have."""
    return Formats(
        items=[
            FormatShown(
                name=form.name,
                title=form.title,
                suffix=form.suffix,
                typed=form.suffix == "parquet",
            )
            for form in known_formats().values()
        ]
    )


@router.post("", status_code=201, response_model=ExportShown)
async def start_export(wish: ExportWish, here: Here, key: Key = None) -> Response:
    """Begin an export. It goes on whatever becomes of this gateway; ask for it again to see how far it is."""
    export = "export-" + ids.digest("export", key or uuid.uuid4().hex, length=12)

    async def work() -> Done:
        async with here.connections.reading() as c:
            settled = await settle(c, wish)
        async with here.connections.database() as c:
            await operations.add(c, export, settled.name, settled.model_dump_json())
            shown = await _existing(c, export)
        here.exports.wake()
        return Done(201, shown.model_dump_json().encode(), f"/api/v1/exports/{export}")

    return await once(here.connections, key, request_hash("start_export", wish), work)


@router.get("")
async def list_exports(
    here: Here,
    run: Annotated[str | None, Query(max_length=100, description="Only of this run.")] = None,
    limit: Limit = 50,
    cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
) -> ExportPage:
    """Exports, newest first."""
    after = newest_place(cursor_, "exports")
    async with here.connections.database() as c:
        found = await operations.newest(c, run=run, limit=limit + 1, after=after)
    more, items = len(found) > limit, found[:limit]
    end = cursor("exports", items[-1].created_at, items[-1].id) if more else None
    return ExportPage(items=items, next_cursor=end)


@router.get("/{export}", response_model=ExportShown)
async def get_export(export: ExportId, here: Here, request: Request) -> Response:
    """What an export is to hold, how far it is, and what it holds."""
    async with here.connections.database() as c:
        return tagged_model(request, await _existing(c, export))


@router.post("/{export}/actions/cancel", status_code=202)
async def cancel_export(export: ExportId, here: Here) -> ExportShown:
    """End an export that is not done. What was written of it is deleted."""
    async with here.connections.database() as c:
        status = await operations.cancel(c, export)
        shown = await _existing(c, export)
    if status != "cancelled":
        raise Refused(f"Export {export} is {status}: there is nothing to cancel.", state=status)
    return shown


@router.delete("/{export}", status_code=204)
async def delete_export(export: ExportId, here: Here) -> None:
    """Delete an export and its files; one that is under way is cancelled first."""
    async with here.connections.database() as c:
        if not await operations.remove(c, export):
            raise NotFound(f"There is no export {export}.")
    await asyncio.to_thread(here.exports.places.remove, export)


@router.get("/{export}/files/{file:path}", response_class=Response, responses=_FILE)
async def download_export_file(
    export: ExportId, file: Annotated[str, Path(max_length=1_000)], here: Here
) -> Response:
    """One file of an export that is done; ranges of it too."""
    shown, folder = await _made(here, export)
    assert shown.made is not None
    digests = {one.path: one.sha256 for one in shown.made.files}
    digests[MANIFEST] = shown.made.manifest_sha256
    if file not in digests:
        raise NotFound(f"Export {export} has no file {file}.")
    headers = {"ETag": f'"{digests[file]}"', "Cache-Control": "private, no-cache"}
    return FileResponse(
        folder / file,
        media_type="application/octet-stream",
        filename=FilePath(file).name,
        headers=headers,
    )


@router.get("/{export}/archive", response_class=Response, responses=_FILE)
async def download_export_archive(export: ExportId, here: Here) -> Response:
    """All files as one tar, in a folder named after the export; the same export always gives the same bytes."""
    shown, folder = await _made(here, export)
    assert shown.made is not None
    files = sorted([MANIFEST, *(file.path for file in shown.made.files)])
    size = await asyncio.to_thread(archive_size, folder, export, files)
    headers = {
        "Content-Disposition": f'attachment; filename="{export}.tar"',
        "Content-Length": str(size),
        "Cache-Control": "no-store",
    }
    return Download(_parts(folder, export, files), headers=headers, media_type="application/x-tar")


async def _parts(folder: FilePath, export: str, files: list[str]) -> AsyncIterator[bytes]:
    parts = tar_of(folder, export, files)
    while (part := await asyncio.to_thread(next, parts, b"")) != b"":
        yield part


async def _made(here: Gateway, export: str) -> tuple[ExportShown, FilePath]:
    """An export that is done, and where its files are.

    Raises:
        NotFound: there is no such export, or its files are not here.
        Refused: it is not done.
    """
    async with here.connections.database() as c:
        shown = await _existing(c, export)
    if shown.status == "expired":
        kept = f"{here.settings.exports_kept_days:g} days"
        raise NotFound(f"The files of export {export} were kept for {kept}; export it again.")
    if shown.made is None:
        raise Refused(f"Export {export} is {shown.status}.", state=shown.status)
    folder = here.exports.places.of(export)
    if not await asyncio.to_thread(folder.is_dir):
        raise NotFound(
            f"The files of export {export} are not in the folder of this gateway (CONVO_EXPORTS_FOLDER): "
            "gateways on several machines need one that they share."
        )
    return shown, folder


async def _existing(c: Connection, export: str) -> ExportShown:
    shown = await operations.one(c, export)
    if shown is None:
        raise NotFound(f"There is no export {export}.")
    return shown
