"""Count the text of what was accepted, a moment behind the fold: its own position, its own transactions, no haste.

Text is dear to read and the fold is what everything waits for, so the two are apart. Here it is a conversation at a
time, and the event loop is given back after each.
"""

import asyncio
import logging
from collections import OrderedDict

from convo_events.errors import Unavailable
from convo_events.store import Connection, Pool, outage_named
from convo_projector import distribution_rows as rows
from convo_projector.distributions import Distribution

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
BREATH_S = 0.05
"""Between full batches: a count that is far behind takes half of a core at most."""
AFTER_TROUBLE_S = 30.0
BATCH = 50
"""Conversations counted in one transaction."""
KEPT_RUNS = 64
KEPT_HASHES = 8_000_000
"""Hashes in the windows that are kept in memory, of 8 bytes each; what is dropped is read again when it is needed."""


class TextCount:
    """Counts for all runs. Only one may be at work at a time; another one that was faster is noticed."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._kept: OrderedDict[str, Distribution] = OrderedDict()
        self._position = 0

    async def run(self) -> None:
        """Count until cancelled; an outage is waited out, and no trouble here may stop the fold."""
        while True:
            pause = LOOK_EVERY_S
            try:
                if await self.count() == BATCH:
                    pause = BREATH_S
            except Unavailable as error:
                log.warning("texts wait", extra={"action": "count", "error": repr(error)})
            except Exception:  # a text that cannot be counted must not stop the fold
                log.exception("texts are not counted", extra={"action": "count"})
                pause = AFTER_TROUBLE_S
            await asyncio.sleep(pause)

    async def catch_up(self, until: int) -> None:
        """Count everything up to a position of the archive.

        Raises:
            Unavailable: when Postgres is away.
        """
        while await self.count(until):
            pass

    async def count(self, until: int | None = None) -> int:
        """Count the next conversations; how many there were.

        Raises:
            Unavailable: when Postgres is away; nothing was changed.
        """
        try:
            async with outage_named(), self._pool.acquire() as c, c.transaction():
                counted = await self._count(c, until)
        except BaseException:
            self._kept.clear()
            raise
        self._trim()
        return counted

    async def _count(self, c: Connection, until: int | None) -> int:
        before = await rows.position_of(c)
        if before != self._position:
            self._kept.clear()  # somebody else has counted meanwhile
        verdicts = await rows.verdicts_after(c, before, BATCH, until)
        self._position = before
        if not verdicts:
            return 0
        if not await rows.move(c, before, verdicts[-1].position):
            raise Unavailable("another projector counts texts", part="projector")
        changed: dict[str, int] = {}
        for verdict, text in zip(verdicts, await rows.texts_of(c, verdicts), strict=True):
            if verdict.run not in self._kept:
                self._kept[verdict.run], _ = await rows.stored(c, verdict.run)
            self._kept.move_to_end(verdict.run)
            self._kept[verdict.run].add(text)
            changed[verdict.run] = verdict.position
            await asyncio.sleep(0)
        for run, position in changed.items():
            await rows.save(c, self._kept[run], position)
        self._position = verdicts[-1].position
        return len(verdicts)

    def _trim(self) -> None:
        held = sum(one.held for one in self._kept.values())
        while self._kept and (len(self._kept) > KEPT_RUNS or held > KEPT_HASHES):
            held -= self._kept.popitem(last=False)[1].held
