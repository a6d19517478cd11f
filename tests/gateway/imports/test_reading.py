"""Files of every format, plain and compressed, whole and broken."""

import gzip
import io
import json
from collections.abc import Callable
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from convo_gateway.imports.reading import Broken, open_rows
from convo_gateway.imports.row import Refused, Taken

RECORDS = [
    {"conversations": [{"from": "human", "value": f"你好 {n}"}, {"from": "gpt", "value": "שלום"}]}
    for n in range(250)
]
ODD = {"conversations": [{"from": "human", "value": None}]}


def file_of(content: bytes) -> BinaryIO:
    """A file as an upload leaves it on disk."""
    return io.BufferedRandom(io.BytesIO(content))  # type: ignore[arg-type]  # bytes in memory can all that is asked


def lines(records: list[dict[str, object]]) -> bytes:
    return b"\n".join(json.dumps(record).encode() for record in records)


def array(records: list[dict[str, object]]) -> bytes:
    return b"\xef\xbb\xbf " + json.dumps(records, indent=1).encode()


def parquet(records: list[dict[str, object]]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records), file, compression="zstd")
    return file.getvalue()


def zipped(content: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(content)


@pytest.mark.parametrize(
    ("write", "pack", "name"),
    [
        (lines, bytes, "jsonl"),
        (lines, gzip.compress, "jsonl, gzip"),
        (lines, zipped, "jsonl, zstd"),
        (array, bytes, "json"),
        (array, gzip.compress, "json, gzip"),
        (parquet, bytes, "parquet"),
    ],
)
def test_every_format_gives_the_same_rows(
    write: Callable[[list[dict[str, object]]], bytes], pack: Callable[[bytes], bytes], name: str
) -> None:
    opened = open_rows(file_of(pack(write([*RECORDS, ODD, RECORDS[0]]))))
    rows = list(opened.rows)

    assert opened.format == name
    assert [row.row for row in rows] == list(range(1, 253))
    texts = [row.turns[0].text for row in rows if isinstance(row, Taken)]
    assert texts == [f"你好 {n}" for n in (*range(250), 0)]
    assert [row.row for row in rows if isinstance(row, Refused)] == [251]


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(lines(RECORDS))[:-200],
        zipped(lines(RECORDS * 40))[:-300] + b"\0" * 300,
        zipped(lines(RECORDS))[:-30],
        array(RECORDS)[:-20],
        parquet(RECORDS)[:-50],
        b"PAR1 and nothing else",
        b"[1, 2",
    ],
)
def test_a_file_that_breaks_off_says_where(content: bytes) -> None:
    with pytest.raises(Broken, match=r"the file breaks (after row|before its first row)"):
        list(open_rows(file_of(content)).rows)


def test_an_empty_file_has_no_rows() -> None:
    assert list(open_rows(file_of(b"")).rows) == []
    assert list(open_rows(file_of(b"[]")).rows) == []
