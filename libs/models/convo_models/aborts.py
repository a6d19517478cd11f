"""Cancel reaches calls in flight: told over NATS at once, or noticed within a second by looking."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

import orjson
from nats.aio.client import Client
from nats.aio.msg import Msg

from convo_events.errors import Unavailable
from convo_events.store import Pool, outage_named
from convo_events.subjects import CONTROL

log = logging.getLogger(__name__)
Result = TypeVar("Result")

LOOK_EVERY_S = 1.0
_ENDING = ("cancelling", "cancelled", "failed")


class Aborted(Exception):
    """The run was cancelled while the call was under way; its socket is closed."""


class Aborts:
    """Calls in flight by run, so that a cancel can cut them."""

    def __init__(self, pool: Pool, client: Client) -> None:
        """Take what cancels are heard through."""
        self._pool = pool
        self._client = client
        self._calls: dict[str, set[asyncio.Task[Any]]] = {}

    async def run_call(self, run: str, call: Coroutine[Any, Any, Result]) -> Result:
        """The result of a call that a cancel of its run can cut.

        Raises:
            Aborted: when it was cut.
        """
        task = asyncio.create_task(call)
        self._calls.setdefault(run, set()).add(task)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            tasks = self._calls[run]
            tasks.discard(task)
            if not tasks:
                del self._calls[run]
        if task.cancelled():
            raise Aborted(run)
        return task.result()

    async def watch(self) -> None:
        """Listen and look until cancelled."""
        subscription = await self._client.subscribe(f"{CONTROL}.*", cb=self._told)
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY_S)
                await self._look()
        finally:
            await subscription.unsubscribe()

    async def _told(self, message: Msg) -> None:
        control = orjson.loads(message.data)
        if control["status"] in _ENDING:
            self._cut(control["run"])

    async def _look(self) -> None:
        if not self._calls:
            return
        try:
            async with outage_named():
                rows = await self._pool.fetch(
                    "select run from run_control where run = any($1) and status = any($2)",
                    list(self._calls),
                    list(_ENDING),
                )
        except Unavailable as error:
            log.warning("cancels not looked for", extra={"action": "abort", "error": repr(error)})
            return
        for row in rows:
            self._cut(row["run"])

    def _cut(self, run: str) -> None:
        for task in self._calls.get(run, ()):
            task.cancel()
