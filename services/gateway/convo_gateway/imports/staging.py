"""Rows of a file on their way into the database: in batches, each conversation once, everything counted."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import orjson

from convo_events.store import Connection
from convo_gateway.imports.record import SYSTEM
from convo_gateway.imports.row import Refused, Row, Taken

BATCH_ROWS = 500
BATCH_CHARACTERS = 4_000_000
MOST_PROBLEMS = 1_000
"""Refused rows of a source that are kept with their reason; all of them are counted."""


@dataclass(slots=True)
class Tally:
    """What was read so far."""

    taken: int = 0
    mended: int = 0
    characters: int = 0
    turns: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """Code to rows."""

    @property
    def read(self) -> int:
        """Rows, taken or refused."""
        return self.taken + self.refused.total()


class Staging:
    """Stages the rows of one source."""

    def __init__(self, c: Connection, source: str) -> None:
        """Take a connection that is this source's alone while it is read."""
        self._c = c
        self._source = source
        self.tally = Tally()
        self._kept = 0

    async def stage(self, rows: Iterator[Row]) -> Tally:
        """Stage all rows, read beside the event loop; what they came to.

        Raises:
            Broken: where the file cannot be read on.
        """
        while batch := await asyncio.to_thread(_batch, rows):
            await self._write(batch)
        return self.tally

    async def _write(self, batch: Sequence[Row]) -> None:
        rows = await self._without_copies(batch)
        taken = [row for row in rows if isinstance(row[0], Taken)]
        refused = [row for row, _ in rows if isinstance(row, Refused)]
        await self._c.copy_records_to_table(
            "import_row",
            columns=["source", "position", "row", "content", "turns", "metadata", "left_out"],
            records=[
                self._record(self.tally.taken + place, row, content)
                for place, (row, content) in enumerate(taken)
                if isinstance(row, Taken)
            ],
        )
        self._count(rows)
        await self._keep_problems(refused)
        await self._touch()

    def _record(self, position: int, row: Taken, content: bytes) -> tuple[object, ...]:
        turns = orjson.dumps([[turn.role, turn.text] for turn in row.turns]).decode()
        metadata = orjson.dumps(row.metadata, default=str).decode()
        kept = (row.row, content, turns, metadata, orjson.dumps(row.left_out).decode())
        return (self._source, position, *kept)

    async def _without_copies(self, batch: Sequence[Row]) -> list[tuple[Row, bytes]]:
        """The rows with the hash of what is said; one that says what another one said is refused."""
        hashes = [content_of(row) if isinstance(row, Taken) else b"" for row in batch]
        found = await self._c.fetch(
            "select content, row from import_row where source = $1 and content = any($2)",
            self._source,
            [content for content in hashes if content],
        )
        first: dict[bytes, int] = {record["content"]: record["row"] for record in found}
        rows: list[tuple[Row, bytes]] = []
        for row, content in zip(batch, hashes, strict=True):
            before = first.setdefault(content, row.row) if content else row.row
            if before == row.row:
                rows.append((row, content))
            else:
                message = f"says exactly what row {before} says"
                rows.append((Refused(row.row, "duplicate", message), b""))
        return rows

    def _count(self, rows: Sequence[tuple[Row, bytes]]) -> None:
        for row, _ in rows:
            if isinstance(row, Refused):
                self.tally.refused[row.code] += 1
                continue
            self.tally.taken += 1
            self.tally.mended += row.mended
            self.tally.turns += len(row.turns)
            self.tally.characters += sum(len(turn.text) for turn in row.turns)

    async def _keep_problems(self, refused: Sequence[Refused]) -> None:
        kept = refused[: MOST_PROBLEMS - self._kept]
        self._kept += len(kept)
        await self._c.copy_records_to_table(
            "import_problem",
            columns=["source", "row", "code", "pointer", "message"],
            records=[
                (self._source, row.row, row.code, _plain(row.pointer[:500]), _plain(row.message))
                for row in kept
            ],
        )

    async def _touch(self) -> None:
        tally = self.tally
        await self._c.execute(
            "update import_source set read = $2, taken = $3, refused = $4, mended = $5, characters = $6,"
            " turns = $7, touched_at = clock_timestamp() where id = $1",
            self._source,
            tally.read,
            tally.taken,
            tally.refused.total(),
            tally.mended,
            tally.characters,
            tally.turns,
        )


def _batch(rows: Iterator[Row]) -> list[Row]:
    """The next rows, as many as are written at once; none at the end."""
    batch: list[Row] = []
    size = 0
    while len(batch) < BATCH_ROWS and size < BATCH_CHARACTERS:
        row = next(rows, None)
        if row is None:
            break
        batch.append(row)
        size += _size(row) if isinstance(row, Taken) else 0
    return batch


def _size(row: Taken) -> int:
    """Characters, about."""
    system = row.metadata.get(SYSTEM, "")
    return sum(len(turn.text) for turn in row.turns) + len(str(system))


def content_of(row: Taken) -> bytes:
    """A hash of who says what, 16 bytes; metadata does not count."""
    said = orjson.dumps([[turn.role, turn.text] for turn in row.turns])
    return hashlib.blake2b(said, digest_size=16).digest()


def _plain(text: str) -> str:
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()
