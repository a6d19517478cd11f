"""Keeps parts running: starts them, watches them, restarts what dies, stops them in order.

A part that dies is started again after a pause that doubles with each quick death, with jitter so
that parts which died together do not come back together. A part that keeps dying quickly is given
up, and with it the stack: a person must look.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from convo_gateway.stack.errors import StackError, tail
from convo_gateway.stack.processes import Account, Child, launch

__all__ = ["Part", "Supervisor"]

READY_EVERY_S = 0.05
ALIVE_EVERY_S = 5.0
STUCK_AFTER = 12
"""Probes in a row without an answer after which a process counts as stuck: a minute."""


@dataclass(frozen=True, slots=True)
class Part:
    """A process to keep running.

    Attributes:
        name: stable name of the slot, such as `generator-2`.
        command: absolute path of the program, then its arguments.
        environ: its environment; `CONVO_INCARNATION` is added.
        log: file for its output.
        ready: whether it can do its work now; asked until it says so.
        alive: whether it still answers; None if only its death counts.
        ready_within_s: how long it may take until it is ready.
        grace_s: how long it may take to stop before it is killed.
    """

    name: str
    command: tuple[str, ...]
    environ: Mapping[str, str]
    log: Path
    ready: Callable[[], Awaitable[bool]]
    alive: Callable[[], Awaitable[bool]] | None = None
    ready_within_s: float = 60.0
    grace_s: float = 20.0
    stop_signal: int = signal.SIGTERM
    death_signal: int = signal.SIGKILL
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Backoff:
    """When to start again, and when to stop trying.

    Attributes:
        first_s: pause after the first death; doubles with each quick one.
        longest_s: pause at most.
        quick_s: a life shorter than this, or without ever being ready, is a quick death.
        give_up_after: quick deaths in a row.
    """

    first_s: float = 0.5
    longest_s: float = 30.0
    quick_s: float = 5.0
    give_up_after: int = 5

    def pause_s(self, deaths: int, chance: float) -> float:
        """Seconds to wait after so many quick deaths in a row; `chance` from 0 to 1 is jitter."""
        longest = min(self.longest_s, self.first_s * 2.0 ** max(0, deaths - 1))
        return longest * (0.5 + 0.5 * chance)


@dataclass(slots=True)
class Slot:
    """A part and its current process."""

    part: Part
    incarnation: int = 0
    child: Child | None = None
    deaths: int = 0
    expected: bool = False
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[None] | None" = None


class Supervisor:
    """Runs parts until they are stopped.

    Args:
        incarnations: incarnation of each slot so far.
        random: source of the jitter.
        backoff: when to start again.
        changed: called after each start and end of a process.
        report: called with one line when a part dies or is given up.
    """

    def __init__(
        self,
        incarnations: Mapping[str, int],
        *,
        random: Random,
        backoff: Backoff | None = None,
        changed: Callable[[], None] = lambda: None,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.incarnations = dict(incarnations)
        self._failed = asyncio.Event()
        self._error: StackError | None = None
        self._slots: dict[str, Slot] = {}
        self._random = random
        self._backoff = backoff or Backoff()
        self._changed = changed
        self._report = report
        self._hurry = asyncio.Event()

    def pids(self) -> dict[str, int]:
        """Process id by name of the parts that run now, in the order of their start."""
        return {name: slot.child.pid for name, slot in self._slots.items() if slot.child}

    def start(self, part: Part) -> None:
        """Begin to keep a part running; returns at once."""
        slot = Slot(part)
        self._slots[part.name] = slot
        slot.task = asyncio.create_task(self._keep(slot), name=f"keep {part.name}")

    async def failure(self) -> StackError:
        """Wait until a part was given up; what happened."""
        while self._error is None:
            await self._failed.wait()
        return self._error

    async def wait_ready(self, name: str) -> None:
        """Wait until a part is ready.

        Raises:
            StackError: it is not ready in its time, or some part was given up.
        """
        slot = self._slots[name]
        await _first(slot.ready, self._failed, timeout_s=slot.part.ready_within_s)
        if slot.ready.is_set():
            return
        if self._error:
            raise self._error
        raise StackError(
            f"{name} was not ready after {slot.part.ready_within_s:.0f} seconds.",
            log=tail(slot.part.log),
            advice=f"The whole log is {slot.part.log}; convo doctor looks for common causes.",
        )

    def kill(self, name: str, number: int) -> None:
        """Send a signal to a part; if it dies of it, it is started again without a pause."""
        slot = self._slots[name]
        if slot.child:
            slot.expected = number not in (signal.SIGSTOP, signal.SIGCONT)
            slot.child.signal(number)

    async def restart(self, name: str, number: int) -> None:
        """End a part by a signal and wait until its next incarnation is ready."""
        slot = self._slots[name]
        slot.ready.clear()
        self.kill(name, number)
        await self.wait_ready(name)

    async def stop(self, names: Iterable[str]) -> None:
        """Stop parts together, in order of their kind; returns when all have ended."""
        slots = [self._slots[name] for name in names if name in self._slots]
        await asyncio.gather(*(self._stop(slot) for slot in slots))

    def hurry(self) -> None:
        """Kill what does not stop at once: the grace of every part is over."""
        self._hurry.set()

    async def _stop(self, slot: Slot) -> None:
        slot.stopping.set()
        if slot.child:
            slot.child.signal(signal.SIGCONT)
            slot.child.signal(slot.part.stop_signal)
        if slot.task is None:
            return
        await _first(slot.ended, self._hurry, timeout_s=slot.part.grace_s)
        if not slot.ended.is_set() and slot.child:
            self._report(f"{slot.part.name} did not stop in time and is killed")
            slot.child.signal(signal.SIGKILL)
        await slot.task

    async def _keep(self, slot: Slot) -> None:
        """Run the part, again and again, until it is stopped or given up."""
        try:
            while not slot.stopping.is_set():
                lived_s, code = await self._live_once(slot)
                if not slot.stopping.is_set():
                    await self._recover(slot, lived_s, code)
        except StackError as error:
            self._error = self._error or error
            self._failed.set()
        finally:
            slot.ended.set()

    async def _recover(self, slot: Slot, lived_s: float, code: int) -> None:
        """Wait until the part may start again.

        Raises:
            StackError: it died too often.
        """
        self._count(slot, lived_s)
        slot.ready.clear()
        ended = f"signal {-code}" if code < 0 else f"exit code {code}"
        if slot.deaths >= self._backoff.give_up_after:
            raise StackError(
                f"{slot.part.name} ended {slot.deaths} times right after its start ({ended}).",
                log=tail(slot.part.log),
                advice=f"The whole log is {slot.part.log}; convo doctor looks for common causes.",
            )
        pause_s = 0.0
        if slot.deaths:
            pause_s = self._backoff.pause_s(slot.deaths, self._random.random())
        self._report(f"{slot.part.name} ended ({ended}) and starts again in {pause_s:.1f} s")
        await _first(slot.stopping, timeout_s=pause_s)

    async def _live_once(self, slot: Slot) -> tuple[float, int]:
        """One life of a part: how long it lasted, in seconds, and its exit code."""
        part = slot.part
        slot.incarnation = self.incarnations.get(part.name, 0) + 1
        self.incarnations[part.name] = slot.incarnation
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            slot.child = child = await launch(
                part.command,
                environ={**part.environ, "CONVO_INCARNATION": str(slot.incarnation)},
                log=part.log,
                death_signal=part.death_signal,
                account=part.account,
            )
        except OSError as error:
            raise StackError(f"{part.name} could not be started: {error}.") from error
        if slot.stopping.is_set():
            child.signal(part.stop_signal)
        self._changed()
        watch = asyncio.create_task(self._watch(slot, child))
        code = await child.wait()
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        slot.child = None
        self._changed()
        return loop.time() - began, code

    async def _watch(self, slot: Slot, child: Child) -> None:
        """Say when the part is ready; kill it when it does not answer any more."""
        while not await slot.part.ready():
            await asyncio.sleep(READY_EVERY_S)
        slot.ready.set()
        if slot.part.alive is None:
            return
        silent = 0
        while True:
            await asyncio.sleep(ALIVE_EVERY_S)
            silent = 0 if await slot.part.alive() else silent + 1
            if silent >= STUCK_AFTER:
                self._report(f"{slot.part.name} does not answer and is killed")
                child.signal(signal.SIGKILL)

    def _count(self, slot: Slot, lived_s: float) -> None:
        """Count the deaths in a row; one that we ordered does not count."""
        if slot.expected:
            slot.deaths = 0
        elif slot.ready.is_set() and lived_s >= self._backoff.quick_s:
            slot.deaths = 1
        else:
            slot.deaths += 1
        slot.expected = False


async def _first(*events: asyncio.Event, timeout_s: float) -> None:
    """Wait until one of the events is set, or the time is over."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waiting:
            one.cancel()
