"""The process: settings, logs, and uvicorn, which serves from the first moment on, whatever is away."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version

import uvicorn
import uvloop

from convo_events.errors import Misconfigured
from convo_events.telemetry import configure_logs, configure_traces
from convo_gateway.app import make_app
from convo_gateway.gateway import make_gateway
from convo_gateway.gateway_settings import GatewaySettings
from convo_gateway.live.socket import MAX_MESSAGE_BYTES

log = logging.getLogger(__name__)

SHUTDOWN_S = 10
"""How long requests under way may take when the process is stopped."""


def serve() -> int:
    """Serve until SIGTERM or SIGINT. Exit code 0, or 1 with one clear line."""
    try:
        settings = GatewaySettings.from_env(os.environ)
    except Misconfigured as error:
        sys.stderr.write(f"gateway: {error}\n")
        return 1
    configure_logs(settings)
    traces = configure_traces(settings, "gateway", version("convo"))
    server = server_for(settings)
    try:
        uvloop.run(_until_told(server))
    except SystemExit:
        where = f"{settings.gateway_host}:{settings.gateway_port}"
        log.error("cannot listen", extra={"action": "stop", "service": "gateway", "where": where})
        return 1
    finally:
        if traces is not None:
            traces.shutdown()
    return 0


async def _until_told(server: uvicorn.Server) -> None:
    def stop() -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    await server.serve()


class _Server(uvicorn.Server):
    """Leaves signals to the process: uvicorn raises them again at the end, and then no exit code would be 0."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def server_for(settings: GatewaySettings) -> uvicorn.Server:
    """A server that is not started yet."""
    app = make_app(make_gateway(settings, version("convo")))
    return _Server(
        uvicorn.Config(
            app,
            host=settings.gateway_host,
            port=settings.gateway_port,
            loop="uvloop",
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=SHUTDOWN_S,
            h11_max_incomplete_event_size=65_536,
        )
    )
