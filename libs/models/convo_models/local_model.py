"""A small model on this machine, as an OpenAI-compatible API on loopback: ``python -m convo_models.local_model``.

llama.cpp does the work on a port of its own; in front stand the health and metrics paths that every service has.
Environment: ``CONVO_LOCAL_MODEL_PATH`` (a GGUF file; the installed one by default), ``CONVO_LOCAL_MODEL_PORT``,
``CONVO_LOCAL_MODEL_SLOTS``. Needs the extra ``local``.
"""

import asyncio
import importlib
import logging
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from aiohttp import web

from convo_events.errors import ConvoError, Misconfigured
from convo_models.backends.session import open_session
from convo_models.model_weights import INSTRUCTIONS, find_weights, model_name

SLOT_TOKENS = 2_048
"""Prompt and answer of one call."""
MOST_THREADS = 4
"""More do not make a model of this size faster: they wait for each other after every layer."""
PROMPT_CACHE_MIB = 256
"""Memory for prompts that may come again; llama.cpp's own default is 8 GiB, which a demo must not grow to."""
_FORWARDED = ("Content-Type", "Cache-Control")
_STOP_S = 10.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LocalModel:
    """What is served, and where."""

    weights: Path
    port: int = 8093
    slots: int = 4
    """Calls that are answered at once; more wait their turn."""

    @classmethod
    def from_env(cls, environment: Mapping[str, str]) -> "LocalModel":
        """As the environment says.

        Raises:
            Misconfigured: where it says nonsense, or there are no weights.
        """
        weights = find_weights(environment)
        if weights is None:
            raise Misconfigured(INSTRUCTIONS)
        port = _number(environment, "CONVO_LOCAL_MODEL_PORT", cls.port, 0, 65_535)
        return cls(weights, port, _number(environment, "CONVO_LOCAL_MODEL_SLOTS", cls.slots, 1, 64))

    @property
    def name(self) -> str:
        """How the model is called in requests and replies."""
        return model_name(self.weights)


def threads(cpus: int) -> int:
    """Threads for the model: one processor is left to everything else, as threads that lose theirs stop all others."""
    return min(MOST_THREADS, max(1, cpus - 1))


class Engine:
    """llama.cpp with the weights loaded; works until it is closed."""

    def __init__(self, model: LocalModel) -> None:
        """Load the weights, which takes seconds.

        Raises:
            Misconfigured: when llama.cpp is not installed, or cannot read the weights.
        """
        try:
            llama = importlib.import_module("xllamacpp")
        except ImportError:
            raise Misconfigured(
                "the local model needs the extra: pip install 'convo[local]'"
            ) from None
        params = llama.CommonParams()
        params.model.path = str(model.weights)
        params.model_alias = {model.name}
        params.n_ctx, params.n_parallel = SLOT_TOKENS * model.slots, model.slots
        params.hostnames, params.port = ["127.0.0.1"], 0
        params.ui, params.endpoint_metrics, params.offline = False, True, True
        params.verbosity = 0
        params.cache_ram_mib = PROMPT_CACHE_MIB
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads(os.cpu_count() or 1)
        try:
            server = llama.Server(params)
            self.url = str(server.listening_address)
        except (RuntimeError, ValueError) as error:
            raise Misconfigured(f"llama.cpp cannot serve {model.weights.name}: {error}") from None
        self._server: object = server

    def close(self) -> None:
        """Stop it; calls in flight are cut."""
        self._server = None


class Front:
    """The paths on the public port."""

    def __init__(self, model: LocalModel, session: aiohttp.ClientSession) -> None:
        """Take what is served, and a session for the way to llama.cpp."""
        self._model = model
        self._session = session
        self.engine: Engine | None = None
        """None until the weights are loaded."""

    def app(self) -> web.Application:
        """The application."""
        app = web.Application(client_max_size=1024 * 1024)
        app.add_routes(
            [
                web.get("/healthz", self._alive),
                web.get("/readyz", self._ready),
                web.get("/metrics", self._forward),
                web.get("/v1/models", self._forward),
                web.post("/v1/chat/completions", self._forward),
            ]
        )
        return app

    async def _alive(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "alive", "instance": "local-model"})

    async def _ready(self, _: web.Request) -> web.Response:
        if self.engine is None:
            return web.json_response({"status": "waiting", "for": "weights"}, status=503)
        return web.json_response({"status": "ready", "model": self._model.name})

    async def _forward(self, request: web.Request) -> web.StreamResponse:
        if self.engine is None:
            message = "the weights are still being loaded"
            error = {"message": message, "type": "unavailable_error", "code": 503}
            return web.json_response({"error": error}, status=503, headers={"Retry-After": "1"})
        async with self._session.request(
            request.method,
            self.engine.url + request.path,
            data=await request.read() or None,
            headers={"Content-Type": "application/json"},
        ) as answer:
            headers = {name: answer.headers[name] for name in _FORWARDED if name in answer.headers}
            response = web.StreamResponse(status=answer.status, headers=headers)
            await response.prepare(request)
            async for piece in answer.content.iter_any():
                await response.write(piece)
            await response.write_eof()
            return response


async def serve(model: LocalModel, stopping: asyncio.Event) -> None:
    """Serve until ``stopping`` is set; then finish what is being answered, for 10 s at most.

    Raises:
        Misconfigured: when the port is taken or the weights cannot be loaded.
    """
    async with open_session() as session:
        front = Front(model, session)
        runner = web.AppRunner(
            front.app(), access_log=None, handler_cancellation=True, shutdown_timeout=_STOP_S
        )
        await runner.setup()
        try:
            await _listen(runner, model.port)
            front.engine = await asyncio.to_thread(Engine, model)
            log.info("ready: %s with %d slots", model.name, model.slots)
            await stopping.wait()
        finally:
            await runner.cleanup()
            if front.engine is not None:
                await asyncio.to_thread(front.engine.close)


def main() -> int:
    """Exit code 0 after SIGTERM or SIGINT, or 1 with one clear line."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        asyncio.run(_until_stopped(LocalModel.from_env(os.environ)))
    except ConvoError as error:
        sys.stderr.write(f"local-model: {error}\n")
        return 1
    return 0


async def _until_stopped(model: LocalModel) -> None:
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    await serve(model, stopping)


async def _listen(runner: web.AppRunner, port: int) -> None:
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError as error:
        raise Misconfigured(
            f"port {port} for the local model is not free: {error.strerror}"
        ) from None


def _number(environment: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environment.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise Misconfigured(f"{name} is {text!r}; expected a whole number from {low} to {high}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
