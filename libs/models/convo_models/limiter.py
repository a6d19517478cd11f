"""At most so many calls to a model at once, over all workers, adapting to what its provider takes.

limiter = Limiter(pool, "generator-1", random.Random(7), time.monotonic)
async with limiter.permit("openrouter", "small", 32) as permit:
if permit.cooldown_s:
...  # nothing may be sent: come back in so many seconds
else:
...  # call, then: await limiter.report("openrouter", "small", error_or_none)
"""

import random
from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType
from typing import Self

from convo_events.errors import Unavailable
from convo_events.store import Pool
from convo_models.backends.errors import BackendError
from convo_models.limiter_lane import Lane
from convo_models.limiter_store import Ask, Granted, leave, sync

LEAST_SPREAD_S = 1.0
SPREAD = 0.2
"""Calls after a cooldown are spread over this share of it, and over ``LEAST_SPREAD_S`` at least."""


class Permit:
    """Leave for one call, from entering to leaving ``async with``."""

    __slots__ = ("_held", "_lane", "_limiter", "_most", "cooldown_s")

    def __init__(self, limiter: "Limiter", lane: Lane, most: int) -> None:
        """Prepare; nothing is taken before it is entered."""
        self._limiter = limiter
        self._lane = lane
        self._most = most
        self._held = False
        self.cooldown_s = 0.0
        """Above 0: no leave was given, since the model cools down; come back in so many seconds. Differs from permit to
        permit, so that not everybody comes back at once."""

    async def __aenter__(self) -> Self:
        """Wait for a free place, but never through a cooldown.

        Raises:
            Unavailable: when Postgres is away and what it last granted has run out.
        """
        lane = self._lane
        left = lane.cooling_s()
        if not left and (lane.take(self._most) or await lane.wait()):
            self._held = True
        else:
            self.cooldown_s = self._limiter.spread(left or lane.cooling_s())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the place back."""
        if self._held:
            self._held = False
            self._lane.release()


class Limiter:
    """The permits of one worker process. ``close`` gives its shares back."""

    def __init__(
        self, pool: Pool, worker: str, rng: random.Random, clock: Callable[[], float]
    ) -> None:
        """Take the pool, a name no other process has, a seeded random and a monotonic clock in seconds."""
        self._pool = pool
        self._worker = worker
        self._rng = rng
        self._clock = clock
        self._sync: Callable[[Ask], Awaitable[Granted]] = partial(sync, pool)
        self._lanes: dict[tuple[str, str], Lane] = {}

    def permit(self, backend: str, model: str, max_concurrency: int) -> Permit:
        """A permit to enter with ``async with``.

        Args:
            backend: name of the backend.
            model: name of the model; each model of a backend has a limit of its own.
            max_concurrency: configured limit of the model; where workers differ, the least counts.
        """
        return Permit(self, self._lane(backend, model), max_concurrency)

    def cooling(self, backend: str, model: str) -> float:
        """Seconds to stay away from a model, spread like a permit's; 0 where it is not known to cool down."""
        lane = self._lanes.get((backend, model))
        left = lane.cooling_s() if lane else 0.0
        return self.spread(left) if left else 0.0

    def in_flight(self) -> int:
        """Permits held now, over all models."""
        return sum(lane.in_use for lane in self._lanes.values())

    async def report(self, backend: str, model: str, error: BackendError | None) -> None:
        """Tell how a call ended; never waits."""
        self._lane(backend, model).report(error)

    def spread(self, cooldown_s: float) -> float:
        """A cooldown with its jitter, always above it."""
        return cooldown_s + 0.001 + self._rng.uniform(0, max(LEAST_SPREAD_S, cooldown_s * SPREAD))

    async def close(self) -> None:
        """End the background work and give all shares back; they run out by themselves if Postgres is away."""
        for lane in self._lanes.values():
            await lane.close()
        try:
            await leave(self._pool, self._worker)
        except Unavailable:
            return

    def _lane(self, backend: str, model: str) -> Lane:
        lane = self._lanes.get((backend, model))
        if lane is None:
            lane = Lane(backend, model, self._worker, self._sync, self._clock)
            self._lanes[backend, model] = lane
        return lane
