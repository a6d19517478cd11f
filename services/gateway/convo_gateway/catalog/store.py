"""The catalog in Postgres: versions that only ever grow in number. The one writer of its two tables.

Every function takes a connection and runs in the caller's transaction where there is one.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

import asyncpg
import orjson

from convo_events.catalog import KINDS, CatalogObject, RunConfig
from convo_events.errors import Invalid, NotFound, Problem, Refused
from convo_events.store import Connection
from convo_gateway.catalog.documents import SINGULAR, Named, kind_of
from convo_gateway.catalog.freeze import Lookup, references

ORDER = {kind: at for at, kind in enumerate(KINDS)}
"""Kinds in the order of their dependencies: what a config names comes before the config."""
MOST_OF_A_PAGE = 1_000
_COLUMNS = "v.kind, v.name, v.version, v.body::text as body, v.note, v.created_at, o.archived"
_LATEST = (
    f"select {_COLUMNS} from catalog_object o "
    "join catalog_version v on (v.kind, v.name, v.version) = (o.kind, o.name, o.latest)"
)


@dataclass(frozen=True, slots=True)
class Stored:
    """One version of an object."""

    kind: str
    name: str
    version: int
    item: Named
    note: str
    created_at: datetime
    archived: bool
    """Whether the object, in all its versions, is hidden from lists."""


@dataclass(frozen=True, slots=True)
class Put:
    """What became of an object that was written."""

    kind: str
    name: str
    version: int
    changed: bool
    """False where the latest version had this content already."""


class VersionConflict(Refused):
    """A write on top of another version than the writer has seen."""

    def __init__(self, kind: str, name: str, latest: int, expected: int) -> None:
        """Say both versions."""
        super().__init__(
            f'{SINGULAR[kind]} "{name}" is at version {latest}, not {expected}: read it again and '
            "repeat the change",
            code="version_conflict",
        )
        self.latest = latest
        self.expected = expected


async def put(
    connection: Connection, item: Named, *, note: str = "", expected: int | None = None
) -> Put:
    """Write an object: a new version, or the latest again where it has the same content.

    Args:
        connection: Where to write.
        item: The object.
        note: Why it was changed, in the words of whoever changed it.
        expected: Version that the writer has seen, 0 for none; None writes on top of any.

    Raises:
        Invalid: where the object or the note holds a character that cannot be stored.
        VersionConflict: where another version is there than the one expected.
    """
    kind, body = kind_of(item), body_of(item)
    if "\0" in note:
        raise Invalid([Problem("the note holds the character NUL, which cannot be stored")])
    digest = hashlib.sha256(body).hexdigest()
    async with connection.transaction():
        latest = await _lock(connection, kind, item.name)
        if expected is not None and expected != latest:
            raise VersionConflict(kind, item.name, latest, expected)
        unchanged = await connection.fetchval(
            "select body_hash = $4 from catalog_version where (kind, name, version) = ($1, $2, $3)",
            *(kind, item.name, latest, digest),
        )
        if unchanged:
            await _archive(connection, kind, item.name, archived=False)
            return Put(kind, item.name, latest, changed=False)
        await connection.execute(
            "insert into catalog_version (kind, name, version, body, body_hash, note) "
            "values ($1, $2, $3, $4::text::jsonb, $5, $6)",
            *(kind, item.name, latest + 1, body.decode(), digest, note),
        )
        await connection.execute(
            "update catalog_object set latest = $3, archived = false where (kind, name) = ($1, $2)",
            *(kind, item.name, latest + 1),
        )
    return Put(kind, item.name, latest + 1, changed=True)


async def _lock(connection: Connection, kind: str, name: str) -> int:
    """The latest version of a name, 0 for none; other writers of the name wait for this transaction."""
    await connection.execute(
        "insert into catalog_object (kind, name, latest) values ($1, $2, 0) on conflict do nothing",
        *(kind, name),
    )
    return int(
        await connection.fetchval(
            "select latest from catalog_object where (kind, name) = ($1, $2) for update", kind, name
        )
    )


def body_of(item: CatalogObject) -> bytes:
    """Canonical JSON of an object.

    Raises:
        Invalid: where a text holds NUL or half of a surrogate pair, which Postgres cannot keep.
    """
    try:
        body = orjson.dumps(item.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
    except (TypeError, UnicodeEncodeError, ValueError) as error:
        raise Invalid([Problem(f"a text is not Unicode and cannot be stored: {error}")]) from error
    if b"\\u0000" in body.replace(b"\\\\", b""):
        places = list(_with_nul(item.model_dump(mode="json"), ""))
        message = "the text holds the character NUL, which cannot be stored; take it out"
        raise Invalid([Problem(message, place) for place in places])
    return body


def _with_nul(value: object, pointer: str) -> Iterable[str]:
    """JSON pointers of all texts with a NUL."""
    if isinstance(value, str) and "\0" in value:
        yield pointer
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from [pointer] if "\0" in key else _with_nul(inner, f"{pointer}/{key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _with_nul(inner, f"{pointer}/{at}")


async def apply(connection: Connection, items: Iterable[Named], *, note: str = "") -> list[Put]:
    """Write many objects in one transaction: all or none. Results come in the order of dependencies.

    Raises:
        Invalid: where one cannot be stored; nothing is written then.
    """
    # One order for everybody also keeps two that apply at once from locking each other out.
    ordered = sorted(items, key=lambda item: (ORDER[kind_of(item)], item.name))
    async with connection.transaction():
        return [await put(connection, item, note=note) for item in ordered]


async def latest(connection: Connection, kind: str, name: str) -> Stored:
    """The latest version of an object, archived or not.

    Raises:
        NotFound: where there is none of that kind and name.
    """
    row = await connection.fetchrow(f"{_LATEST} where (o.kind, o.name) = ($1, $2)", kind, name)
    return _stored(row, kind, name)


async def version(connection: Connection, kind: str, name: str, number: int) -> Stored:
    """One version of an object.

    Raises:
        NotFound: where there is no such version.
    """
    row = await connection.fetchrow(
        f"select {_COLUMNS} from catalog_version v join catalog_object o using (kind, name) "
        "where (v.kind, v.name, v.version) = ($1, $2, $3)",
        *(kind, name, number),
    )
    return _stored(row, kind, f"{name} version {number}")


async def versions(
    connection: Connection, kind: str, name: str, *, before: int | None = None, limit: int = 100
) -> list[Stored]:
    """Versions of an object, newest first.

    Args:
        connection: Where to read.
        kind: Kind of the object.
        name: Name of the object.
        before: Only versions below this one, for the next page.
        limit: Most versions to give.
    """
    rows = await connection.fetch(
        f"select {_COLUMNS} from catalog_version v join catalog_object o using (kind, name) "
        "where (v.kind, v.name) = ($1, $2) and ($3::int is null or v.version < $3) "
        "order by v.version desc limit $4",
        *(kind, name, before, min(limit, MOST_OF_A_PAGE)),
    )
    return [_stored(row, kind, name) for row in rows]


async def page(
    connection: Connection,
    kind: str,
    *,
    after: str | None = None,
    limit: int = 100,
    q: str = "",
    archived: bool = False,
) -> list[Stored]:
    """The latest versions of a kind, by name.

    Args:
        connection: Where to read.
        kind: Kind of the objects.
        after: Only names after this one, for the next page.
        limit: Most objects to give.
        q: Text that the name, summary, style or description has, in any case.
        archived: Whether to give the archived objects instead of the others.
    """
    pattern = "%" + q.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    rows = await connection.fetch(
        f"{_LATEST} where o.kind = $1 and o.archived = $5 and ($2::text is null or o.name > $2) "
        "and ($4 = '%%' or concat_ws(' ', o.name, v.body->>'summary', v.body->>'style', "
        "v.body->>'description') ilike $4) order by o.name limit $3",
        *(kind, after, min(limit, MOST_OF_A_PAGE), pattern, archived),
    )
    return [_stored(row, kind, "") for row in rows]


async def archive(
    connection: Connection,
    kind: str,
    name: str,
    *,
    archived: bool = True,
    expected: int | None = None,
) -> bool:
    """Hide an object from lists, or show it again; whether that changed anything. Writing to it shows it again too.

    Args:
        connection: Where to write.
        kind: Kind of the object.
        name: Name of the object.
        archived: Whether to hide it.
        expected: Version that the writer has seen; None for any.

    Raises:
        NotFound: where there is none of that kind and name.
        VersionConflict: where another version is there than the one expected.
    """
    async with connection.transaction():
        row = await connection.fetchrow(
            "select latest, archived from catalog_object where (kind, name) = ($1, $2) for update",
            *(kind, name),
        )
        if row is None:
            raise _not_found(kind, name)
        if expected is not None and expected != row["latest"]:
            raise VersionConflict(kind, name, row["latest"], expected)
        await _archive(connection, kind, name, archived=archived)
    return bool(row["archived"]) is not archived


async def _archive(connection: Connection, kind: str, name: str, *, archived: bool) -> None:
    await connection.execute(
        "update catalog_object set archived = $3 "
        "where (kind, name) = ($1, $2) and archived is distinct from $3",
        *(kind, name, archived),
    )


async def existing(
    connection: Connection, named: Collection[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those of the objects, each by kind and name, that the catalog has, archived or not."""
    rows = await connection.fetch(
        "select kind, name from catalog_object "
        "where (kind, name) in (select * from unnest($1::text[], $2::text[]))",
        *([kind for kind, _ in named], [name for _, name in named]),
    )
    return {(row["kind"], row["name"]) for row in rows}


async def latest_of(
    connection: Connection, named: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Stored]:
    """The latest versions of objects by kind and name, read at one moment; what is not there is left out."""
    rows = await connection.fetch(
        f"{_LATEST} where (o.kind, o.name) in (select * from unnest($1::text[], $2::text[]))",
        *([kind for kind, _ in named], [name for _, name in named]),
    )
    return {(row["kind"], row["name"]): _stored(row, row["kind"], row["name"]) for row in rows}


async def latest_locked(
    connection: Connection, named: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Stored]:
    """As ``latest_of``; what else is written to these objects waits for this transaction.

    Those that ask here wait for each other too, so that nobody makes an object that another one is about to make.
    """
    await connection.execute("select pg_advisory_xact_lock(hashtext('convo catalog additions'))")
    await connection.execute(
        "select from catalog_object where (kind, name) in (select * from unnest($1::text[], $2::text[])) "
        "order by kind, name for update",
        *([kind for kind, _ in named], [name for _, name in named]),
    )
    return await latest_of(connection, named)


async def lookup_for(connection: Connection, config: RunConfig) -> Lookup:
    """The latest versions of everything that a config names, read at one moment."""
    found = await latest_of(connection, references(config))

    def look(kind: str, name: str, /) -> tuple[CatalogObject, int] | None:
        stored = found.get((kind, name))
        return None if stored is None else (stored.item, stored.version)

    return look


def _stored(row: asyncpg.Record | None, kind: str, name: str) -> Stored:
    if row is None:
        raise _not_found(kind, name)
    item = KINDS[row["kind"]].model_validate_json(row["body"])
    assert isinstance(item, Named)
    return Stored(
        kind=row["kind"],
        name=row["name"],
        version=row["version"],
        item=item,
        note=row["note"],
        created_at=row["created_at"],
        archived=row["archived"],
    )


def _not_found(kind: str, name: str) -> NotFound:
    return NotFound(f'there is no {SINGULAR.get(kind, kind)} "{name}" in the catalog')
