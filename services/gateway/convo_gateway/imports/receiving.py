"""A file on its way in: written to disk as it is sent, then read into the database beside all else."""

import asyncio
import hashlib
import logging
import tempfile
import uuid
from collections.abc import AsyncIterable
from dataclasses import dataclass, field
from typing import BinaryIO

import asyncpg

from convo_events.errors import ConvoError, Unavailable
from convo_gateway.connections import Connections
from convo_gateway.imports import sources
from convo_gateway.imports.reading import Broken, open_rows
from convo_gateway.imports.staging import Staging

log = logging.getLogger(__name__)

AT_ONCE = 1
"""Files that one gateway reads at a time; others wait."""


@dataclass(slots=True)
class Receiving:
    """The files that this gateway reads."""

    connections: Connections
    _seat: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def take(self, name: str, chunks: AsyncIterable[bytes]) -> tuple[str, bool]:
        """Receive a file; the id under which it is being read, and whether the same bytes were read under it before.

        Raises:
            Unavailable: where there is no room on disk, or Postgres is away.
        """
        file, sha256, size = await _spooled(chunks)
        source = f"imp-{uuid.uuid4().hex[:12]}"
        try:
            async with self.connections.database() as c:
                known = await sources.begin(c, source, name, sha256, size)
        except BaseException:
            file.close()
            raise
        if known != source:
            file.close()
            return known, True
        task = asyncio.create_task(self._read(source, file))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return source, False

    async def _read(self, source: str, file: BinaryIO) -> None:
        with file:
            try:
                async with self._seat, self.connections.database() as c:
                    opened = await asyncio.to_thread(open_rows, file)
                    await sources.tell_format(c, source, opened.format)
                    staging = Staging(c, source)
                    try:
                        tally = await staging.stage(opened.rows)
                    except Broken as error:
                        await sources.break_off(c, source, str(error))
                        return
                    await sources.finish(c, source, tally)
            except Broken as error:
                await self._break_off(source, str(error))
            except (ConvoError, asyncpg.PostgresError, OSError) as error:
                await self._break_off(source, f"it could not be stored: {error}")
            except Exception:
                log.exception("import stumbled", extra={"action": "import", "source": source})
                await self._break_off(
                    source, "an error of convo itself; its log has the id of the import"
                )

    async def _break_off(self, source: str, detail: str) -> None:
        try:
            async with self.connections.database() as c:
                await sources.break_off(c, source, detail)
        except ConvoError as error:
            log.warning("import left behind", extra={"action": "import", "error": str(error)})


async def _spooled(chunks: AsyncIterable[bytes]) -> tuple[BinaryIO, str, int]:
    """The file on disk at its beginning, with its SHA-256 and size; it is gone when it is closed."""
    digest, size = hashlib.sha256(), 0
    file: BinaryIO = tempfile.TemporaryFile(prefix="convo-import-")  # noqa: SIM115 - closed by who reads it
    try:
        async for chunk in chunks:
            digest.update(chunk)
            size += len(chunk)
            await asyncio.to_thread(file.write, chunk)
        await asyncio.to_thread(file.seek, 0)
    except OSError as error:
        file.close()
        message = (
            f"the file cannot be kept while it is read: {error.strerror}; make room, or set TMPDIR"
        )
        raise Unavailable(message, part="gateway") from None
    except BaseException:
        file.close()
        raise
    return file, digest.hexdigest(), size
