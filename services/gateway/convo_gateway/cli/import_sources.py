"""What `convo import` is told to bring in: files, the files of folders, and standard input, read in pieces."""

import asyncio
import os
import select
import stat
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from convo_gateway.body_kinds import CONVERSATIONS
from convo_gateway.cli.exits import CommandError, Exit

__all__ = ["STANDARD_INPUT", "Source", "find_sources", "pieces"]

STANDARD_INPUT = "-"
PIECE = 1 << 20
"""Bytes that are read, and held, at once."""
WAIT_S = 0.5
"""A pipe that is silent is asked again this often, so that Ctrl-C never waits for it."""
MOST_NAME = 200
_ENDINGS = (".jsonl", ".ndjson", ".json", ".parquet")
_PACKED = (".gz", ".zst")


@dataclass(frozen=True, slots=True)
class Source:
    """A file to bring in."""

    path: str
    """As it was given, or found in a folder; ``-`` for standard input."""
    name: str
    """Under which it is listed."""
    size: int | None
    """Bytes; None for what ends when it ends."""

    @property
    def said(self) -> str:
        """What a person calls it."""
        return self.name if self.path == STANDARD_INPUT else self.path


def find_sources(given: Sequence[str], name: str | None) -> tuple[list[Source], list[str]]:
    """The files in the order in which they were given, each once, those of a folder by name; and what was left out.

    Raises:
        CommandError: one of them is not there, cannot be read, is too large, or is a folder without files.
    """
    found: dict[str, Source] = {}
    left_out: list[str] = []
    for path in given:
        if path == STANDARD_INPUT:
            found[path] = _standard_input()
        elif Path(path).is_dir():
            inside, others = _folder(Path(path))
            found |= {source.path: source for source in inside}
            left_out += others
        else:
            found[path] = _file(Path(path))
    sources = list(found.values())
    if name is not None:
        if len(sources) > 1:
            raise CommandError(
                f"--name is for one file, and these are {len(sources)}.",
                Exit.USAGE,
                advice="Without it each is listed under its own name.",
            )
        sources = [Source(one.path, name[:MOST_NAME], one.size) for one in sources]
    return sources, left_out


async def pieces(source: Source) -> AsyncIterator[bytes]:
    """The bytes of a file as they are read.

    Raises:
        CommandError: it cannot be read on.
    """
    is_given = source.path == STANDARD_INPUT
    try:
        file = sys.stdin.fileno() if is_given else os.open(source.path, os.O_RDONLY)
        try:
            while (piece := await asyncio.to_thread(_read, file)) != b"":
                if piece is not None:
                    yield piece
        finally:
            if not is_given:
                os.close(file)
    except OSError as error:
        raise _unreadable(source.path, error) from error


def _read(file: int) -> bytes | None:
    """The next piece; empty at the end, None where there is nothing yet."""
    ready, _, _ = select.select([file], [], [], WAIT_S)
    return os.read(file, PIECE) if ready else None


def _standard_input() -> Source:
    if sys.stdin.isatty():
        raise CommandError(
            "Standard input is the terminal.",
            Exit.USAGE,
            advice="Send it a file, such as: zstdcat old.jsonl.zst | convo import -",
        )
    return Source(STANDARD_INPUT, "standard input", None)


def _file(path: Path) -> Source:
    try:
        state = path.stat()
        if not os.access(path, os.R_OK):
            raise PermissionError(0, "permission denied")
    except (OSError, ValueError) as error:
        raise _unreadable(str(path), error) from error
    is_file = stat.S_ISREG(state.st_mode)
    if is_file and state.st_size > CONVERSATIONS.most_bytes:
        raise CommandError(
            f"{path} has {state.st_size:,} bytes; an import has at most {CONVERSATIONS.most_bytes:,}.",
            Exit.USAGE,
            advice="Split it, or compress it with gzip or zstd.",
        )
    listed = os.fsencode(path.name).decode("utf-8", "replace")[:MOST_NAME] if is_file else "pipe"
    return Source(str(path), listed, state.st_size if is_file else None)


def _folder(folder: Path) -> tuple[list[Source], list[str]]:
    """Files that look like data, by name, and the names of all else that is not hidden."""
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise _unreadable(str(folder), error) from error
    wanted = [path for path in inside if path.is_file() and _is_data(path.name)]
    others = [str(path) for path in inside if path not in wanted]
    if not wanted:
        raise CommandError(
            f"{folder} has no file to import.",
            Exit.USAGE,
            advice=f"Of a folder the files are taken that end in {', '.join(_ENDINGS)}, also with "
            f"{' or '.join(_PACKED)}; folders in it are not looked into.",
        )
    return [_file(path) for path in wanted], others


def _is_data(name: str) -> bool:
    low = name.lower()
    for packed in _PACKED:
        low = low.removesuffix(packed)
    return low.endswith(_ENDINGS)


def _unreadable(path: str, error: Exception) -> CommandError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    advice = ""
    if path in ("list", "show", "refused", "delete"):
        advice = f"What was brought in before: convo imports {path}"
    return CommandError(
        f"{path} cannot be read: {(reason or type(error).__name__).lower()}",
        Exit.USAGE,
        advice=advice,
    )
