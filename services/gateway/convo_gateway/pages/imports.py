"""Files of conversations that were made elsewhere: sent, read, looked at, let go of."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from convo_gateway.body_kinds import CONVERSATIONS
from convo_gateway.cursors import cursor, newest_place
from convo_gateway.gateway import Here
from convo_gateway.imports import sources
from convo_gateway.pages.query import Cursor, Limit
from convo_gateway.shapes.imports import ImportPage, ImportShown, RefusedRows

router = APIRouter(prefix="/imports", tags=["imports"])

ImportId = Annotated[str, Path(max_length=100, examples=["imp-3f9c2d81a07b"])]
_BODY = {
    "requestBody": {
        "required": True,
        "description": "JSON lines or one JSON array with `messages` or `conversations`, or Parquet with either; "
        f"gzip or zstd around the JSON. At most {CONVERSATIONS.most_bytes:,} bytes.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post(
    "",
    status_code=202,
    response_model=ImportShown,
    openapi_extra=_BODY,
    responses={200: {"model": ImportShown, "description": "The same bytes are there already."}},
)
async def send_import(
    request: Request,
    here: Here,
    name: Annotated[str, Query(max_length=200, description="Of the file, for people.")] = "",
) -> Response:
    """Send a file. It is read in the background: ask for it until it is ``ready`` or ``broken``.

    The same bytes again are answered with the file that is there, and with 200 instead of 202. A file that breaks off
    is broken as a whole; rows that are no conversations are refused one by one, and counted.
    """
    source, known = await here.imports.take(name.strip() or "conversations", request.stream())
    async with here.connections.reading() as c:
        shown = await sources.one_import(c, source)
    return Response(
        shown.model_dump_json(),
        status_code=200 if known else 202,
        media_type="application/json",
        headers={"Location": f"/api/v1/imports/{source}"},
    )


@router.get("")
async def list_imports(
    here: Here, limit: Limit = 100, cursor_: Annotated[Cursor, Query(alias="cursor")] = None
) -> ImportPage:
    """Files, newest first."""
    after = newest_place(cursor_, "imports")
    async with here.connections.reading() as c:
        found = await sources.imports(c, limit=limit + 1, after=after)
    more, found = len(found) > limit, found[:limit]
    end = cursor("imports", found[-1].created_at, found[-1].id) if more else None
    return ImportPage(items=found, next_cursor=end)


@router.get("/{source}")
async def get_import(source: ImportId, here: Here) -> ImportShown:
    """One file: how far it is read, how many rows were taken, and how many refused for which reason."""
    async with here.connections.reading() as c:
        return await sources.one_import(c, source)


@router.get("/{source}/refused")
async def list_refused_rows(
    source: ImportId,
    here: Here,
    limit: Limit = 100,
    after: Annotated[
        int, Query(ge=0, lt=2**62, description="``next_row`` of the page before.")
    ] = 0,
) -> RefusedRows:
    """Rows that were refused, in the order of the file, with place and reason."""
    async with here.connections.reading() as c:
        return await sources.refused_rows(c, source, limit=limit, after=after)


@router.delete("/{source}", status_code=204)
async def delete_import(source: ImportId, here: Here) -> None:
    """Let go of a file and its rows. What runs made of them stays."""
    async with here.connections.database() as c:
        await sources.forget(c, source)
