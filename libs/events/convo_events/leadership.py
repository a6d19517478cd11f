"""One active process of a kind: a Postgres advisory lock held by a connection of its own."""

import asyncio
import logging
import zlib

import asyncpg

from convo_events.errors import Unavailable
from convo_events.settings import Settings
from convo_events.store import OUTAGES

log = logging.getLogger(__name__)


class Leadership:
    """The lock of one role. It is lost with its connection, and so with the process."""

    def __init__(self, settings: Settings, role: str) -> None:
        """Name the role, such as ``scheduler``."""
        self._settings = settings
        self._key = zlib.crc32(f"convo-{role}".encode())
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    async def acquire(self, stopping: asyncio.Event) -> bool:
        """Wait until this process leads; False when it is stopped before."""
        while not stopping.is_set():
            try:
                if await self._try():
                    return True
            except OUTAGES as error:
                log.warning("waiting for Postgres", extra={"action": "lead", "error": repr(error)})
                await self.release()
            try:
                await asyncio.wait_for(stopping.wait(), 0.5)
            except TimeoutError:
                continue
        return False

    async def _try(self) -> bool:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(
                self._settings.dsn(),
                timeout=10,
                command_timeout=10,
                server_settings={"application_name": f"{self._settings.instance} lead"},
            )
        return bool(await self._connection.fetchval("select pg_try_advisory_lock($1)", self._key))

    async def check(self) -> None:
        """Make sure that the lock is still held.

        Raises:
            Unavailable: when the connection, and with it the lock, is gone.
        """
        if self._connection is None or self._connection.is_closed():
            raise Unavailable("leadership is lost", part="postgres")
        try:
            await self._connection.fetchval("select 1")
        except OUTAGES as error:
            raise Unavailable(f"leadership is lost: {error}", part="postgres") from error

    async def release(self) -> None:
        """Close the connection; the lock goes with it."""
        connection, self._connection = self._connection, None
        if connection is not None and not connection.is_closed():
            try:
                await connection.close(timeout=5)
            except OUTAGES as error:
                log.debug(
                    "lock connection not closed", extra={"action": "lead", "error": repr(error)}
                )
