"""CSV of what stands beside the turns, for spreadsheets and scripts; the turns themselves are not in it.

A cell of text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return gets an apostrophe in front, so
that no spreadsheet takes it for a formula. Lists and objects are JSON. There is no byte order mark unless asked for.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import orjson

from convo_events.clock import iso
from convo_gateway.exports.columns import COLUMNS, WITH_ORIGIN, Column
from convo_gateway.exports.examples import Example, Misfit, without_halves
from convo_gateway.exports.format import Metadata
from convo_gateway.exports.writing import Lines, opened
from convo_gateway.shapes.export_manifest import FileMade
from convo_gateway.shapes.export_wishes import ExportOptions

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_BOM = b"\xef\xbb\xbf"


def _head(columns: Sequence[Column]) -> list[str]:
    return [column.name for column in columns]


_HEADS = (_head(COLUMNS), _head(WITH_ORIGIN))


def cell(value: object) -> str:
    """A value as a cell; empty for what is not known."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            text = str(without_halves(value))
            return f"'{text}" if text.startswith(_FORMULA) else text
        case datetime():
            return iso(value)
        case int() | float():
            return str(value)
    return orjson.dumps(without_halves(value), option=orjson.OPT_UTC_Z).decode()


def line(cells: list[str]) -> bytes:
    """A line of cells; a line feed ends it."""
    out = io.StringIO()
    # The writer quotes what is in its line end, and a lone carriage return needs quotes too.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return f"{out.getvalue().removesuffix(chr(13) + chr(10))}\n".encode()


def _whole(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    """The lines of a reader.

    Raises:
        ValueError: they are no CSV.
    """
    try:
        yield from reader
    except csv.Error as error:
        raise ValueError(f"it is no CSV: {error}") from None


class CsvTable:
    """The format."""

    name = "csv"
    title = "CSV of the metadata"
    suffix = "csv"
    needs: tuple[str, ...] = ()

    def sink(
        self, folder: Path, options: ExportOptions, columns: Sequence[Column] = COLUMNS
    ) -> "CsvSink":
        """One file a split, each with a head."""
        return CsvSink(folder, options, columns)

    def rows(self, file: Path) -> Iterator[tuple[Metadata, ...]]:
        """The cells of each line by their column; text is all that they are."""
        csv.field_size_limit(2**31 - 1)
        with opened(file) as raw, io.TextIOWrapper(raw, "utf-8-sig", newline="") as text:
            reader = csv.reader(text)
            names = next(reader, None)
            if names is None or names not in _HEADS:
                raise ValueError("the head does not name the columns of an export")
            for cells in _whole(reader):
                if len(cells) != len(names):
                    raise ValueError(
                        f"line {reader.line_num} has {len(cells)} cells, not {len(names)}"
                    )
                yield (dict(zip(names, cells, strict=True)),)

    def features(self, columns: Sequence[Column] = COLUMNS) -> list[dict[str, object]]:
        """None: cells are text."""
        return []


class CsvSink:
    """Writes lines of cells."""

    def __init__(self, folder: Path, options: ExportOptions, columns: Sequence[Column]) -> None:
        """Begin the file of every split with its head."""
        self._files: dict[str, Lines] = {}
        for split in options.splits:
            file = Lines(folder, f"data/{split}.csv", zstd=options.zstd)
            file.text((_BOM if options.bom else b"") + line(_head(columns)))
            self._files[split] = file

    @property
    def size(self) -> int:
        """Bytes on disk so far."""
        return sum(file.size for file in self._files.values())

    def write(self, example: Example) -> Misfit | None:
        """Write its line; every conversation has one."""
        cells = [cell(value) for value in example.metadata.values()]
        self._files[example.split].write(line(cells))
        return None

    def close(self, skip: Callable[[Example, Misfit], None]) -> list[FileMade]:
        """Finish the files."""
        return [file.close("data", split) for split, file in self._files.items()]


FORMAT = CsvTable()
