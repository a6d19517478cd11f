"""Rows of the read model in and out of Postgres, many at a time, whatever their table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from typing import Any

import orjson

from convo_events.store import Connection
from convo_events.threads import STATE, ThreadState
from convo_projector.projections.turns import Amendment
from convo_projector.stamp import Key


@dataclass(frozen=True)
class Table:
    """A table with its columns in the order of its row class, and their Postgres types."""

    name: str
    key: tuple[str, ...]
    row: type[Any]
    types: Mapping[str, str]

    @cached_property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return [field.name for field in fields(self.row)]


async def describe(c: Connection, name: str, key: tuple[str, ...], row: type[Any]) -> Table:
    """The table as the database has it."""
    found = await c.fetch(
        "select attname, format_type(atttypid, null) as type from pg_attribute"
        " where attrelid = to_regclass($1) and attnum > 0 and not attisdropped",
        name,
    )
    return Table(name, key, row, {r["attname"]: r["type"] for r in found})


async def load(c: Connection, table: Table, keys: Sequence[Key]) -> dict[Key, Any]:
    """The rows that exist, by key."""
    if not keys:
        return {}
    holes = ", ".join(f"${n}::{table.types[k]}[]" for n, k in enumerate(table.key, start=1))
    found = await c.fetch(
        f"select {', '.join(table.columns)} from {table.name}"
        f" where ({', '.join(table.key)}) in (select * from unnest({holes}))",
        *[[key[n] for key in keys] for n in range(len(table.key))],
    )
    rows: dict[Key, Any] = {}
    for record in found:
        row = _read(table, dict(record))
        rows[tuple(getattr(row, k) for k in table.key)] = row
    return rows


async def save(c: Connection, changed: Iterable[tuple[Table, Sequence[Any]]]) -> None:
    """Insert or replace the rows of many tables in one statement: a round trip costs more than a row."""
    inserts: list[str] = []
    arguments: list[list[Any]] = []
    for table, rows in changed:
        if rows:
            inserts.append(_upsert(table, first=len(arguments) + 1))
            arguments += [_column(rows, name, table.types[name]) for name in table.columns]
    if inserts:
        parts = ", ".join(f"t{n} as ({insert})" for n, insert in enumerate(inserts))
        await c.execute(f"with {parts} select", *arguments)


async def amend_turns(c: Connection, amendments: Sequence[Amendment]) -> None:
    """Give stored turns their roughened text and keep what they were, or say why they stay."""
    if not amendments:
        return
    await c.execute(
        "update turn set raw = case when x.text is null then turn.raw else turn.body end,"
        " body = coalesce(x.text, turn.body), kept = x.kept"
        " from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as x (conversation, number, text, kept)"
        " where turn.conversation = x.conversation and turn.number = x.number",
        [amendment.conversation for amendment in amendments],
        [amendment.number for amendment in amendments],
        [_write(amendment.text, "text") for amendment in amendments],
        [_write(amendment.kept, "text") for amendment in amendments],
    )


def _upsert(table: Table, first: int) -> str:
    """The statement that saves rows, whose columns are the parameters from number ``first`` on."""
    columns = table.columns
    wire = {name: _wire_type(table.types[name]) for name in columns}
    holes = ", ".join(f"${n}::{wire[name]}[]" for n, name in enumerate(columns, start=first))
    picked = ", ".join(
        f"x.{name}::{table.types[name]}" if wire[name] != table.types[name] else f"x.{name}"
        for name in columns
    )
    changed = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in table.key)
    return (
        f"insert into {table.name} ({', '.join(columns)})"
        f" select {picked} from unnest({holes}) as x ({', '.join(columns)})"
        f" on conflict ({', '.join(table.key)}) do update set {changed}"
    )


def _wire_type(column_type: str) -> str:
    """How a column travels in an array: what has arrays or documents inside goes as text."""
    return "text" if column_type == "jsonb" or column_type.endswith("[]") else column_type


def _column(rows: Sequence[Any], name: str, column_type: str) -> list[Any]:
    """One column of many rows, as it travels."""
    values = map(attrgetter(name), rows)
    if _wire_type(column_type) != "text":
        return list(values)
    return [_write(value, column_type) for value in values]


def _write(value: Any, column_type: str) -> str | None:
    """A value of a column that travels as text."""
    if value is None:
        return None
    if column_type == "jsonb":
        return _document(value)
    if column_type.endswith("[]"):
        return "{" + ",".join(map(str, value)) + "}"
    assert isinstance(value, str)
    return value.replace("\x00", "\ufffd")


def _document(value: Any) -> str:
    """JSON without NUL, which jsonb cannot hold."""
    raw = STATE.dump_json(value) if isinstance(value, ThreadState) else orjson.dumps(value)
    text = raw.decode()
    if "\\u0000" not in text:
        return text
    return orjson.dumps(_without_nul(orjson.loads(text))).decode()


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd")
    if isinstance(value, dict):
        return {key: _without_nul(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nul(item) for item in value]
    return value


def _read(table: Table, record: dict[str, Any]) -> Any:
    for name, column_type in table.types.items():
        if column_type == "jsonb" and isinstance(record.get(name), str):
            record[name] = orjson.loads(record[name])
    if hasattr(table.row, "read"):
        return table.row.read(record)
    return table.row(**record)
