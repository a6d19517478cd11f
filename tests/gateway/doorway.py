"""A port that leads to a server, or to nobody: how a part is away for a test."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Doorway:
    """Forwards a loopback port to a server while it is open."""

    def __init__(self, connect: Callable[[], Awaitable[Line]]) -> None:
        self._connect = connect
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()
        # Bound and not listened on: it refuses everybody while the door is closed, and nobody else can take the port.
        self._held = _bound(0)
        self.port: int = self._held.getsockname()[1]

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass, sock=_bound(self.port))

    async def close(self) -> None:
        """Cut every line, and refuse new ones."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for line in tuple(self._lines):
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def leave(self) -> None:
        """Close, and let the port go."""
        await self.close()
        self._held.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        there = None
        try:
            back, there = await self._connect()
            pumps = {
                asyncio.create_task(_pump(reader, there)),
                asyncio.create_task(_pump(back, writer)),
            }
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        except asyncio.CancelledError:
            pass
        finally:
            self._lines.discard(task)
            for end in (writer, there):
                if end is not None:
                    end.transport.abort()


def _bound(port: int) -> socket.socket:
    """A socket on a loopback port that others of this kind may share."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    found.bind(("127.0.0.1", port))
    return found


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while chunk := await source.read(65_536):
            sink.write(chunk)
            await sink.drain()
