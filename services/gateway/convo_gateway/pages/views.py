"""Saved views of the corpus."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from convo_events.clock import now
from convo_gateway.etags import tagged_model, version_tag, version_to_edit
from convo_gateway.gateway import Here
from convo_gateway.shapes.views import SavedView, SavedViews, ViewWanted
from convo_gateway.views import all_views, change_view, keep_view, one_view, remove_view

router = APIRouter(prefix="/views", tags=["conversations"])

ViewId = Annotated[str, Path(max_length=100, examples=["view-3f2a9c0d1e4b"])]


@router.get("", response_model=SavedViews)
async def list_views(here: Here, request: Request) -> Response:
    """Every saved view, by name."""
    async with here.connections.reading() as c:
        return tagged_model(request, SavedViews(items=await all_views(c)))


@router.post("", status_code=201)
async def create_view(wanted: ViewWanted, here: Here, response: Response) -> SavedView:
    """Save a filter, its order and its columns under a name that no other view has."""
    async with here.connections.database() as c:
        kept = await keep_view(c, f"view-{uuid.uuid4().hex[:12]}", wanted, now())
    response.headers["Location"] = f"/api/v1/views/{kept.id}"
    response.headers["ETag"] = version_tag(kept.version)
    return kept


@router.get("/{view}", response_model=SavedView)
async def get_view(view: ViewId, here: Here, request: Request) -> Response:
    """One saved view; its ``ETag`` names its version."""
    async with here.connections.reading() as c:
        found = await one_view(c, view)
    return tagged_model(request, found, version_tag(found.version))


@router.put("/{view}")
async def replace_view(
    view: ViewId, wanted: ViewWanted, here: Here, request: Request, response: Response
) -> SavedView:
    """Change a saved view or its name; ``If-Match`` names the version that was seen."""
    version = version_to_edit(request)
    async with here.connections.database() as c:
        kept = await change_view(c, view, version, wanted, now())
    response.headers["ETag"] = version_tag(kept.version)
    return kept


@router.delete("/{view}", status_code=204)
async def delete_view(view: ViewId, here: Here) -> None:
    """Forget a saved view. Conversations stay as they are."""
    async with here.connections.database() as c:
        await remove_view(c, view)
