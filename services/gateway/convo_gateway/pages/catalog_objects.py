"""The catalog: the same routes for each kind of object."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from convo_events.catalog import KINDS, CatalogObject
from convo_events.errors import Invalid, Problem
from convo_gateway.catalog import store
from convo_gateway.catalog.documents import SINGULAR, Named
from convo_gateway.cursors import cursor, place_of
from convo_gateway.etags import tagged, version_tag, version_to_edit
from convo_gateway.gateway import Gateway, Here
from convo_gateway.headlines import headline
from convo_gateway.pages.query import Cursor, Limit
from convo_gateway.problems import HttpProblem, ProblemError
from convo_gateway.shapes.catalog import CatalogEntry, CatalogItem, CatalogPage

ObjectName = Annotated[str, Path(max_length=100)]
Note = Annotated[str, Query(max_length=500, description="Why it is changed, for people.")]
Version = Annotated[int | None, Query(ge=1, lt=2**31, description="None for the latest.")]


def router_for(kind: str, shape: type[CatalogObject]) -> APIRouter:
    """The routes of one kind; operation ids are made of its name, such as ``create_persona``."""
    router = APIRouter(prefix=f"/{kind}", tags=[kind])
    _add_reads(router, kind, shape)
    _add_writes(router, kind, shape)
    return router


def _add_reads(router: APIRouter, kind: str, shape: type[CatalogObject]) -> None:
    one, many = SINGULAR[kind].replace("-", "_"), kind.replace("-", "_")
    whole = CatalogItem[shape]  # type: ignore[valid-type]  # the shape is only known at run time

    @router.get("", name=f"list_{many}")
    async def list_objects(
        here: Here,
        q: Annotated[str, Query(max_length=200, description="Part of name or summary.")] = "",
        archived: Annotated[bool, Query(description="The archived ones instead.")] = False,
        bodies: Annotated[bool, Query(description="Give the objects whole.")] = False,
        limit: Limit = 100,
        cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
    ) -> CatalogPage:
        """Latest versions, by name."""
        after = place_of(cursor_, kind, str)
        async with here.connections.reading() as c:
            start = str(after[0]) if after else None
            found = await store.page(
                c, kind, after=start, limit=min(limit + 1, 1_000), q=q, archived=archived
            )
        more, found = len(found) > limit or len(found) == store.MOST_OF_A_PAGE, found[:limit]
        end = cursor(kind, found[-1].name) if more else None
        items = [entry_of(stored, body=bodies) for stored in found]
        return CatalogPage(items=items, next_cursor=end)

    @router.get("/{name}", name=f"get_{one}", response_model=whole)
    async def get_object(
        name: ObjectName, here: Here, request: Request, version: Version = None
    ) -> Response:
        """One version of an object, the latest unless named."""
        async with here.connections.reading() as c:
            if version is None:
                stored = await store.latest(c, kind, name)
            else:
                stored = await store.version(c, kind, name, version)
        return tagged(
            request, _whole(stored), version_tag(stored.version, archived=stored.archived)
        )

    @router.get("/{name}/versions/{version}", name=f"get_{one}_version", response_model=whole)
    async def get_version(
        name: ObjectName,
        version: Annotated[int, Path(ge=1, lt=2**31)],
        here: Here,
        request: Request,
    ) -> Response:
        """One version of an object; it never changes."""
        async with here.connections.reading() as c:
            stored = await store.version(c, kind, name, version)
        return tagged(
            request, _whole(stored), version_tag(stored.version, archived=stored.archived)
        )

    @router.get("/{name}/versions", name=f"list_{one}_versions")
    async def list_versions(
        name: ObjectName,
        here: Here,
        limit: Limit = 100,
        cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
    ) -> CatalogPage:
        """Every version of an object, newest first."""
        after = place_of(cursor_, f"{kind}/versions", int)
        before = after[0] if after and isinstance(after[0], int) else None
        async with here.connections.reading() as c:
            await store.latest(c, kind, name)
            found = await store.versions(c, kind, name, before=before, limit=limit)
        more = len(found) == limit and found[-1].version > 1
        end = cursor(f"{kind}/versions", found[-1].version) if more else None
        return CatalogPage(items=[entry_of(stored) for stored in found], next_cursor=end)


def _add_writes(router: APIRouter, kind: str, shape: type[CatalogObject]) -> None:
    one = SINGULAR[kind].replace("-", "_")
    whole = CatalogItem[shape]  # type: ignore[valid-type]  # the shape is only known at run time

    @router.post("", name=f"create_{one}", status_code=201, response_model=whole)
    async def create_object(
        item: shape,  # type: ignore[valid-type]  # the shape is only known at run time
        here: Here,
        note: Note = "",
    ) -> Response:
        """Write a new object; a name that is taken is refused."""
        return await _write(here, kind, item, note=note, expected=0)

    @router.put("/{name}", name=f"update_{one}", response_model=whole)
    async def update_object(
        name: ObjectName,
        item: shape,  # type: ignore[valid-type]  # the shape is only known at run time
        here: Here,
        request: Request,
        note: Note = "",
    ) -> Response:
        """Write a new version. ``If-Match`` carries the ETag of the version that was edited."""
        expected = version_to_edit(request)
        written = getattr(item, "name", "")
        if written != name:
            error = ProblemError(detail=f"expected {name}, as in the path", pointer="/name")
            raise HttpProblem(422, "An object cannot be renamed; write a new one.", errors=[error])
        try:
            return await _write(here, kind, item, note=note, expected=expected)
        except store.VersionConflict as error:
            raise changed_meanwhile(error) from None


def storable(note: str) -> None:
    """Refuse a note that cannot be kept.

    Raises:
        Invalid: it holds the character NUL.
    """
    if "\0" in note:
        raise Invalid([Problem("the note holds the character NUL, which cannot be stored")])


async def _write(
    here: Gateway, kind: str, item: CatalogObject, *, note: str, expected: int
) -> Response:
    assert isinstance(item, Named)
    async with here.connections.database() as c:
        done = await store.put(c, item, note=note, expected=expected)
        stored = await store.version(c, kind, done.name, done.version)
    status = 201 if expected == 0 else 200
    headers = written_headers(stored)
    return Response(_whole(stored), status, headers, media_type="application/json")


def written_headers(stored: store.Stored) -> dict[str, str]:
    """Headers of the answer to a write."""
    return {
        "ETag": version_tag(stored.version, archived=stored.archived),
        "Location": f"/api/v1/{stored.kind}/{stored.name}",
        "Cache-Control": "no-store",
    }


def changed_meanwhile(error: store.VersionConflict) -> HttpProblem:
    """The answer to an edit of a version that is not the latest any more."""
    versions = {"latest_version": error.latest, "expected_version": error.expected}
    return HttpProblem(412, str(error), extra=versions)


def entry_of(stored: store.Stored, *, body: bool = False) -> CatalogEntry:
    """A version in short, with its body where that is asked for."""
    return CatalogEntry(
        kind=stored.kind,
        name=stored.name,
        version=stored.version,
        note=stored.note,
        created_at=stored.created_at,
        archived=stored.archived,
        headline=headline(stored.item),
        body=stored.item.model_dump(mode="json") if body else None,
    )


def _whole(stored: store.Stored) -> bytes:
    return entry_of(stored, body=True).model_dump_json().encode()


routers = [router_for(kind, shape) for kind, shape in KINDS.items()]
