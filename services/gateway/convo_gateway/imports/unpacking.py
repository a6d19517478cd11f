"""Zstandard as a file to read from, in bounded memory, and honest about a file that breaks off."""

import io
from collections.abc import Iterator
from typing import BinaryIO

import zstandard
from typing_extensions import Buffer

_MOST_WINDOW = 1 << 27
"""Bytes of history that a file may ask for: what the tool ``zstd`` writes at most without being told to."""
_PIECE = 1_024
"""Bytes unpacked at once. A piece of hostile data becomes 128 KiB for each 4 bytes."""


def unpacked_zstd(file: BinaryIO) -> Iterator[bytes]:
    """What the frames of a file hold.

    Raises:
        zstandard.ZstdError: where the data is damaged.
        EOFError: where the file ends inside a frame; the reader of the library passes over that in silence.
    """
    unpacker = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW)
    frame, begun = unpacker.decompressobj(), False
    while piece := file.read(_PIECE):
        while piece:
            begun = True
            yield frame.decompress(piece)
            if not frame.eof:
                break
            piece = frame.unused_data
            frame, begun = unpacker.decompressobj(), False
    if begun:
        raise EOFError("the compressed data ends in the middle")


class Unpacked(io.RawIOBase):
    """Pieces of bytes, read like a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        """Take the pieces."""
        self._pieces = pieces
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, into: Buffer) -> int:
        """Fill a buffer with what comes next; how much that was, 0 at the end."""
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = memoryview(piece)
        target = memoryview(into).cast("B")
        count = min(len(target), len(self._left))
        target[:count] = self._left[:count]
        self._left = self._left[count:]
        return count
