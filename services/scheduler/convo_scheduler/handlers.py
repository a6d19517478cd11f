"""The room: take the lead, listen for commands and ticks, and keep every live run moving."""

import asyncio
import logging

import orjson
from faststream.nats.subscriber.usecases import LogicSubscriber
from nats.aio.msg import Msg

from convo_events.commands import Command, Reply
from convo_events.errors import Unavailable
from convo_events.leadership import Leadership
from convo_events.log import log_state
from convo_events.service import Parts
from convo_events.steps import LeaderElected
from convo_events.store import outage_named
from convo_events.subjects import COMMAND, TICK
from convo_scheduler import rows
from convo_scheduler.advance import Advance
from convo_scheduler.commands import Commands

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.5
"""Live runs are looked at this often even when nothing ticks: timers, and ticks that were lost."""
SWEEP_EVERY_S = 30.0


class Scheduler:
    """One active at a time; stand-bys wait for the lock."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts; nothing is decided before ``run``."""
        self._parts = parts
        self._commands = Commands(parts)
        self._advance = Advance(parts, self._commands)
        self._leadership = Leadership(parts.settings, "scheduler")
        self._ticked: set[str] = set()
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Lead until stopped; after an outage take the lead anew."""
        while not self._parts.stopping.is_set():
            try:
                if await self._leadership.acquire(self._parts.stopping):
                    await self._lead()
            except Unavailable as error:
                log.warning("taking the lead again", extra={"action": "lead", "error": repr(error)})
                await asyncio.sleep(0.3)
            finally:
                await self._leadership.release()

    async def _lead(self) -> None:
        await self._take_over()
        ticks = await self._parts.client.subscribe(TICK, cb=self._on_tick)
        commands = self._listen()
        await commands.start()
        try:
            await self._keep_moving()
        finally:
            await self._until_connected()
            await commands.stop()
            await ticks.unsubscribe()

    async def _until_connected(self) -> None:
        """Wait for NATS before subscriptions end.

        nats-py tells no server that a subscription ended while it reconnects, but does tell it of one that began then.
        What stays behind would answer every command a second time, and the server lets nobody answer twice.
        """
        client = self._parts.client
        while not (client.is_connected or client.is_closed or self._parts.stopping.is_set()):
            await asyncio.sleep(0.05)

    async def _take_over(self) -> None:
        """Raise the fence, and decide nothing before the fold has seen it and all that came before."""
        async with outage_named(), self._parts.pool.acquire() as c:
            leader = await rows.take_lead(c, self._parts.settings.owner)
        self._commands.leader = leader
        self._advance.forget_all()
        await self._commands.say_pending()
        elected = LeaderElected(leader=leader, instance=self._parts.settings.owner)
        seq = await self._parts.publisher.append([self._parts.letter(f"l:{leader}", elected)])
        log.info("leading", extra={"action": "lead", "leader": leader, "position": seq})
        created = (await log_state(self._parts.client)).created
        while not self._parts.stopping.is_set():
            async with outage_named():
                folded = await rows.fold_position(self._parts.pool, created)
                if folded >= seq:
                    return
            await asyncio.sleep(0.02)

    def _listen(self) -> LogicSubscriber[Msg]:
        subscriber = self._parts.broker.subscriber(COMMAND)

        async def handle(command: Command) -> Reply:
            reply = await self._commands.handle(command)
            self._ticked.add(command.run)
            self._wake.set()
            return reply

        subscriber(handle)
        return subscriber

    async def _on_tick(self, message: Msg) -> None:
        self._ticked.update(orjson.loads(message.data)["runs"])
        self._wake.set()

    async def _keep_moving(self) -> None:
        loop = asyncio.get_running_loop()
        next_look, next_sweep = 0.0, loop.time() + SWEEP_EVERY_S
        while not self._parts.stopping.is_set():
            clock = loop.time()
            everything = clock >= next_look
            if everything:
                next_look = clock + LOOK_EVERY_S
                await self._leadership.check()
            ticked, self._ticked = self._ticked, set()
            self._wake.clear()
            await self._look(None if everything else ticked, clock)
            if clock >= next_sweep:
                next_sweep = clock + SWEEP_EVERY_S
                await self._sweep()
            try:
                await asyncio.wait_for(self._wake.wait(), max(0.0, next_look - loop.time()))
            except TimeoutError:
                continue

    async def _look(self, runs: set[str] | None, clock: float) -> None:
        async with outage_named():
            live = await rows.live_controls(self._parts.pool)
        running = sum(control.status == "running" for control in live)
        for control in live:
            if (runs is None or control.run in runs) and await self._advance.run(
                control, running, clock
            ):
                self._ticked.add(control.run)
                self._wake.set()

    async def _sweep(self) -> None:
        async with outage_named():
            live = await rows.live_controls(self._parts.pool)
        for control in live:
            if control.status == "running":
                await self._advance.send_stalled(control)
