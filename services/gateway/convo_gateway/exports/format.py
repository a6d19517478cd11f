"""What a format is. Each is one file in ``formats/`` with a ``FORMAT`` in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import orjson

from convo_gateway.exports.columns import COLUMNS, Column
from convo_gateway.exports.examples import Example, Misfit, json_line
from convo_gateway.exports.writing import Lines, opened
from convo_gateway.shapes.export_manifest import FileMade
from convo_gateway.shapes.export_wishes import ExportOptions

Metadata = Mapping[str, object]


class Sink(Protocol):
    """Takes conversations in their order and writes files."""

    def write(self, example: Example) -> Misfit | None:
        """Take one; why it has no place, where it has none."""
        ...

    @property
    def size(self) -> int:
        """Bytes on disk so far."""
        ...

    def close(self, skip: Callable[[Example, Misfit], None]) -> list[FileMade]:
        """Finish, and tell the files; ``skip`` is told what turned out to have no place."""
        ...


class Format(Protocol):
    """A form in which conversations are written, and read again to be checked."""

    @property
    def name(self) -> str:
        """As people name it, such as ``parquet``."""
        ...

    @property
    def title(self) -> str:
        """One line for people."""
        ...

    @property
    def suffix(self) -> str:
        """Of its data files."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """Statuses that it takes whatever was asked for; empty: those that were asked for."""
        ...

    def sink(
        self, folder: Path, options: ExportOptions, columns: Sequence[Column] = COLUMNS
    ) -> Sink:
        """A sink that writes below a folder what has these columns."""
        ...

    def rows(self, file: Path) -> Iterator[tuple[Metadata, ...]]:
        """What stands beside the conversations of each row of a data file.

        Raises:
            ValueError: saying where the file is not what it should be.
        """
        ...

    def features(self, columns: Sequence[Column] = COLUMNS) -> list[dict[str, object]]:
        """Columns as a card names them; empty where the files do not fix their types."""
        ...


class LineFormat:
    """A format with one line of JSON for each conversation."""

    suffix = "jsonl"
    needs: tuple[str, ...] = ()

    def __init__(
        self, name: str, title: str, row: Callable[[Example], dict[str, object] | Misfit]
    ) -> None:
        """Args: name and title of the format, and what turns a conversation into a row."""
        self.name = name
        self.title = title
        self.row = row

    def sink(
        self, folder: Path, options: ExportOptions, columns: Sequence[Column] = COLUMNS
    ) -> "LineSink":
        """One file a split."""
        return LineSink(folder, options, self.row)

    def rows(self, file: Path) -> Iterator[tuple[Metadata, ...]]:
        """The metadata of each line."""
        for row in lines_of(file):
            yield (metadata_of(row),)

    def features(self, columns: Sequence[Column] = COLUMNS) -> list[dict[str, object]]:
        """None: lines of JSON carry no types."""
        return []


class LineSink:
    """Writes lines of JSON, one file a split."""

    def __init__(
        self,
        folder: Path,
        options: ExportOptions,
        row: Callable[[Example], dict[str, object] | Misfit],
    ) -> None:
        """Begin the file of every split, so that an empty one is there too."""
        self._row = row
        self._files = {
            split: Lines(folder, f"data/{split}.jsonl", zstd=options.zstd)
            for split in options.splits
        }

    @property
    def size(self) -> int:
        """Bytes on disk so far."""
        return sum(file.size for file in self._files.values())

    def write(self, example: Example) -> Misfit | None:
        """Write its line, unless it does not fit."""
        row = self._row(example)
        if isinstance(row, Misfit):
            return row
        self._files[example.split].write(json_line(row))
        return None

    def close(self, skip: Callable[[Example, Misfit], None]) -> list[FileMade]:
        """Finish the files."""
        return [file.close("data", split) for split, file in self._files.items()]


def lines_of(file: Path) -> Iterator[dict[str, object]]:
    """The objects of a file of lines.

    Raises:
        ValueError: naming the first line that is no JSON object.
    """
    with opened(file) as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise ValueError(f"line {number} is no JSON: {error}") from None
            if not isinstance(row, dict):
                raise ValueError(f"line {number} is no JSON object")
            yield row


def metadata_of(row: Mapping[str, object], name: str = "metadata") -> Metadata:
    """What stands beside the messages of a row.

    Raises:
        ValueError: there is nothing.
    """
    found = row.get(name)
    if not isinstance(found, dict):
        raise ValueError(f"a row has no {name}")
    return found
