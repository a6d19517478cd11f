"""What happened to a catalog object and who names it: compare, restore, uses, archive. The same for each kind."""

import asyncio
from typing import Annotated

import orjson
from fastapi import APIRouter, Query, Request, Response

from convo_events.catalog import KINDS, CatalogObject
from convo_gateway.catalog import store
from convo_gateway.catalog.compare import differences
from convo_gateway.catalog.documents import SINGULAR, write
from convo_gateway.etags import version_to_edit
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.catalog_objects import (
    ObjectName,
    Version,
    changed_meanwhile,
    entry_of,
    written_headers,
)
from convo_gateway.reads.catalog_uses import uses_of
from convo_gateway.shapes.catalog_history import (
    ArchiveState,
    Comparison,
    FieldChange,
    Restore,
    RestoredItem,
    Uses,
)


def router_for(kind: str, shape: type[CatalogObject]) -> APIRouter:
    """The routes of one kind; operation ids are made of its name, such as ``compare_persona``."""
    router = APIRouter(prefix=f"/{kind}", tags=[kind])
    _add_reads(router, kind)
    _add_restore(router, kind, shape)
    _add_archive(router, kind)
    return router


def _add_reads(router: APIRouter, kind: str) -> None:
    one = SINGULAR[kind].replace("-", "_")

    @router.get("/{name}/compare", name=f"compare_{one}")
    async def compare(
        name: ObjectName,
        here: Here,
        from_: Annotated[int, Query(alias="from", ge=1, lt=2**31, description="A version.")],
        to: Version = None,
    ) -> Comparison:
        """How two versions of an object differ."""
        async with here.connections.reading() as c:
            before = await store.version(c, kind, name, from_)
            if to is None:
                after = await store.latest(c, kind, name)
            else:
                after = await store.version(c, kind, name, to)
        return await asyncio.to_thread(_comparison, before, after)

    @router.get("/{name}/uses", name=f"list_{one}_uses")
    async def uses(name: ObjectName, here: Here) -> Uses:
        """Who names an object: run configs in their latest version, and how many runs froze it."""
        async with here.connections.reading() as c:
            await store.latest(c, kind, name)
            return await uses_of(c, kind, name)


def _add_restore(router: APIRouter, kind: str, shape: type[CatalogObject]) -> None:
    one = SINGULAR[kind].replace("-", "_")
    whole = RestoredItem[shape]  # type: ignore[valid-type]  # the shape is only known at run time

    @router.post("/{name}/restore", name=f"restore_{one}", response_model=whole)
    async def restore(name: ObjectName, wanted: Restore, here: Here, request: Request) -> Response:
        """Write an older version again, as the newest one. ``If-Match`` carries the ETag of the latest version.

        Where the latest version has that content already, no new one is made, and ``changed`` is false.
        """
        expected = version_to_edit(request)
        note = wanted.note or f"version {wanted.version} restored"
        async with here.connections.database() as c:
            old = await store.version(c, kind, name, wanted.version)
            try:
                done = await store.put(c, old.item, note=note, expected=expected)
            except store.VersionConflict as error:
                raise changed_meanwhile(error) from None
            stored = await store.version(c, kind, name, done.version)
        answer = entry_of(stored, body=True).model_dump(mode="json") | {"changed": done.changed}
        return Response(
            orjson.dumps(answer), headers=written_headers(stored), media_type="application/json"
        )


def _add_archive(router: APIRouter, kind: str) -> None:
    one = SINGULAR[kind].replace("-", "_")

    @router.post("/{name}/archive", name=f"archive_{one}")
    async def archive(name: ObjectName, here: Here, request: Request) -> ArchiveState:
        """Hide an object from lists and choices. Nothing that names it breaks; versions are never deleted.

        With ``If-Match`` only where that version is still the latest.
        """
        return await _set_archived(here, kind, name, request, archived=True)

    @router.post("/{name}/unarchive", name=f"unarchive_{one}")
    async def unarchive(name: ObjectName, here: Here, request: Request) -> ArchiveState:
        """Show an archived object again. With ``If-Match`` only where that version is still the latest."""
        return await _set_archived(here, kind, name, request, archived=False)


async def _set_archived(
    here: Gateway, kind: str, name: str, request: Request, *, archived: bool
) -> ArchiveState:
    expected = version_to_edit(request) if "if-match" in request.headers else None
    async with here.connections.database() as c:
        try:
            changed = await store.archive(c, kind, name, archived=archived, expected=expected)
        except store.VersionConflict as error:
            raise changed_meanwhile(error) from None
        stored = await store.latest(c, kind, name)
        uses = await uses_of(c, kind, name)
    return ArchiveState(
        kind=kind,
        name=name,
        version=stored.version,
        archived=stored.archived,
        changed=changed,
        uses=uses,
    )


def _comparison(before: store.Stored, after: store.Stored) -> Comparison:
    found = differences(before.item.model_dump(mode="json"), after.item.model_dump(mode="json"))
    return Comparison(
        kind=before.kind,
        name=before.name,
        from_version=before.version,
        to_version=after.version,
        changes=[
            FieldChange(pointer=d.pointer, op=d.op, before=d.before, after=d.after) for d in found
        ],
        before_yaml=write(before.item),
        after_yaml=write(after.item),
    )


routers = [router_for(kind, shape) for kind, shape in KINDS.items()]
