"""The rows of a table that a person sends, CSV or JSON lines, each with its line and whatever is wrong with it.

A table is hostile until read: one broken row is one problem, and the rows around it are read all the same. Pure.
"""

import codecs
import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

Cell = object
"""Text from CSV; from JSON lines whatever the line says."""

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BOM = codecs.BOM_UTF8
_SEPARATORS = ",;\t"
_LONGEST_LINE = 1_000_000


@dataclass(frozen=True, slots=True)
class RowProblem:
    """One thing wrong with a row."""

    row: int
    """Line of the file on which the row begins, from 1."""
    column: str
    message: str


@dataclass(slots=True)
class Row:
    """One row."""

    number: int
    """Line of the file on which it begins, from 1."""
    cells: dict[str, Cell] = field(default_factory=dict)
    problems: list[RowProblem] = field(default_factory=list)
    is_header: bool = False
    """Whether this is no row, but what is wrong with the file before its first one."""

    def bad(self, message: str, column: str = "") -> None:
        """Keep what is wrong."""
        self.problems.append(RowProblem(self.number, column, message))


def csv_rows(content: bytes, columns: Mapping[str, bool]) -> Iterator[Row]:
    """The rows of a CSV file (RFC 4180); commas, semicolons or tabs between the cells, whichever the header has.

    Args:
        content: The file, UTF-8 with or without a byte order mark.
        columns: Known columns, and whether each must be in the header. Another one in the header is a problem of the
            first row given, which then is the only one.
    """
    lines = _Lines(content)
    header = _header(lines, columns)
    if isinstance(header, Row):
        yield header
        return
    names, separator = header
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        row = Row(lines.number + 1)
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            row.bad(_broken(str(error)))
            yield row
            if lines.ended or "field limit" in str(error):
                return
            continue
        if not cells:
            continue
        row.problems += lines.broken(row.number)
        if len(cells) != len(names):
            row.bad(f"has {len(cells)} cells, expected {len(names)} as in the header")
        row.cells = dict(zip(names, cells, strict=False))
        yield row


def json_rows(content: bytes, columns: Mapping[str, bool]) -> Iterator[Row]:
    """The rows of a file with one JSON object a line; arguments as for ``csv_rows``."""
    if content.startswith(_UTF16):
        yield _not_utf8()
        return
    for number, line in enumerate(content.removeprefix(_BOM).split(b"\n"), 1):
        if not line.strip():
            continue
        row = Row(number)
        if len(line) > _LONGEST_LINE:
            row.bad(f"has more than {_LONGEST_LINE:,} bytes")
        else:
            _read_line(row, line, columns)
        yield row


def _read_line(row: Row, line: bytes, columns: Mapping[str, bool]) -> None:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        row.bad(f"is no JSON: {str(error).partition(': line')[0]}, at character {error.colno}")
        return
    if not isinstance(found, dict):
        row.bad("is no JSON object: expected {...} on each line")
        return
    for name in sorted(found.keys() - columns.keys()):
        row.bad(f"unknown field; there are {', '.join(columns)}", name[:100])
    for name in [name for name, needed in columns.items() if needed and name not in found]:
        row.bad("is missing", name)
    row.cells = {name: value for name, value in found.items() if name in columns}


class _Lines:
    """The lines of a file as text, with the number of the last one given; those that are not UTF-8 are kept in mind."""

    def __init__(self, content: bytes) -> None:
        self.utf16 = content.startswith(_UTF16)
        self._lines = content.removeprefix(_BOM).splitlines(keepends=True)
        self._broken: dict[int, str] = {}
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.ended:
            raise StopIteration
        line = self._lines[self.number]
        self.number += 1
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            self._broken[self.number] = f"byte 0x{line[error.start]:02x} is not UTF-8"
            return line.decode(errors="replace")

    @property
    def ended(self) -> bool:
        return self.number >= len(self._lines)

    def broken(self, first: int) -> Sequence[RowProblem]:
        """What was not UTF-8 from a line to the last one given."""
        found = [n for n in range(first, self.number + 1) if n in self._broken]
        return [
            RowProblem(first, "", f"{self._broken.pop(n)}; save the file as UTF-8") for n in found
        ]


def _header(lines: _Lines, columns: Mapping[str, bool]) -> tuple[list[str], str] | Row:
    """The names of the columns and what separates them; or a row that says what is wrong."""
    if lines.utf16:
        return _not_utf8()
    row = Row(1, is_header=True)
    text = next(lines, "")
    separator = max(_SEPARATORS, key=text.count)
    try:
        cells = next(csv.reader([text], delimiter=separator, strict=True), [])
    except csv.Error as error:
        cells = []
        row.bad(_broken(str(error)))
    names = [cell.strip().lower() for cell in cells]
    expected = f"expected a header with {', '.join(columns)}"
    if not any(name in columns for name in names):
        row.bad(f"there is no header; {expected}")
        return row
    for name in names:
        if name not in columns:
            row.bad(f"unknown column; {expected}", name[:100])
        elif names.count(name) > 1:
            row.bad("the column stands twice", name)
    for name in [name for name, needed in columns.items() if needed and name not in names]:
        row.bad(f"the column is missing; {expected}", name)
    row.problems = list(dict.fromkeys(row.problems))
    return row if row.problems else (names, separator)


def _not_utf8() -> Row:
    row = Row(1, is_header=True)
    row.bad("the file is UTF-16, expected UTF-8; save it as UTF-8")
    return row


def _broken(error: str) -> str:
    if "unexpected end" in error or "field limit" in error:
        return (
            "a quote is opened here and not closed before the end; double the quotes inside a cell"
        )
    if "expected after" in error:
        return "a quote inside a cell is not doubled, or stands before the end of the cell"
    return error
