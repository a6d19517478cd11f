"""The catalog as YAML files: what a file would change, writing it, getting everything back, and schemas of files."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import orjson
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Path, Query, Request, Response

from convo_events.catalog import KINDS
from convo_events.errors import Problem
from convo_events.store import Connection
from convo_gateway.body_kinds import FILE, LINES, media_type
from convo_gateway.catalog import store
from convo_gateway.catalog.documents import SINGULAR, write
from convo_gateway.catalog.file_schemas import ANY, file_schema
from convo_gateway.catalog.reader_process import read_yaml_beside
from convo_gateway.catalog.store_many import plan_many, put_many
from convo_gateway.catalog.uploads import (
    Upload,
    Uploaded,
    dangling,
    lookup_over,
    read_lines,
    read_yaml,
    unstartable,
)
from convo_gateway.etags import tagged
from convo_gateway.exports.stream import Download
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.catalog_objects import Note, storable
from convo_gateway.problems import HttpProblem, ProblemError
from convo_gateway.shapes.catalog_files import (
    FileChange,
    FileCheck,
    ImportedFiles,
    JsonSchema,
    PlacedProblem,
    SchemaEntry,
    SchemaList,
)

router = APIRouter(prefix="/catalog", tags=["catalog"])
Kind = Literal[
    "prompt-sets", "personas", "voices", "pools", "filter-lists", "backends", "run-configs"
]
_YAML = FILE.media_types[0]
_LARGE_BYTES = 200_000
"""A YAML file above this takes seconds to read, and is read in a process of its own."""
_PAGE = 100
_FILE_BODY: Mapping[str, Any] = {
    "requestBody": {
        "required": True,
        "description": (
            "One or many YAML documents, at most 5,000,000 bytes of UTF-8; or one JSON object a line, each with its "
            "kind, at most 20,000,000 bytes."
        ),
        "content": {name: {"schema": {"type": "string"}} for name in (_YAML, LINES[0])},
    }
}
_one_of_lines = CapacityLimiter(1)


@router.post("/check", openapi_extra={**_FILE_BODY})
async def check_files(
    request: Request,
    here: Here,
    names: Annotated[
        bool, Query(description="False where more files follow, which names may lead into.")
    ] = True,
) -> FileCheck:
    """What a file would change, and everything wrong with it, by line. Nothing is written."""
    upload = await _read(request)
    async with here.connections.reading() as c:
        problems = list(upload.problems)
        if names:
            problems += await dangling(c, upload.objects)
        if problems:
            return FileCheck(changes=[], problems=_shown(problems))
        done = await plan_many(c, [one.encoded for one in upload.objects])
        warnings = await _warnings(c, upload.objects) if names else []
    return FileCheck(changes=[_change(put) for put in done], problems=[], warnings=warnings)


@router.post("/import", openapi_extra={**_FILE_BODY})
async def import_files(request: Request, here: Here, note: Note = "") -> ImportedFiles:
    """Write every object of a file in one transaction: all, or none and a 422 with every problem in ``problems``.

    What differs from the catalog becomes a new version, and the rest is left; sending a file again changes nothing.
    """
    storable(note)
    upload = await _read(request)
    async with here.connections.database() as c, c.transaction():
        problems = [*upload.problems, *await dangling(c, upload.objects)]
        if problems:
            raise _kept_out(problems)
        done = await put_many(c, [one.encoded for one in upload.objects], note=note)
        warnings = await _warnings(c, upload.objects)
    return ImportedFiles(changes=[_change(put) for put in done], warnings=warnings)


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {_YAML: {}}, "description": "YAML documents."}},
)
async def export_files(
    here: Here,
    kind: Annotated[Kind | None, Query(description="Only this kind.")] = None,
    name: Annotated[
        str | None, Query(max_length=100, description="Only this object; with ``kind``.")
    ] = None,
) -> Response:
    """The latest versions of what is not archived, as YAML that can be imported again.

    One that is asked for by its name is given archived or not.
    """
    if name is not None:
        if kind is None:
            error = ProblemError(detail="needs kind beside it", pointer="/name", source="query")
            raise HttpProblem(422, "A name needs its kind.", errors=[error])
        async with here.connections.reading() as c:
            stored = await store.latest(c, kind, name)
        return Response(write(stored.item), headers=_file(name), media_type=_YAML)
    here.seats.look()
    kinds = [kind] if kind else sorted(KINDS, key=lambda one: one == "run-configs")
    return Download(_documents(here, kinds), headers=_file(kind or "catalog"), media_type=_YAML)


@router.get("/schemas")
async def list_schemas() -> SchemaList:
    """The JSON Schemas of catalog files."""
    words = {ANY: "", **{kind: SINGULAR[kind] for kind in KINDS}}
    return SchemaList(
        items=[
            SchemaEntry(
                kind=kind,
                word=word,
                description=str(file_schema(kind).get("description", "")),
                path=f"/api/v1/catalog/schemas/{kind}",
            )
            for kind, word in words.items()
        ]
    )


@router.get("/schemas/{kind}", response_model=JsonSchema)
async def get_schema(kind: Annotated[Kind | Literal["any"], Path()], request: Request) -> Response:
    """The JSON Schema of a kind as it is written in YAML files, for editors.

    A file names it in its first line: ``# yaml-language-server: $schema=<address of this schema>``.
    """
    return tagged(request, orjson.dumps(file_schema(kind)), cache="public, max-age=300")


async def _read(request: Request) -> Upload:
    content = await request.body()
    if media_type(request.headers["content-type"]) in LINES:
        return await to_thread.run_sync(read_lines, content, limiter=_one_of_lines)
    if len(content) < _LARGE_BYTES:
        return await to_thread.run_sync(read_yaml, content)
    return await read_yaml_beside(content)


async def _warnings(c: Connection, objects: Sequence[Uploaded]) -> list[PlacedProblem]:
    lookup = await lookup_over(c, objects)
    return _shown(await to_thread.run_sync(unstartable, objects, lookup))


async def _documents(here: Gateway, kinds: Sequence[str]) -> AsyncIterator[bytes]:
    with here.seats.one():
        async with here.connections.reading() as c:
            between = b""
            for kind in kinds:
                after: str | None = None
                while found := await store.page(c, kind, after=after, limit=_PAGE):
                    for stored in found:
                        text = await to_thread.run_sync(write, stored.item)
                        yield between + text.encode()
                        between = b"---\n"
                    after = found[-1].name


def _change(put: store.Put) -> FileChange:
    action: Literal["create", "update", "unchanged"] = "unchanged"
    if put.changed:
        action = "create" if put.version == 1 else "update"
    return FileChange(action=action, kind=put.kind, name=put.name, version=put.version)


def _kept_out(problems: Sequence[Problem]) -> HttpProblem:
    shown = _shown(problems)
    many = "1 problem" if len(shown) == 1 else f"{len(shown)} problems"
    return HttpProblem(
        422,
        f"Nothing was written: {many}. The first: {problems[0]}"[:2_000],
        errors=[ProblemError(detail=str(p), pointer=p.pointer) for p in problems],
        extra={"problems": [problem.model_dump() for problem in shown]},
    )


def _shown(problems: Sequence[Problem]) -> list[PlacedProblem]:
    """The problems by line; their texts may hold halves of surrogate pairs, which no answer can."""
    found = sorted(problems, key=lambda p: (p.line or 0, p.column or 0))
    return [
        PlacedProblem(
            message=p.message.encode(errors="replace").decode(),
            line=p.line,
            column=p.column,
            pointer=p.pointer.encode(errors="replace").decode(),
        )
        for p in found
    ]


def _file(name: str) -> dict[str, str]:
    return {
        "Content-Disposition": f'attachment; filename="{name}.yaml"',
        "Cache-Control": "no-store",
    }
