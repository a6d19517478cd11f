"""One connected client: the topics it follows, and a bounded queue of what it is still to read."""

import asyncio
from collections import deque

from convo_gateway.live.messages import Resync

QUEUED = 128
"""Messages that a client may be behind."""
TOPICS = 64
"""Topics that one client may follow."""


class Session:
    """What waits for one client. Only the event loop touches it."""

    def __init__(self) -> None:
        """Follow nothing yet."""
        self.topics: set[str] = set()
        self._queue: deque[tuple[bytes, bool]] = deque()
        self._filled = asyncio.Event()
        self._emptied = asyncio.Event()

    def answer(self, message: bytes) -> None:
        """Queue what the client asked for."""
        self._put(message, delta=False)

    def tell(self, delta: bytes) -> bool:
        """Queue a delta. False where the client is too far behind: it is told to subscribe again instead."""
        if len(self._queue) < QUEUED:
            self._put(delta, delta=True)
            return True
        self._queue = deque(entry for entry in self._queue if not entry[1])
        resync = Resync(topics=tuple(sorted(self.topics)))
        self._put(resync.model_dump_json().encode(), delta=False)
        return False

    def _put(self, message: bytes, *, delta: bool) -> None:
        self._queue.append((message, delta))
        self._filled.set()

    async def next(self, patience_s: float) -> bytes | None:
        """The next message, in order; None where there is none for so long."""
        if not self._queue:
            self._filled.clear()
            try:
                async with asyncio.timeout(patience_s):
                    await self._filled.wait()
            except TimeoutError:
                return None
        message, _ = self._queue.popleft()
        self._emptied.set()
        return message

    async def room(self) -> None:
        """Wait until the client has read enough to ask for more."""
        while len(self._queue) >= QUEUED:
            self._emptied.clear()
            await self._emptied.wait()
