"""Files of an export: written once, front to back, and hashed, counted and measured on the way."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

import zstandard

from convo_gateway.shapes.export_manifest import FileMade

BLOCK = 1_048_576
"""Bytes of which each block of a file has a digest of its own, so that a difference has a place."""
_LEVEL = 3


class Digest:
    """Size, SHA-256 and digests of blocks of what goes by."""

    def __init__(self) -> None:
        """Nothing has gone by."""
        self.size = 0
        self._whole = hashlib.sha256()
        self._block, self._filled = hashlib.sha256(), 0
        self._blocks: list[str] = []

    def update(self, content: bytes | memoryview) -> None:
        """Take in what comes next."""
        rest = memoryview(content)
        self._whole.update(rest)
        self.size += len(rest)
        while len(rest):
            part = rest[: BLOCK - self._filled]
            self._block.update(part)
            self._filled += len(part)
            rest = rest[len(part) :]
            if self._filled == BLOCK:
                self._close_block()

    def _close_block(self) -> None:
        self._blocks.append(self._block.hexdigest()[:16])
        self._block, self._filled = hashlib.sha256(), 0

    def made(self, path: str, kind: str, *, split: str = "", rows: int | None = None) -> FileMade:
        """What is known of the file that went by."""
        tail = [self._block.hexdigest()[:16]] if self._filled else []
        blocks = [*self._blocks, *tail]
        return FileMade(
            path=path,
            kind=kind,
            split=split,
            rows=rows,
            bytes=self.size,
            sha256=self._whole.hexdigest(),
            blocks=tuple(blocks) if len(blocks) > 1 else (),
        )


class Output(io.RawIOBase):
    """A new file that knows its digest."""

    def __init__(self, file: Path) -> None:
        """Open it; its folder is made where it is missing."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file.open("xb")
        self.digest = Digest()

    def writable(self) -> bool:
        """True: that is what it is for."""
        return True

    def write(self, content: object) -> int:
        """Append; how many bytes that were."""
        part = memoryview(cast(bytes, content)).cast("B")
        self.digest.update(part)
        self._file.write(part)
        return len(part)

    def close(self) -> None:
        """Finish the file. Nothing happens the second time."""
        if not self.closed:
            self._file.close()
            super().close()


class Lines:
    """A file of lines, compressed or not."""

    def __init__(self, folder: Path, path: str, *, zstd: bool) -> None:
        """Begin the file; a compressed one has ``.zst`` after its name."""
        self.path = f"{path}.zst" if zstd else path
        self._output = Output(folder / self.path)
        self._pressed: BinaryIO | None = None
        if zstd:
            # One thread, so that the bytes are the same on every machine.
            press = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
            self._pressed = press.stream_writer(cast(IO[bytes], self._output), closefd=False)
        self.rows = 0

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._output.digest.size

    def write(self, line: bytes) -> None:
        """Append one row, its line break included."""
        self.text(line)
        self.rows += 1

    def text(self, text: bytes) -> None:
        """Append what is no row, such as a head."""
        (self._pressed or self._output).write(text)

    def close(self, kind: str, split: str = "") -> FileMade:
        """Finish it, and tell what it is."""
        if self._pressed is not None:
            self._pressed.close()
        self._output.close()
        return self._output.digest.made(self.path, kind, split=split, rows=self.rows)


def write_file(folder: Path, path: str, content: bytes, kind: str) -> FileMade:
    """A small file, written whole."""
    output = Output(folder / path)
    output.write(content)
    output.close()
    return output.digest.made(path, kind)


@contextmanager
def opened(file: Path) -> Iterator[BinaryIO]:
    """A file of lines to read, compressed or not.

    Raises:
        ValueError: what should be compressed is damaged.
    """
    with file.open("rb") as raw:
        if file.suffix != ".zst":
            yield raw
            return
        reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        try:
            with io.BufferedReader(cast(io.RawIOBase, reader)) as plain:
                yield cast(BinaryIO, plain)
        except zstandard.ZstdError as error:
            raise ValueError(f"it is not compressed as it should be: {error}") from None
