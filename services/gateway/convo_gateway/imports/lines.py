"""Lines of JSON out of a stream of bytes, in memory that no line can make grow. Pure."""

import json
from collections.abc import Iterable, Iterator

import orjson

from convo_gateway.imports.record import read_record
from convo_gateway.imports.row import Refused, Row

MOST_LINE = 8_000_000
"""Bytes of a line. A conversation has at most 1.5 MB of text, which escapes can make five times as long."""
_BOM = b"\xef\xbb\xbf"


def rows_of_lines(source: Iterable[bytes], most: int = MOST_LINE) -> Iterator[Row]:
    """Every line that is not blank, as a row; numbers count all lines, so that they are those of an editor."""
    for number, line in enumerate(_lines(source, most), 1):
        if line is None:
            message = f"the line is longer than {most:,} bytes"
            yield Refused(number, "too_long", message)
        elif stripped := line.removeprefix(_BOM if number == 1 else b"").strip():
            yield _row(number, stripped)


def _lines(source: Iterable[bytes], most: int) -> Iterator[bytes | None]:
    """Lines without their end; None for one that is too long, which is read over and never kept."""
    kept, is_long = bytearray(), False
    for chunk in source:
        begin = 0
        while (end := chunk.find(b"\n", begin)) >= 0:
            if not is_long and len(kept) + end - begin <= most:
                kept += memoryview(chunk)[begin:end]
                yield bytes(kept)
            else:
                yield None
            kept, is_long, begin = bytearray(), False, end + 1
        rest = len(chunk) - begin
        if is_long or len(kept) + rest > most:
            kept, is_long = bytearray(), True
        else:
            kept += memoryview(chunk)[begin:]
    if is_long:
        yield None
    elif kept:
        yield bytes(kept)


def _row(number: int, line: bytes) -> Row:
    try:
        record = _parsed(line)
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} of the line is not UTF-8"
        return Refused(number, "not_text", message)
    except RecursionError:
        return Refused(number, "not_json", "the line is nested too deeply")
    except ValueError as error:
        return Refused(number, "not_json", f"the line is no JSON: {error}"[:300])
    return read_record(number, record)


def _parsed(line: bytes) -> object:
    """The record; halves of surrogate pairs are read too, which the fast parser refuses."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return json.loads(line.decode())
