"""One worker's calls to one model: a local count of permits, renewed from the shared limit in the background."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

from convo_events.errors import ConvoError, Unavailable
from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.limiter_store import Ask, Granted
from convo_models.limits import LEASE_S, TROUBLE_WINDOW, push_back_s

ROUND_EVERY_S = 0.5
"""Between rounds while in use."""
SOON_S = 0.1
"""Between rounds while another worker has yet to let go of what is fair for this one."""
PAUSE_S = 0.05
"""Least time between rounds that calls ask for."""


class Lane:
    """Permits of one worker for one model. Taking and releasing one touches no database."""

    def __init__(
        self,
        backend: str,
        model: str,
        worker: str,
        sync: Callable[[Ask], Awaitable[Granted]],
        clock: Callable[[], float],
    ) -> None:
        """Take the names, what does a round, and a monotonic clock in seconds."""
        self._names = (backend, model, worker)
        self._sync = sync
        self._clock = clock
        self._most = 1
        self._in_use = 0
        self._allowed = 0
        """Most in flight; at most what was granted, and under it while letting go."""
        self._granted = Granted(0, 0, 0.0)
        self._lease_until = 0.0
        self._cooling_until = 0.0
        self._waiting: deque[asyncio.Future[bool]] = deque()
        self._peak = 0
        self._asked = 0
        self._pushed_back_s: float | None = None
        self._clean = False
        self._recent: deque[bool] = deque(maxlen=TROUBLE_WINDOW)
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def in_use(self) -> int:
        """Calls in flight."""
        return self._in_use

    def cooling_s(self) -> float:
        """Seconds in which no call may start, as far as is known here; 0 for none."""
        return max(0.0, self._cooling_until - self._clock())

    def take(self, most: int) -> bool:
        """A permit, if one is free and nobody waits for it."""
        self._most = most
        if self._waiting or not self._free():
            return False
        self._in_use += 1
        if self._in_use > self._peak:
            self._peak = self._in_use
        return True

    async def wait(self) -> bool:
        """A permit, when one is free; False when the model begins to cool down instead.

        Raises:
            Unavailable: when Postgres is away and the lease has run out.
            Misconfigured: when it is not set up.
        """
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._peak = max(self._peak, self._in_use + len(self._waiting))
        if self._peak > self._asked or not self._allowed or self._clock() >= self._lease_until:
            self._rouse()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif not turn.cancelled() and turn.exception() is None and turn.result():
                self.release()
            raise

    def release(self) -> None:
        """Give a permit back; the one who waits longest gets it."""
        self._in_use -= 1
        if self._waiting:
            self._serve()
        if self._in_use >= self._allowed and self._granted.granted > self._in_use:
            self._rouse()

    def report(self, error: BackendError | None) -> None:
        """Take in how a call ended; push-back stops new calls here at once and everywhere with the next round."""
        self._recent.append(error is not None and error.kind is ErrorKind.overloaded)
        if error is None:
            self._clean = True
            return
        cooldown_s = push_back_s(error, sum(self._recent))
        if cooldown_s is None:
            return
        self._pushed_back_s = max(cooldown_s, self._pushed_back_s or 0.0)
        self._cool(cooldown_s)
        self._rouse()

    async def close(self) -> None:
        """End the background rounds; who still waits is told."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _free(self) -> bool:
        return self._in_use < self._allowed and self._clock() < self._lease_until

    def _serve(self) -> None:
        while self._free() and (turn := self._next()) is not None:
            self._in_use += 1
            turn.set_result(True)

    def _cool(self, seconds: float) -> None:
        self._cooling_until = max(self._cooling_until, self._clock() + seconds)
        while seconds > 0 and (turn := self._next()) is not None:
            turn.set_result(False)

    def _rouse(self) -> None:
        self._wake.set()
        if self._task is None:
            self._task = asyncio.create_task(self._keep(), name=f"limiter {self._names[1]}")

    async def _keep(self) -> None:
        try:
            while (pause_s := await self._round()) is not None:
                await self._pause(pause_s)
        finally:
            self._task = None
            self._fail(Unavailable("the limiter has stopped", part="postgres"))

    async def _round(self) -> float | None:
        """One round; seconds until the next, None when there is no use in one."""
        self._wake.clear()
        start, ask = self._clock(), self._ask()
        try:
            granted = await self._sync(ask)
        except ConvoError as error:
            return self._missed(ask, error)
        if ask.want == 0 and ask.held == 0:
            granted = Granted(0, 0, granted.cooldown_s)
        self._granted, self._allowed = granted, min(granted.granted, granted.fair)
        self._lease_until = start + LEASE_S
        if granted.cooldown_s > 0:
            self._cool(granted.cooldown_s)
        self._serve()
        if granted.granted > max(self._allowed, self._in_use):
            return 0.0  # there is something to let go: say so at once
        if ask.want == 0 and ask.held == 0:
            stirred = self._in_use or self._waiting or self._pushed_back_s is not None
            return 0.0 if stirred else None
        return SOON_S if granted.granted < min(granted.fair, ask.want) else ROUND_EVERY_S

    def _missed(self, ask: Ask, error: ConvoError) -> float | None:
        """Keep what a failed round should have said; what was granted counts on until the lease runs out."""
        self._clean = self._clean or ask.clean
        if ask.pushed_back_s is not None:
            self._pushed_back_s = max(ask.pushed_back_s, self._pushed_back_s or 0.0)
        over = self._clock() >= self._lease_until
        if over or not isinstance(error, Unavailable):
            self._allowed = 0
            self._fail(error)
        return None if over and not self._in_use else ROUND_EVERY_S

    def _ask(self) -> Ask:
        want = max(self._peak, self._in_use + len(self._waiting))
        if want == 0:
            self._allowed = 0
        self._asked, self._peak = want, self._in_use + len(self._waiting)
        pushed_back_s, self._pushed_back_s = self._pushed_back_s, None
        clean, self._clean = self._clean, False
        held = max(self._allowed, self._in_use)
        return Ask(*self._names, self._most, held, self._in_use, want, pushed_back_s, clean)

    async def _pause(self, seconds: float) -> None:
        """Wait so long, or until a call asks for a round, which it cannot do too often."""
        if seconds > PAUSE_S:
            await asyncio.sleep(PAUSE_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds - PAUSE_S):
                    await self._wake.wait()

    def _fail(self, error: ConvoError) -> None:
        while (turn := self._next()) is not None:
            turn.set_exception(error)

    def _next(self) -> asyncio.Future[bool] | None:
        """Who waits longest; a call that was cancelled may still stand in the queue and is passed over."""
        while self._waiting:
            if not (turn := self._waiting.popleft()).done():
                return turn
        return None
