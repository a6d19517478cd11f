"""Follow the log for ever: fold each batch, then say which runs changed."""

import asyncio
import logging
from contextlib import aclosing

import nats.errors
import orjson

from convo_events.errors import Misconfigured, Unavailable
from convo_events.judge_answers import answer_of
from convo_events.leadership import Leadership
from convo_events.log import log_state, read_ordered
from convo_events.service import Parts
from convo_events.steps import ConversationAccepted, ConversationFailed, ConversationRejected
from convo_events.subjects import TICK
from convo_projector.fold import Fold, Folded, Overtaken, Recorded
from convo_projector.reader import Reader
from convo_projector.repair import Repair
from convo_projector.text_count import TextCount

log = logging.getLogger(__name__)

BUSY_BATCH = 24
FOLD_EVERY_S = 0.04
"""Least time between folds while batches have ``BUSY_BATCH`` events: a transaction costs the same for 1 as for 50."""
FULL_BATCH = 250
"""A batch this large is followed by the next at once."""


class Projector:
    """The room: one active at a time, the others wait."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts; nothing is read before ``run``."""
        self._parts = parts
        self._fold = Fold(parts.pool, parts.log_created)
        self._leadership = Leadership(parts.settings, "projector")

    async def run(self) -> None:
        """Lead, fold and repair until stopped; after an outage start again from the position in Postgres."""
        while not self._parts.stopping.is_set():
            try:
                if not await self._leadership.acquire(self._parts.stopping):
                    return
                await self._lead()
            except (Unavailable, Overtaken) as error:
                log.warning("fold starts again", extra={"action": "fold", "error": repr(error)})
                await asyncio.sleep(0.3)
            finally:
                await self._leadership.release()

    async def _lead(self) -> None:
        await self._fold.open()
        await self._measure_lag()
        log.info("folding", extra={"action": "lead", "position": self._fold.position})
        clock = asyncio.get_running_loop().time
        beside = [
            asyncio.create_task(Repair(self._parts).run()),
            asyncio.create_task(TextCount(self._parts.pool).run()),
            asyncio.create_task(Reader(self._parts.pool).run()),
        ]
        try:
            async with aclosing(read_ordered(self._parts.client, self._fold.position)) as reader:
                async for messages in reader:
                    if self._parts.stopping.is_set():
                        return
                    if messages:
                        started = clock()
                        batch = [Recorded(m.metadata.sequence.stream, m.data) for m in messages]
                        await self._tell(await self._fold.fold(batch))
                        if BUSY_BATCH <= len(batch) < FULL_BATCH:
                            await asyncio.sleep(max(0.0, started + FOLD_EVERY_S - clock()))
                    else:
                        await self._leadership.check()
                        await self._measure_lag()
                    for task in beside:
                        if task.done():
                            task.result()
        finally:
            for task in beside:
                task.cancel()

    async def _tell(self, folded: Folded) -> None:
        """Count, complain and tick."""
        metrics = self._parts.metrics
        for event, late in folded.events:
            metrics.folded.labels(str(late).lower()).inc()
            if late:
                continue
            answer = answer_of(event)
            if answer is not None:
                metrics.judge_answers.labels(answer[1]).inc()
            match event:
                case ConversationAccepted():
                    metrics.conversations.labels("accepted", "").inc()
                case ConversationRejected():
                    metrics.conversations.labels("rejected", str(event.hit.layer)).inc()
                    metrics.rejects.labels(event.hit.reason).inc()
                case ConversationFailed():
                    metrics.conversations.labels("failed", "0").inc()
                    metrics.rejects.labels(event.reason).inc()
                case _:
                    pass
        for seq, why in folded.undecodable:
            log.error(
                "undecodable event skipped", extra={"action": "fold", "seq": seq, "error": why}
            )
        tick = orjson.dumps({"seq": folded.seq, "runs": sorted(folded.runs)})
        try:
            await self._parts.client.publish(TICK, tick)
        except (nats.errors.Error, OSError) as error:
            log.warning("tick not sent", extra={"action": "tick", "error": repr(error)})

    async def _measure_lag(self) -> None:
        found = await log_state(self._parts.client)
        if found.created != self._parts.log_created:
            # Its numbers begin anew: the service starts again and folds it from its first event.
            raise Misconfigured("the event log was replaced while the projector ran")
        self._parts.metrics.lag_events.set(found.last - self._fold.position)
