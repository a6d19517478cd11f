"""Tables of imports: which files there are and what became of their rows."""

from datetime import datetime

import asyncpg

from convo_events.errors import NotFound, Refused
from convo_events.store import Connection
from convo_gateway.imports.staging import MOST_PROBLEMS, Tally
from convo_gateway.shapes.imports import ImportShown, Refusals, RefusedRow, RefusedRows

SILENT = "10 minutes"
"""A reader that writes nothing for so long is gone, and its file with it."""
_SHOWN = "id, name, format, status, detail, sha256, bytes, read, taken, refused, mended, turns, characters, created_at"


async def begin(c: Connection, source: str, name: str, sha256: str, size: int) -> str:
    """Add a file that is about to be read; its id, or that of the one with the same bytes that is there already."""
    known = await c.fetchval(
        "select id from import_source where sha256 = $1 and status = 'ready'", sha256
    )
    if known is not None:
        return str(known)
    await c.execute(
        "insert into import_source (id, name, format, sha256, status, bytes) values ($1, $2, '', $3, 'reading', $4)",
        source,
        name,
        sha256,
        size,
    )
    return source


async def tell_format(c: Connection, source: str, format_: str) -> None:
    """Say what the file turned out to be."""
    await c.execute("update import_source set format = $2 where id = $1", source, format_)


async def finish(c: Connection, source: str, tally: Tally) -> None:
    """The file is read to its end. Without a conversation it is broken, and so is a copy that came at the same time."""
    if tally.taken == 0:
        read = f"none of its {tally.read:,} rows is a conversation" if tally.read else "it is empty"
        await _refusals(c, source, tally)
        await break_off(c, source, read, keep_problems=True)
        return
    async with c.transaction():
        await _refusals(c, source, tally)
        try:
            async with c.transaction():
                await c.execute("update import_source set status = 'ready' where id = $1", source)
        except asyncpg.UniqueViolationError:
            await break_off(c, source, "the same file was brought in at the same time")


async def _refusals(c: Connection, source: str, tally: Tally) -> None:
    await c.executemany(
        "insert into import_refusal (source, code, n) values ($1, $2, $3)",
        [(source, code, n) for code, n in tally.refused.items()],
    )


async def break_off(
    c: Connection, source: str, detail: str, *, keep_problems: bool = False
) -> None:
    """Nothing of the file can be used: say why, and let go of its rows."""
    await c.execute(
        "update import_source set status = 'broken', detail = $2 where id = $1",
        source,
        detail[:1_000],
    )
    await c.execute("delete from import_row where source = $1", source)
    if not keep_problems:
        await c.execute("delete from import_problem where source = $1", source)


async def sweep(c: Connection) -> None:
    """Break off what a gateway was reading that went away."""
    rows = await c.fetch(
        "select id from import_source where status = 'reading'"
        f" and touched_at < clock_timestamp() - interval '{SILENT}'"
    )
    for row in rows:
        detail = "the gateway stopped while it was read; send the file again"
        await break_off(c, row["id"], detail)


async def imports(
    c: Connection, *, limit: int, after: tuple[datetime, str] | None = None
) -> list[ImportShown]:
    """Files, newest first; ``after`` is time and id of the last one of the page before."""
    rows = await c.fetch(
        f"select {_SHOWN} from import_source"
        " where $2::timestamptz is null or (created_at, id) < ($2, $3)"
        " order by created_at desc, id desc limit $1",
        limit,
        after[0] if after else None,
        after[1] if after else None,
    )
    refusals = await _refusals_of(c, [row["id"] for row in rows])
    return [_shown(row, refusals) for row in rows]


async def one_import(c: Connection, source: str) -> ImportShown:
    """One file.

    Raises:
        NotFound: where there is none.
    """
    row = await c.fetchrow(f"select {_SHOWN} from import_source where id = $1", source)
    if row is None:
        raise NotFound(f"There is no import {source}.")
    return _shown(row, await _refusals_of(c, [source]))


async def _refusals_of(c: Connection, sources: list[str]) -> dict[str, list[Refusals]]:
    rows = await c.fetch(
        "select source, code, n from import_refusal where source = any($1) order by n desc, code",
        sources,
    )
    found: dict[str, list[Refusals]] = {}
    for row in rows:
        found.setdefault(row["source"], []).append(Refusals(code=row["code"], n=row["n"]))
    return found


def _shown(row: asyncpg.Record, refusals: dict[str, list[Refusals]]) -> ImportShown:
    return ImportShown.model_validate(dict(row) | {"refusals": refusals.get(str(row["id"]), [])})


async def refused_rows(c: Connection, source: str, *, limit: int, after: int) -> RefusedRows:
    """Refused rows with their reasons, from the row after ``after`` on.

    Raises:
        NotFound: where there is no such import.
    """
    shown = await one_import(c, source)
    rows = await c.fetch(
        "select row, code, pointer, message from import_problem where source = $1 and row > $2"
        " order by row limit $3",
        source,
        after,
        limit + 1,
    )
    items = [RefusedRow(**dict(row)) for row in rows[:limit]]
    return RefusedRows(
        items=items,
        kept=min(shown.refused, MOST_PROBLEMS),
        of=shown.refused,
        next_row=items[-1].row if len(rows) > limit else None,
    )


async def forget(c: Connection, source: str) -> None:
    """Delete a file and its rows.

    Raises:
        NotFound: where there is none.
        Refused: while it is read, or while a run takes it.
    """
    async with c.transaction():
        row = await c.fetchrow("select status from import_source where id = $1 for update", source)
        if row is None:
            raise NotFound(f"There is no import {source}.")
        if row["status"] == "reading":
            raise Refused(f"import {source} is being read", state="reading")
        run = await c.fetchval(
            "select r.run from run_view r join snapshot s on s.hash = r.snapshot"
            " where r.mode = 'import' and r.status in ('queued', 'running', 'paused', 'cancelling')"
            " and convert_from(s.body, 'UTF8')::json #>> '{source,id}' = $1 limit 1",
            source,
        )
        if run is not None:
            raise Refused(f"run {run} takes its conversations from import {source}", state="used")
        await c.execute("delete from import_source where id = $1", source)
