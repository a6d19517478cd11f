"""Items of one large JSON array, as ShareGPT files are, out of a stream of bytes. Pure.

Each item is decoded whole, by the decoder that lines have too: parsers of events read halves of surrogate pairs as
other characters, and nobody would ever know.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator

from convo_gateway.imports.lines import MOST_LINE
from convo_gateway.imports.record import read_record
from convo_gateway.imports.row import Refused, Row

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_NO_UTF8 = re.compile("[\udc80-\udcff]")
"""What bytes become that are no UTF-8; an escape cannot be meant, as it is not decoded yet."""


class ArrayError(ValueError):
    """An array that cannot be read on; says why."""


def rows_of_array(source: Iterable[bytes], most: int = MOST_LINE) -> Iterator[Row]:
    """Every item as a row, numbered from 1.

    Args:
        source: The file, in pieces.
        most: Characters of an item. A longer one breaks the array, since nobody knows where it ends.

    Raises:
        ArrayError: where the array breaks off, or is none.
    """
    text = _Text(source, most)
    text.take("[")
    number = 0
    if text.sign() != "]":
        while True:
            number += 1
            yield text.item(number)
            if text.sign() != ",":
                break
            text.take(",")
    text.take("]")
    if text.sign():
        raise ArrayError("something stands behind the end of the array")


class _Text:
    """Characters of the file, as few as an item needs."""

    def __init__(self, source: Iterable[bytes], most: int) -> None:
        self._source = iter(source)
        self._most = most
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape").decode
        self._text, self._at, self._ended = "", 0, False

    def sign(self) -> str:
        """The next character that is no space, which is still to be taken; empty at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            assert space is not None
            self._at = space.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._grow():
                return ""

    def take(self, expected: str) -> None:
        """Go over a character that has to be here."""
        found = self.sign()
        if found != expected:
            there = f"{found!r} stands" if found else "the file ends"
            raise ArrayError(f'{there} where "{expected}" was expected')
        self._at += 1

    def item(self, number: int) -> Row:
        """The next value as a row."""
        self.sign()
        while True:
            why = ""
            try:
                record, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError as error:
                raise ArrayError("an item is nested too deeply") from error
            except ValueError as error:
                why = getattr(error, "msg", str(error))
            else:
                # A number may go on in the next piece.
                if end < len(self._text) or self._ended:
                    begin, self._at = self._at, end
                    if _NO_UTF8.search(self._text, begin, end):
                        return Refused(number, "not_text", "the item has bytes that are not UTF-8")
                    return read_record(number, record)
            if len(self._text) - self._at > self._most:
                why = f"{why}; or the item is longer than {self._most:,} characters"
                raise ArrayError(why)
            if not self._grow(len(self._text) - self._at) and why:
                raise ArrayError(why)

    def _grow(self, least: int = 1) -> bool:
        """Read on by at least so many characters, so that what is decoded again is soon enough; False at the end."""
        pieces, count = [self._text[self._at :]], 0
        while count < least and not self._ended:
            chunk = next(self._source, b"")
            self._ended = not chunk
            pieces.append(self._decode(chunk, self._ended))
            count += len(pieces[-1])
        self._text, self._at = "".join(pieces), 0
        return count > 0
