"""Tables with many rows into the catalog: personas, voices and pool values from CSV or JSON lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Query, Request
from pydantic import ValidationError

from convo_events.catalog import Pool
from convo_events.store import Connection
from convo_gateway.body_kinds import LINES, TABLE, media_type
from convo_gateway.catalog import store
from convo_gateway.catalog.bulk import COLUMNS, Format, Table, TableKind, pool_of, read_table
from convo_gateway.catalog.explain import said_of
from convo_gateway.catalog.store_many import Encoded, encoded, plan_many, put_many
from convo_gateway.catalog.table_rows import RowProblem
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.catalog_objects import Note, storable
from convo_gateway.problems import HttpProblem, ProblemError
from convo_gateway.shapes.catalog_files import BulkAnswer, RowError

Mode = Literal["replace", "append"]
DryRun = Annotated[bool, Query(description="Say what would change, and write nothing.")]
SkipBad = Annotated[
    bool, Query(description="Leave out the rows that are wrong, and write the rest.")
]
_one_table = CapacityLimiter(1)


@dataclass(frozen=True, slots=True)
class _Wish:
    kind: TableKind
    dry_run: bool
    skip_bad: bool
    note: str
    mode: Mode = "replace"


def _body(kind: TableKind) -> Mapping[str, Any]:
    schema = {"schema": {"type": "string"}}
    columns = ", ".join(COLUMNS[kind])
    return {
        "requestBody": {
            "required": True,
            "description": f"CSV with a header, or one JSON object a line: {columns}. At most 20,000,000 bytes.",
            "content": {name: schema for name in TABLE.media_types[:2]},
        }
    }


def _router(kind: TableKind) -> APIRouter:
    return APIRouter(prefix=f"/{kind}", tags=[kind])


personas, voices, pools = _router("personas"), _router("voices"), _router("pools")
routers = (personas, voices, pools)


@personas.post("/bulk", openapi_extra={**_body("personas")})
async def import_personas(
    request: Request,
    here: Here,
    dry_run: DryRun = False,
    skip_bad: SkipBad = False,
    note: Note = "",
) -> BulkAnswer:
    """Write a table of personas: all rows in one transaction, or none and a 422 with the ``answer``.

    In CSV, traits are separated by ``|``, and an empty language is ``en``.
    """
    return await _import(here, request, _Wish("personas", dry_run, skip_bad, note))


@voices.post("/bulk", openapi_extra={**_body("voices")})
async def import_voices(
    request: Request,
    here: Here,
    dry_run: DryRun = False,
    skip_bad: SkipBad = False,
    note: Note = "",
) -> BulkAnswer:
    """Write a table of voices: all rows in one transaction, or none and a 422 with the ``answer``."""
    return await _import(here, request, _Wish("voices", dry_run, skip_bad, note))


@pools.post("/bulk", openapi_extra={**_body("pools")})
async def import_pools(
    request: Request,
    here: Here,
    dry_run: DryRun = False,
    skip_bad: SkipBad = False,
    note: Note = "",
    mode: Annotated[
        Mode,
        Query(description="``append`` keeps what a pool has, and adds the values that it lacks."),
    ] = "replace",
) -> BulkAnswer:
    """Write a table of pool values, one a row; the rows of a pool together make it. All, or none and a 422."""
    return await _import(here, request, _Wish("pools", dry_run, skip_bad, note, mode))


async def _import(here: Gateway, request: Request, wish: _Wish) -> BulkAnswer:
    storable(wish.note)
    form: Format = "jsonl" if media_type(request.headers["content-type"]) in LINES else "csv"
    content = await request.body()
    table = await to_thread.run_sync(read_table, content, wish.kind, form, limiter=_one_table)
    async with here.connections.database() as c, c.transaction(readonly=wish.dry_run):
        objects = await _objects(c, table, wish)
        write = not wish.dry_run and (wish.skip_bad or not table.problems)
        if write:
            done = await put_many(c, objects, note=wish.note)
        else:
            done = await plan_many(c, objects)
    answer = _answer(table, done, written=write)
    if not write and not wish.dry_run:
        raise _kept_out(answer)
    return answer


async def _objects(c: Connection, table: Table, wish: _Wish) -> list[Encoded]:
    """The objects to write; pools with what they have where a table adds to it."""
    if not table.pools:
        return table.objects
    present: dict[tuple[str, str], store.Stored] = {}
    if wish.mode == "append":
        read = store.latest_of if wish.dry_run else store.latest_locked
        present = await read(c, {("pools", name) for name in table.pools})
    made = []
    for name, values in table.pools.items():
        before = present.get(("pools", name))
        item = before.item if before else None
        try:
            pool = pool_of(name, values, item.values if isinstance(item, Pool) else (), wish.mode)
        except ValidationError as error:
            for _, message in said_of(error):
                table.bad(RowProblem(table.pool_rows[name], "value", f'pool "{name}": {message}'))
        else:
            made.append(encoded(pool))
    return made


def _answer(table: Table, done: Sequence[store.Put], *, written: bool) -> BulkAnswer:
    changed = [put for put in done if put.changed]
    created = sum(put.version == 1 for put in changed)
    return BulkAnswer(
        rows=table.rows,
        created=created,
        updated=len(changed) - created,
        unchanged=len(done) - len(changed),
        errors=[RowError(row=p.row, column=p.column, message=p.message) for p in table.problems],
        errors_total=table.problems_total,
        written=written,
    )


def _kept_out(answer: BulkAnswer) -> HttpProblem:
    first = answer.errors[0]
    many = "1 problem" if answer.errors_total == 1 else f"{answer.errors_total:,} problems"
    return HttpProblem(
        422,
        f"Nothing was written: {many}. The first: row {first.row}: {first.column} {first.message}",
        errors=[
            ProblemError(detail=f"row {e.row}: {e.message}", pointer=f"/{e.row}/{e.column}")
            for e in answer.errors
        ],
        extra={"answer": answer.model_dump()},
    )
