"""Parquet as Hugging Face lays it out: ``data/train-00000-of-00001.parquet``, one row a conversation."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from convo_gateway.exports.columns import COLUMNS, Column
from convo_gateway.exports.examples import Example, Misfit
from convo_gateway.exports.format import Metadata
from convo_gateway.exports.writing import Output
from convo_gateway.shapes.export_manifest import FileMade
from convo_gateway.shapes.export_wishes import ExportOptions

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

GROUP_ROWS = 1_000
"""Most rows of a row group."""
GROUP_BYTES = 16_000_000
"""A row group ends when its texts have so many characters."""
SHARD_BYTES = 300_000_000
"""A file ends after so many bytes."""
_COUNTED = ["split", "status", "reason", "layer", "run", "review", "edited", "turns", "words"]
_COUNTED += ["cost_micro", "unknown_calls"]


class Parquet:
    """The format. Arrow is imported only where it is needed: it is large."""

    name = "parquet"
    title = "Parquet, as Hugging Face lays it out"
    suffix = "parquet"
    needs: tuple[str, ...] = ()

    def sink(
        self, folder: Path, options: ExportOptions, columns: Sequence[Column] = COLUMNS
    ) -> "ParquetSink":
        """Shards for each split."""
        return ParquetSink(folder, options, columns)

    def rows(self, file: Path) -> Iterator[tuple[Metadata, ...]]:
        """The columns that are counted, row by row."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        from convo_gateway.exports.arrow import is_schema

        try:
            with pq.ParquetFile(file) as opened:
                if not is_schema(opened.schema_arrow):
                    raise ValueError("its schema is not that of an export")
                # All of it is read, so that damage shows wherever it is.
                for batch in opened.iter_batches(GROUP_ROWS):
                    for row in batch.select(_COUNTED).to_pylist():
                        yield (row,)
        except pa.ArrowException as error:
            raise ValueError(f"it is no whole Parquet file: {error}") from None

    def features(self, columns: Sequence[Column] = COLUMNS) -> list[dict[str, object]]:
        """Every column with its type."""
        from convo_gateway.exports.arrow import features

        return features(columns)


class _Split:
    """The shards of a split."""

    def __init__(
        self, folder: Path, split: str, compression: str, columns: Sequence[Column]
    ) -> None:
        self._folder, self._split, self._compression = folder, split, compression
        self._columns = columns
        self._waiting: list[Example] = []
        self._characters = 0
        self._outputs: list[tuple[Output, Path]] = []
        self._rows: list[int] = []
        self._writer: pq.ParquetWriter | None = None
        self._begin()

    @property
    def size(self) -> int:
        return sum(output.digest.size for output, _ in self._outputs)

    def write(self, example: Example) -> None:
        self._waiting.append(example)
        self._characters += sum(len(message.content) for message in example.messages)
        if len(self._waiting) >= GROUP_ROWS or self._characters >= GROUP_BYTES:
            self._flush()

    def _begin(self) -> None:
        import pyarrow.parquet as pq

        from convo_gateway.exports.arrow import schema_of

        part = self._folder / "data" / f"{self._split}.{len(self._outputs):05d}.part"
        output = Output(part)
        self._outputs.append((output, part))
        self._rows.append(0)
        schema = schema_of(self._columns)
        self._writer = pq.ParquetWriter(output, schema, compression=self._compression)

    def _flush(self) -> None:
        from convo_gateway.exports.arrow import table_of

        if not self._waiting:
            return
        if self._outputs[-1][0].digest.size >= SHARD_BYTES:
            self._finish()
            self._begin()
        assert self._writer is not None
        table: pa.Table = table_of(self._waiting, self._columns)
        self._writer.write_table(table, row_group_size=len(self._waiting))
        self._rows[-1] += len(self._waiting)
        self._waiting, self._characters = [], 0

    def _finish(self) -> None:
        assert self._writer is not None
        self._writer.close()
        self._outputs[-1][0].close()

    def close(self) -> list[FileMade]:
        self._flush()
        self._finish()
        made = []
        for at, ((output, part), rows) in enumerate(zip(self._outputs, self._rows, strict=True)):
            path = f"data/{self._split}-{at:05d}-of-{len(self._outputs):05d}.parquet"
            part.rename(self._folder / path)
            made.append(output.digest.made(path, "data", split=self._split, rows=rows))
        return made


class ParquetSink:
    """Writes row groups as they fill."""

    def __init__(self, folder: Path, options: ExportOptions, columns: Sequence[Column]) -> None:
        """Begin the first shard of every split, so that an empty one has its schema."""
        compression = "zstd" if options.zstd else "snappy"
        self._splits = {
            split: _Split(folder, split, compression, columns) for split in options.splits
        }

    @property
    def size(self) -> int:
        """Bytes on disk so far."""
        return sum(split.size for split in self._splits.values())

    def write(self, example: Example) -> Misfit | None:
        """Take it; every conversation has a row."""
        self._splits[example.split].write(example)
        return None

    def close(self, skip: Callable[[Example, Misfit], None]) -> list[FileMade]:
        """Finish the shards and give them their names."""
        return [made for split in self._splits.values() for made in split.close()]


FORMAT = Parquet()
