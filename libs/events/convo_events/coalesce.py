"""Many small requests of one process, served in few large ones.

While one flush is under way, what arrives waits and goes together in the next. An idle process flushes at once; a busy
one may linger a few milliseconds for company, because a group costs little more than a single request.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")


BUSY_S = 0.05
"""A process that flushed this short a time ago is busy."""


class Coalescer(Generic[Request, Answer]):
    """Groups concurrent requests into calls of ``flush``."""

    def __init__(
        self,
        flush: Callable[[Sequence[Request]], Awaitable[Sequence[Answer]]],
        *,
        most: int = 500,
        linger_s: float = 0.0,
    ) -> None:
        """Take the function that serves a group; it answers in the order of its requests.

        Args:
            flush: Serves a group.
            most: Largest group.
            linger_s: How long a group waits for company where the last flush ended less than ``BUSY_S`` ago.
        """
        self._flush = flush
        self._most = most
        self._linger_s = linger_s
        self._flushed_at = float("-inf")
        self._waiting: deque[tuple[Request, asyncio.Future[Answer]]] = deque()
        self._task: asyncio.Task[None] | None = None

    async def ask(self, request: Request) -> Answer:
        """The answer to one request.

        Raises:
            Exception: whatever ``flush`` raised for the group.
        """
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        return await future

    async def _drain(self) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while self._waiting:
                busy = clock() - self._flushed_at < BUSY_S and len(self._waiting) < self._most
                # Even one turn of the loop lets requests that are ready at the same moment join the group.
                await asyncio.sleep(self._linger_s if busy else 0)
                size = min(self._most, len(self._waiting))
                await self._serve([self._waiting.popleft() for _ in range(size)])
                self._flushed_at = clock()
        finally:
            self._task = None

    async def _serve(self, group: list[tuple[Request, asyncio.Future[Answer]]]) -> None:
        try:
            answers = await self._flush([request for request, _ in group])
            if len(answers) != len(group):
                raise ValueError(f"{len(answers)} answers to {len(group)} requests")
        except asyncio.CancelledError:
            for _, future in group:
                future.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - every caller of the group gets it
            for _, future in group:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), answer in zip(group, answers, strict=True):
            if not future.done():
                future.set_result(answer)
