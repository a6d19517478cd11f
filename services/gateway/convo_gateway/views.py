"""Saved views of the corpus: everybody sees them, and two people who change one at once lose nothing.

Sole writer of table ``saved_view``.
"""

from datetime import datetime

import asyncpg
import orjson

from convo_events.errors import NotFound
from convo_events.store import Connection
from convo_gateway.problems import HttpProblem
from convo_gateway.shapes.views import SavedView, ViewWanted

MOST = 500
"""Views that are kept."""
_COLUMNS = "id, name, version, view, created_at, changed_at"


async def all_views(c: Connection) -> list[SavedView]:
    """Every view, by name whatever its case."""
    rows = await c.fetch(f"select {_COLUMNS} from saved_view order by lower(name), id")
    return [_read(row) for row in rows]


async def one_view(c: Connection, view: str) -> SavedView:
    """A view.

    Raises:
        NotFound: there is none with this id.
    """
    row = await c.fetchrow(f"select {_COLUMNS} from saved_view where id = $1", view)
    if row is None:
        raise NotFound(f"There is no saved view {view}.")
    return _read(row)


async def keep_view(c: Connection, view: str, wanted: ViewWanted, at: datetime) -> SavedView:
    """Keep a new view under an id.

    Raises:
        HttpProblem: 409 where the name is taken, or there are too many.
    """
    if await c.fetchval("select count(*) from saved_view") >= MOST:
        raise HttpProblem(409, f"There are {MOST} saved views; delete one that nobody needs first.")
    try:
        row = await c.fetchrow(
            "insert into saved_view (id, name, version, view, created_at, changed_at)"
            f" values ($1, $2, 1, $3, $4, $4) returning {_COLUMNS}",
            view,
            wanted.name,
            _written(wanted),
            at,
        )
    except asyncpg.UniqueViolationError:
        raise _taken(wanted.name) from None
    assert row is not None
    return _read(row)


async def change_view(
    c: Connection, view: str, version: int, wanted: ViewWanted, at: datetime
) -> SavedView:
    """Replace a version of a view.

    Raises:
        NotFound: there is none with this id.
        HttpProblem: 412 where it has changed since that version, 409 where the name is taken.
    """
    try:
        row = await c.fetchrow(
            "update saved_view set name = $3, version = version + 1, view = $4, changed_at = $5"
            f" where id = $1 and version = $2 returning {_COLUMNS}",
            view,
            version,
            wanted.name,
            _written(wanted),
            at,
        )
    except asyncpg.UniqueViolationError:
        raise _taken(wanted.name) from None
    if row is not None:
        return _read(row)
    now = await one_view(c, view)
    raise HttpProblem(
        412,
        f"The view {now.name} was changed meanwhile: you saw version {version}, this is {now.version}.",
        extra={"current": now.model_dump(mode="json")},
    )


async def remove_view(c: Connection, view: str) -> None:
    """Forget a view.

    Raises:
        NotFound: there is none with this id.
    """
    if await c.execute("delete from saved_view where id = $1", view) != "DELETE 1":
        raise NotFound(f"There is no saved view {view}.")


def _written(wanted: ViewWanted) -> str:
    shown = wanted.model_dump(mode="json", exclude={"name"})
    shown["filter"] = wanted.filter.model_dump(mode="json", exclude_defaults=True)
    return orjson.dumps(shown).decode()


def _read(row: asyncpg.Record) -> SavedView:
    fields = {name: row[name] for name in ("id", "name", "version", "created_at", "changed_at")}
    return SavedView.model_validate(orjson.loads(row["view"]) | fields)


def _taken(name: str) -> HttpProblem:
    return HttpProblem(409, f"There is a saved view {name} already; take another name.")
