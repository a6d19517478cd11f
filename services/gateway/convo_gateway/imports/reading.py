"""A file of conversations as rows: lines of JSON, one array of JSON, or Parquet; plain or compressed."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Protocol, cast

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from convo_gateway.imports.array import ArrayError, rows_of_array
from convo_gateway.imports.lines import rows_of_lines
from convo_gateway.imports.record import read_record
from convo_gateway.imports.row import Row
from convo_gateway.imports.unpacking import Unpacked, unpacked_zstd

CHUNK = 1 << 20
PARQUET_ROWS = 100
"""Rows of Parquet that are decoded at once."""
_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
_BOM = b"\xef\xbb\xbf"


class Peekable(Protocol):
    """Bytes that can be looked at before they are read."""

    def peek(self, size: int, /) -> bytes:
        """The next bytes, which are still to be read."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes; none at the end."""


class Broken(Exception):
    """A file that cannot be read on; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose format is known."""

    format: str
    """Such as ``jsonl`` or ``json, gzip``."""
    rows: Iterator[Row]


def open_rows(file: BinaryIO) -> Opened:
    """The rows of a buffered file that can be sought in, read while they are asked for.

    Iterating raises ``Broken`` where the file cannot be read on.
    """
    magic = file.read(4)
    file.seek(0)
    if magic == _PARQUET:
        return Opened("parquet", _told(_rows_of_parquet(file)))
    packed, peekable = "", cast(Peekable, file)
    if magic.startswith(_GZIP):
        packed, peekable = ", gzip", gzip.GzipFile(fileobj=file)
    elif magic == _ZSTD:
        packed, peekable = ", zstd", io.BufferedReader(Unpacked(unpacked_zstd(file)), CHUNK)
    with _trouble_told(0):
        kind = "json" if _is_array(peekable) else "jsonl"
    rows_of = rows_of_array if kind == "json" else rows_of_lines
    rows = rows_of(_chunks(peekable))
    return Opened(kind + packed, _told(rows))


def _is_array(file: Peekable) -> bool:
    begin = file.peek(CHUNK).removeprefix(_BOM).lstrip()
    return begin.startswith(b"[")


def _chunks(file: Peekable) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _rows_of_parquet(file: BinaryIO) -> Iterator[Row]:
    number = 0
    with pq.ParquetFile(file) as table:
        for batch in table.iter_batches(batch_size=PARQUET_ROWS):
            for record in batch.to_pylist():
                number += 1
                yield read_record(number, record)


def _told(rows: Iterator[Row]) -> Iterator[Row]:
    """The rows; trouble of the file becomes ``Broken`` with the row after which it came."""
    last = 0
    while True:
        with _trouble_told(last):
            row = next(rows, None)
        if row is None:
            return
        last = row.row
        yield row


@contextmanager
def _trouble_told(last: int) -> Iterator[None]:
    try:
        yield
    except (
        EOFError,
        OSError,
        zlib.error,
        zstandard.ZstdError,
        pa.ArrowException,
        ArrayError,
        UnicodeDecodeError,
    ) as error:
        place = f"after row {last:,}" if last else "before its first row"
        reason = str(error).strip() or type(error).__name__
        raise Broken(f"the file breaks {place}: {reason[:300]}") from error
