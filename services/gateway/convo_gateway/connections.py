"""The gateway's ways to Postgres and NATS: opened in the background, so that it serves while either is away."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from faststream.nats import NatsBroker
from faststream.nats.prometheus import NatsPrometheusMiddleware

from convo_events import subjects
from convo_events.bus import broker_for, connect_broker
from convo_events.errors import ConvoError, Misconfigured, Unavailable
from convo_events.service import check_schema
from convo_events.settings import Settings
from convo_events.store import Connection, Pool, open_pool, outage_named
from convo_events.streams import check_log
from convo_events.telemetry import Metrics

log = logging.getLogger(__name__)

RETRY_S = 0.5
ACQUIRE_S = 5.0
CONNECTIONS = 16
"""To Postgres. Exports hold one each while they stream."""

OnTick = Callable[[bytes], Awaitable[None]]


class Connections:
    """What is connected now, and what is missing."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        """Nothing is connected before ``keep``."""
        self._settings = settings
        self._metrics = metrics
        self._pool: Pool | None = None
        self._broker: NatsBroker | None = None
        self.missing: dict[str, str] = {
            "postgres": "not connected yet",
            "nats": "not connected yet",
        }

    async def keep(self, on_tick: OnTick) -> None:
        """Connect, and connect again, until cancelled; then close."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._keep("postgres", self._open_pool))
                group.create_task(self._keep("nats", lambda: self._open_broker(on_tick)))
        finally:
            if self._broker is not None:
                await self._broker.stop()
            if self._pool is not None:
                self._pool.terminate()

    async def _keep(self, part: str, connect: Callable[[], Awaitable[asyncio.Event]]) -> None:
        """Hold one connection; the event that ``connect`` gives tells that it is closed for good."""
        while True:
            try:
                closed = await connect()
            except ConvoError as error:
                if self.missing.get(part) != str(error):
                    level = logging.ERROR if isinstance(error, Misconfigured) else logging.WARNING
                    told = {"action": "wait", "part": part, "error": str(error)}
                    log.log(level, "waiting", extra=told)
                self.missing[part] = str(error)
                await asyncio.sleep(RETRY_S)
                continue
            self.missing.pop(part, None)
            log.info("connected", extra={"action": "connected", "part": part})
            await closed.wait()
            self.missing[part] = "the connection was closed"

    async def _open_pool(self) -> asyncio.Event:
        pool = await open_pool(self._settings, most=CONNECTIONS)
        try:
            await check_schema(pool)
        except BaseException:
            pool.terminate()
            raise
        self._pool = pool
        return asyncio.Event()

    async def _open_broker(self, on_tick: OnTick) -> asyncio.Event:
        closed = asyncio.Event()
        middleware = NatsPrometheusMiddleware(registry=self._metrics.registry, app_name="convo")
        broker = broker_for(self._settings, on_closed=closed.set, middlewares=[middleware])

        async def decode(message: object) -> bytes:
            return getattr(message, "body", b"")

        @broker.subscriber(subjects.TICK, decoder=decode)
        async def tick(body: bytes) -> None:
            await on_tick(body)

        try:
            await connect_broker(broker, self._settings)
            await check_log(broker.connection, self._settings.nats_monitor_url)
            await broker.start()
        except BaseException:
            await broker.stop()
            raise
        self._broker = broker
        return closed

    @property
    def broker(self) -> NatsBroker:
        """The connected broker.

        Raises:
            Unavailable: while NATS is away.
        """
        if self._broker is None or not self._broker.connection.is_connected:
            why = self.missing.get("nats", "the connection is lost")
            raise Unavailable(f"NATS is away: {why}", part="nats")
        return self._broker

    @asynccontextmanager
    async def database(self) -> AsyncIterator[Connection]:
        """A connection lent by the pool.

        Raises:
            Unavailable: while Postgres is away, and when it goes away inside.
        """
        if self._pool is None:
            why = self.missing.get("postgres", "not connected")
            raise Unavailable(f"PostgreSQL is away: {why}", part="postgres")
        async with outage_named(), self._pool.acquire(timeout=ACQUIRE_S) as connection:
            yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """A connection on which every question sees the same moment.

        Raises:
            Unavailable: while Postgres is away, and when it goes away inside.
        """
        async with self.database() as c, c.transaction(isolation="repeatable_read", readonly=True):
            yield c

    async def check(self) -> dict[str, str]:
        """What is missing now, by part; empty when ready."""
        missing = dict(self.missing)
        try:
            async with asyncio.timeout(2), self.database() as c:
                await c.fetchval("select 1")
        except (Unavailable, TimeoutError) as error:
            missing.setdefault("postgres", str(error) or "no answer in 2 seconds")
        try:
            _ = self.broker
        except Unavailable as error:
            missing.setdefault("nats", str(error))
        return missing
