"""What heals by itself: calls whose worker died, and booked outcomes that never reached the log."""

import asyncio
import logging
from datetime import UTC, datetime

import nats.errors
import nats.js.errors

from convo_events.errors import Unavailable
from convo_events.service import Parts
from convo_events.subjects import LOG_STREAM, ROOMS
from convo_models.reaper import reap, unfolded

log = logging.getLogger(__name__)

REAP_EVERY_S = 1.0
REPUBLISH_EVERY_S = 10.0
UNFOLDED_AFTER_S = 60.0
"""An outcome that is not folded this long after it was booked is published again."""


class Repair:
    """Runs beside the fold, in the one process that leads."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts."""
        self._parts = parts
        self._looked_at = datetime(1970, 1, 1, tzinfo=UTC)
        self._next_republish = 0.0

    async def run(self) -> None:
        """Repair until cancelled; an outage is waited out."""
        while True:
            try:
                await self._once()
            except Unavailable as error:
                log.warning("repair waits", extra={"action": "repair", "error": repr(error)})
            await asyncio.sleep(REAP_EVERY_S)

    async def _once(self) -> None:
        lost = await reap(self._parts.pool, self._parts.settings.instance)
        if lost:
            log.warning(
                "calls lost with their worker", extra={"action": "reap", "calls": len(lost)}
            )
            await self._parts.publisher.append([item.letter for item in lost])
        now = asyncio.get_running_loop().time()
        if now >= self._next_republish:
            self._next_republish = now + REPUBLISH_EVERY_S
            await self._republish()
            await self._measure_queues()

    async def _republish(self) -> None:
        letters, looked_at = await unfolded(
            self._parts.pool, self._looked_at, older_than_s=UNFOLDED_AFTER_S
        )
        if letters:
            log.warning(
                "outcomes published again", extra={"action": "republish", "outcomes": len(letters)}
            )
            await self._parts.publisher.append(letters)
        self._looked_at = looked_at

    async def _measure_queues(self) -> None:
        js = self._parts.client.jetstream(timeout=5)
        for stage in ROOMS:
            try:
                info = await js.consumer_info(LOG_STREAM, stage)
            except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
                log.debug("queue not measured", extra={"action": "measure", "error": repr(error)})
                return
            self._parts.metrics.queue_depth.labels(stage).set(info.num_pending or 0)
