"""The shell of every service: wait for its parts, check them, serve health and metrics, stop in order.

Nothing happens at import; ``run_service`` reads the environment, once.
"""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Protocol

import uvloop
from aiohttp import web
from faststream.nats import NatsBroker
from faststream.nats.prometheus import NatsPrometheusMiddleware
from nats.aio.client import Client
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from convo_events.bus import broker_for, connect_broker
from convo_events.clock import iso, now
from convo_events.codec import Event
from convo_events.envelope import Envelope
from convo_events.errors import ConvoError, Misconfigured, Unavailable
from convo_events.log import Letter, LogPublisher, letter
from convo_events.migrate import migrations
from convo_events.settings import Settings
from convo_events.store import Pool, open_pool, outage_named
from convo_events.streams import check_log
from convo_events.telemetry import Metrics, configure_logs, configure_traces, traceparent

log = logging.getLogger(__name__)


@dataclass
class Parts:
    """What a running service stands on."""

    settings: Settings
    pool: Pool
    broker: NatsBroker
    metrics: Metrics
    publisher: LogPublisher
    log_created: str
    """When the event log was created: its identity."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def client(self) -> Client:
        """The NATS client under the broker."""
        return self.broker.connection

    def letter(self, event_id: str, event: Event, *, cause: str = "", trace: str = "") -> Letter:
        """The event in an envelope of this instance, under the present span where no trace is given."""
        at = iso(now())
        envelope = Envelope(event_id, at, self.settings.instance, cause, trace or traceparent())
        return letter(envelope, event)


class Room(Protocol):
    """What a service is to its shell."""

    async def run(self) -> None:
        """Work until ``parts.stopping`` is set, then finish what is held."""


Build = Callable[[Parts], Awaitable[Room]]
"""Makes the room from its parts, before the broker starts its subscribers."""


@dataclass
class Health:
    """What ``/readyz`` answers."""

    waiting_for: str = "start"
    """Empty when ready; otherwise what is missing, for people."""


def run_service(name: str, build: Build) -> int:
    """Run a service until SIGTERM or SIGINT. Exit code 0, or 1 with one clear line."""
    try:
        settings = Settings.from_env(os.environ)
    except Misconfigured as error:
        sys.stderr.write(f"{name}: {error}\n")
        return 1
    configure_logs(settings)
    try:
        uvloop.run(_serve(name, settings, build))
    except ConvoError as error:
        log.error("stopped: %s", error, extra={"action": "stop", "service": name})
        return 1
    return 0


async def _serve(name: str, settings: Settings, build: Build) -> None:
    traces = configure_traces(settings, name, version("convo"))
    metrics, health, stopping = Metrics(), Health(), asyncio.Event()
    metrics.build.labels(version("convo"), name).set(1)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    runner = await _serve_health(settings, metrics, health)
    try:
        parts = await _until_ready(settings, metrics, health, stopping)
        if parts is None:
            return
        try:
            room = await build(parts)
            await parts.broker.start()
            _settle_memory()
            health.waiting_for = ""
            log.info("ready", extra={"action": "ready", "service": name})
            await room.run()
        finally:
            await parts.broker.stop()
            await parts.pool.close()
    finally:
        await runner.cleanup()
        if traces is not None:
            traces.shutdown()


def _settle_memory() -> None:
    """Let the garbage collector pass over what is there for good, and look for cycles less often: steps leave few."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


async def _until_ready(
    settings: Settings, metrics: Metrics, health: Health, stopping: asyncio.Event
) -> Parts | None:
    """The parts, as soon as all of them answer; None where the service is stopped before."""
    said = ""
    while not stopping.is_set():
        try:
            return await _connect(settings, metrics, stopping)
        except Unavailable as error:
            health.waiting_for = str(error)
            if said != health.waiting_for:
                log.warning("waiting: %s", error, extra={"action": "wait", "part": error.part})
                said = health.waiting_for
            try:
                await asyncio.wait_for(stopping.wait(), 0.5)
            except TimeoutError:
                continue
    return None


async def _connect(settings: Settings, metrics: Metrics, stopping: asyncio.Event) -> Parts:
    pool = await open_pool(settings)
    broker = broker_for(
        settings,
        on_closed=stopping.set,
        middlewares=[NatsPrometheusMiddleware(registry=metrics.registry, app_name="convo")],
    )
    try:
        await check_schema(pool)
        await connect_broker(broker, settings)
        created = await check_log(broker.connection, settings.nats_monitor_url)
    except BaseException:
        await broker.stop()
        await pool.close()
        raise
    return Parts(
        settings, pool, broker, metrics, LogPublisher(broker.connection), created, stopping
    )


async def check_schema(pool: Pool) -> None:
    """Refuse to work on a database that is older or newer than this program.

    Raises:
        Misconfigured: when the schema is another one.
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        known = await pool.fetchval("select to_regclass('schema_migration') is not null")
        found = await pool.fetchval("select max(version) from schema_migration") if known else 0
    wanted = migrations()[-1][0]
    if found != wanted:
        raise Misconfigured(
            f"the database has schema {found}, this program needs {wanted}: run python -m convo_events.migrate"
        )


async def _serve_health(settings: Settings, metrics: Metrics, health: Health) -> web.AppRunner:
    async def alive(_: web.Request) -> web.Response:
        return web.json_response({"status": "alive", "instance": settings.instance})

    async def ready(_: web.Request) -> web.Response:
        if health.waiting_for:
            return web.json_response({"status": "waiting", "for": health.waiting_for}, status=503)
        return web.json_response({"status": "ready", "instance": settings.instance})

    async def scrape(_: web.Request) -> web.Response:
        return web.Response(
            body=generate_latest(metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    app = web.Application()
    app.add_routes(
        [web.get("/healthz", alive), web.get("/readyz", ready), web.get("/metrics", scrape)]
    )
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.service_host, settings.service_port).start()
    except OSError as error:
        raise Misconfigured(
            f"port {settings.service_port} for health and metrics is not free: {error.strerror}"
        ) from None
    return runner
