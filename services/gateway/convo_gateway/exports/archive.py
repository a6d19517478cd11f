"""A folder as one tar, in flat memory: the same files always give the same bytes, and the length is known before."""

import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

_CHUNK = 262_144


def archive_size(folder: Path, name: str, files: Sequence[str]) -> int:
    """Bytes of ``tar_of``."""
    heads = sum(len(_head(folder, name, file)) for file in files)
    bodies = sum(_padded((folder / file).stat().st_size) for file in files)
    return heads + bodies + 2 * tarfile.BLOCKSIZE


def tar_of(folder: Path, name: str, files: Sequence[str]) -> Iterator[bytes]:
    """The tar, some at a time.

    Args:
        folder: where the files are; they do not change any more.
        name: folder that they come out in.
        files: paths below the folder, in the order wanted.
    """
    for file in files:
        yield _head(folder, name, file)
        size = 0
        with (folder / file).open("rb") as content:
            while chunk := content.read(_CHUNK):
                size += len(chunk)
                yield chunk
        if size % tarfile.BLOCKSIZE:
            yield bytes(_padded(size) - size)
    yield bytes(2 * tarfile.BLOCKSIZE)


def _head(folder: Path, name: str, file: str) -> bytes:
    entry = tarfile.TarInfo(f"{name}/{file}")
    entry.size = (folder / file).stat().st_size
    return entry.tobuf(tarfile.PAX_FORMAT)


def _padded(size: int) -> int:
    return -(-size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
