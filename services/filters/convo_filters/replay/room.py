"""Replays beside the step queue: one at a time, in a process of its own and at low priority, so that no step waits."""

import asyncio
import logging
import sys
import time
from asyncio.subprocess import PIPE, Process

from convo_events.errors import Unavailable
from convo_events.service import Parts
from convo_filters.replay import claims
from convo_filters.replay.claims import Claim

log = logging.getLogger(__name__)

LOOK_S = 0.25
"""How often somebody looks for a wish."""
AWAY_S = 2.0
IDLE_S = 300.0
"""How long the process stays without work: people try one thing after another, and starting it takes a second."""
MODULE = "convo_filters.replay"


class Replays:
    """Takes wishes and has a process work on them."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts; the process starts with the first wish."""
        self._parts = parts
        self._process: Process | None = None
        self._worked_at = 0.0

    async def run(self) -> None:
        """Take one replay after another until the service stops; one that is under way then is left to others."""
        try:
            while not self._parts.stopping.is_set():
                await self._stopping_within(await self._look())
        finally:
            await self._end()

    async def _look(self) -> float:
        """Take a wish, if there is one, and see it through; seconds until the next look."""
        try:
            claim = await claims.take(self._parts.pool, self._parts.settings.owner)
            if claim is not None:
                await self._see_through(claim)
                return 0
        except Unavailable as error:
            log.warning("replays wait: %s", error, extra={"action": "replay"})
            return AWAY_S
        if self._process is not None and time.monotonic() - self._worked_at > IDLE_S:
            await self._end()
        return LOOK_S

    async def _see_through(self, claim: Claim) -> None:
        """Wait until the process is through with it; where it ends before, anybody may begin again."""
        working = asyncio.create_task(self._work(claim))
        stop = asyncio.create_task(self._parts.stopping.wait())
        try:
            await asyncio.wait({working, stop}, return_when=asyncio.FIRST_COMPLETED)
            through = working.done() and working.result()
        finally:
            working.cancel()
            stop.cancel()
        self._worked_at = time.monotonic()
        if not through:
            log.warning("replay let go", extra={"action": "replay", "replay": claim.replay})
            await self._end()
            await claims.release(self._parts.pool, claim)

    async def _work(self, claim: Claim) -> bool:
        """Whether the process came back from its work."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", MODULE), stdin=PIPE, stdout=PIPE
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{claim.replay} {claim.fence}\n".encode())
            return bool(await process.stdout.readline())
        except OSError:
            return False

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()

    async def _stopping_within(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._parts.stopping.wait(), seconds)
        except TimeoutError:
            return
