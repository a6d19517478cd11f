"""A person's command: decided against the control row, written there, then said in the log, then answered."""

import asyncio
import logging
from collections.abc import Sequence
from weakref import WeakValueDictionary

import nats.errors
import orjson

from convo_events import ids
from convo_events.clock import now
from convo_events.commands import CapRun, Command, ControlRun, Reply, ReviewRun, StartRun
from convo_events.errors import NotFound, Refused, Unavailable
from convo_events.grants import SETTLE_S
from convo_events.log import Letter, stored_letter
from convo_events.runs import RunCapChanged, RunPlanned
from convo_events.service import Parts
from convo_events.store import Connection, outage_named
from convo_events.subjects import CONTROL
from convo_models import budgets
from convo_scheduler import rows
from convo_scheduler.reviewing import Reviewing
from convo_scheduler.run import (
    Control,
    LifeEvent,
    Own,
    Purse,
    decide,
    decide_cap,
    decide_own,
    evolve,
    start,
)

log = logging.getLogger(__name__)


class Commands:
    """Changes the life of runs, one change of a run at a time."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts; ``leader`` is set when this process leads."""
        self._parts = parts
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._reviewing = Reviewing(parts)
        self.leader = 0

    def lock(self, run: str) -> asyncio.Lock:
        """Held by whoever decides about a run: a command never lands in the middle of a decision."""
        return self._locks.setdefault(run, asyncio.Lock())

    async def handle(self, command: Command) -> Reply:
        """Do a command; the answer says what it did or why not, and never raises for an expected "no"."""
        try:
            if isinstance(command, ReviewRun):
                return await self._reviewing.handle(command, self.leader)
            async with self.lock(command.run):
                control, events, seq = await self._change(command)
            if control.status == "paused":
                # Claims made before the pause either start within their grant or expire. A pause that was there
                # already may be a moment old, with its own answer still waiting.
                await asyncio.sleep(SETTLE_S)
        except NotFound as error:
            return Reply(run=command.run, code="not_found", message=str(error))
        except Refused as error:
            return Reply(run=command.run, code="conflict", message=str(error), status=error.state)
        except Unavailable as error:
            return Reply(run=command.run, code="unavailable", message=str(error))
        threads = next((e.threads for e in events if e.type == "run.kicked"), None)
        return Reply(
            run=control.run, status=control.status, epoch=control.epoch, seq=seq, threads=threads
        )

    async def tell(self, run: str, happening: Own) -> Control | None:
        """Put in what the scheduler itself observed. The caller holds the run's lock."""
        async with outage_named(), self._parts.pool.acquire() as c, c.transaction():
            await rows.check_lead(c, self.leader)
            control = await rows.control_of(c, run, lock=True)
            if control is None:
                return None
            events = decide_own(happening, control)
            control = await self._save(c, control, events)
        await self._say(run)
        if events:
            await self.broadcast(control)
        return control

    async def _change(
        self, command: StartRun | ControlRun | CapRun
    ) -> tuple[Control, list[LifeEvent], int]:
        async with outage_named(), self._parts.pool.acquire() as c, c.transaction():
            await rows.check_lead(c, self.leader)
            control = await rows.control_of(c, command.run, lock=True)
            events = await self._decided(c, command, control)
            after = await self._save(c, control, events)
        seq = await self._say(command.run)
        if events:
            await self.broadcast(after)
        return after, events, seq

    async def _decided(
        self, c: Connection, command: StartRun | ControlRun | CapRun, control: Control | None
    ) -> list[LifeEvent]:
        match command:
            case StartRun():
                return start(command, control, now())
            case CapRun():
                purse = Purse(*await budgets.standing(c, command.run))
                return decide_cap(command, control, purse)
            case _:
                return decide(command, control, await rows.open_thread_count(c, command.run))

    async def _save(
        self, c: Connection, control: Control | None, events: Sequence[LifeEvent]
    ) -> Control:
        letters: list[Letter] = []
        for event in events:
            control = evolve(control, event)
            what = event.type.removeprefix("run.")
            letters.append(self._parts.letter(ids.control_id(event.run, event.epoch, what), event))
            if isinstance(event, RunPlanned | RunCapChanged):
                await budgets.set_cap(c, event.run, event.spend_cap_micro)
        assert control is not None
        if events:
            reason = getattr(events[-1], "reason", "")
            await rows.save_control(c, control, reason, [item.body.decode() for item in letters])
        return control

    async def _say(self, run: str) -> int:
        """Append what is written and not said yet, also of a change before this one that NATS did not take."""
        async with outage_named():
            pending = await rows.pending_of(self._parts.pool, run)
        if not pending:
            return 0
        seq = await self._parts.publisher.append([stored_letter(body) for body in pending])
        async with outage_named():
            await rows.published(self._parts.pool, run)
        return seq

    async def say_pending(self) -> None:
        """Publish what an earlier leader wrote but perhaps did not get into the log.

        Raises:
            Unavailable: when a part is away.
        """
        async with outage_named():
            runs = await rows.runs_with_pending(self._parts.pool)
        for run in runs:
            async with self.lock(run):
                await self._say(run)
        await self._reviewing.say_pending()

    async def broadcast(self, control: Control) -> None:
        """Tell the workers at once; those that miss it notice within a second by looking."""
        message = orjson.dumps(
            {"run": control.run, "status": control.status, "epoch": control.epoch}
        )
        try:
            await self._parts.client.publish(f"{CONTROL}.{control.run}", message)
        except (nats.errors.Error, OSError) as error:
            log.warning("control not broadcast", extra={"action": "control", "error": repr(error)})
