"""Tables of personas, voices and pool values as catalog objects, with what is wrong by row. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import ValidationError

from convo_events.catalog import CatalogObject, Name, Persona, Pool, Text, Voice
from convo_events.errors import Invalid
from convo_gateway.catalog.documents import SINGULAR
from convo_gateway.catalog.explain import said_of
from convo_gateway.catalog.store import body_of
from convo_gateway.catalog.store_many import Encoded, encoded
from convo_gateway.catalog.table_rows import Cell, Row, RowProblem, csv_rows, json_rows

TableKind = Literal["personas", "voices", "pools"]
Format = Literal["csv", "jsonl"]
COLUMNS: Mapping[TableKind, Mapping[str, bool]] = {
    "personas": {"name": True, "summary": True, "traits": False, "language": False},
    "voices": {"name": True, "style": True},
    "pools": {"pool": True, "value": True},
}
"""Columns of each kind, and whether one must be there."""

MOST_ROWS = 200_000
MOST_SHOWN = 100
"""Problems that are kept; the others are counted."""


class _PoolValue(CatalogObject):
    """A row of a table of pools."""

    pool: Name
    value: Text


@dataclass(slots=True)
class Table:
    """What a table came to."""

    rows: int = 0
    """Without the header and empty lines."""
    objects: list[Encoded] = field(default_factory=list)
    """Personas or voices, each name once."""
    pools: dict[str, list[str]] = field(default_factory=dict)
    """Values by pool, in the order of their rows."""
    pool_rows: dict[str, int] = field(default_factory=dict)
    """Row on which a pool first stands."""
    problems: list[RowProblem] = field(default_factory=list)
    problems_total: int = 0

    def bad(self, *problems: RowProblem) -> None:
        """Count problems, and keep the first of them."""
        self.problems_total += len(problems)
        self.problems += problems[: MOST_SHOWN - len(self.problems)]


def read_table(content: bytes, kind: TableKind, form: Format) -> Table:
    """The objects of the rows that are right, and the problems of the others."""
    table = Table()
    read = csv_rows if form == "csv" else json_rows
    seen: dict[str, int] = {}
    for row in read(content, COLUMNS[kind]):
        table.rows += not row.is_header
        if table.rows > MOST_ROWS:
            message = f"at most {MOST_ROWS:,} rows are read at once; split the file"
            table.bad(RowProblem(row.number, "", message))
            break
        if not row.problems:
            if kind == "pools":
                _keep_value(table, row)
            else:
                _keep_object(table, row, kind, seen)
        table.bad(*row.problems)
    if not table.rows and not table.problems:
        table.bad(RowProblem(1, "", "there are no rows"))
    return table


def _keep_object(table: Table, row: Row, kind: TableKind, seen: dict[str, int]) -> None:
    shape = Persona if kind == "personas" else Voice
    try:
        item = shape.model_validate(dict(_fields(row.cells)), strict=True)
        made = encoded(item)
    except ValidationError as error:
        for column, message in said_of(error):
            row.bad(message, column)
    except Invalid as error:
        for problem in error.problems:
            row.bad(problem.message, problem.pointer.split("/")[1] if problem.pointer else "")
    else:
        first = seen.setdefault(item.name, row.number)
        if first != row.number:
            word = SINGULAR[kind]
            row.bad(f'{word} "{item.name}" stands twice, first on line {first}', "name")
        else:
            table.objects.append(made)


def _keep_value(table: Table, row: Row) -> None:
    try:
        found = _PoolValue.model_validate(row.cells, strict=True)
        body_of(found)
    except ValidationError as error:
        for column, message in said_of(error):
            row.bad(message, column)
    except Invalid as error:
        for problem in error.problems:
            row.bad(problem.message, problem.pointer.removeprefix("/"))
    else:
        table.pools.setdefault(found.pool, []).append(found.value)
        table.pool_rows.setdefault(found.pool, row.number)


def _fields(cells: Mapping[str, Cell]) -> Iterator[tuple[str, Cell]]:
    """The fields of an object; an empty cell leaves a field to its default, and traits are separated by bars."""
    for name, value in cells.items():
        if name == "traits" and isinstance(value, str):
            yield name, tuple(part.strip() for part in value.split("|") if part.strip())
        elif name == "traits" and isinstance(value, list):
            yield name, tuple(value)
        elif not (name == "language" and value in ("", None)):
            yield name, value.strip() if name == "name" and isinstance(value, str) else value


def pool_of(
    name: str, values: list[str], present: tuple[str, ...], mode: Literal["replace", "append"]
) -> Pool:
    """The pool with the values of a table instead of its own, or after them: then only those it does not have.

    Raises:
        ValidationError: where it would have too many.
    """
    if mode == "append":
        known = set(present)
        values = [*present, *dict.fromkeys(value for value in values if value not in known)]
    return Pool(name=name, values=tuple(values))
