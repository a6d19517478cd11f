"""HTTP/1.1 on asyncio: one connection, requests answered in order, keep-alive and pipelining."""

import asyncio
import socket
import struct
import time
from collections import deque
from collections.abc import Callable
from typing import TypeAlias, cast

import httptools

from tests.fake_provider.log import Outcome
from tests.fake_provider.plans import failure
from tests.fake_provider.provider import Exchange, Provider, Received
from tests.fake_provider.wire import Drip, Flood, Hang, HangUp, Hold, Send, Wait

MAX_BODY = 64 * 1024 * 1024
_MAX_QUEUED = 256
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)
_Handle: TypeAlias = "asyncio.TimerHandle | asyncio.Task[None]"


class Connection(asyncio.Protocol):
    """One client socket."""

    _key: str | None
    _token: str | None
    _body: list[bytes]

    def __init__(self, provider: Provider, flush: Callable[[], None]) -> None:
        self._provider = provider
        self._flush_log = flush
        self._parser = httptools.HttpRequestParser(self)
        self._queue: deque[Exchange] = deque()
        self._active: Exchange | None = None
        self._handle: _Handle | None = None
        self._last = False
        self._paused = False
        self._can_write = asyncio.Event()
        self._can_write.set()
        self._in_request = False
        self._start_request()

    # The socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the socket in."""
        self._transport = cast("asyncio.Transport", transport)
        self._provider.open_sockets += 1

    def data_received(self, data: bytes) -> None:
        """Parse; whole requests are answered from `on_message_complete`."""
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._refuse()

    def pause_writing(self) -> None:
        """The client reads more slowly than we write."""
        self._can_write.clear()

    def resume_writing(self) -> None:
        """The client has read."""
        self._can_write.set()

    def eof_received(self) -> None:
        """The client has closed: what is under way will reach nobody."""
        if self._active is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Log what was not answered, with the time of the close."""
        self._provider.open_sockets -= 1
        if self._in_request:
            self._provider.log.incomplete()
        if self._handle is not None:
            self._handle.cancel()
        self._end_all("cut" if self._last and self._active is None else "client_closed")

    # The parser

    def on_message_begin(self) -> None:
        """A request's first byte."""
        self._start_request()
        self._in_request = True
        self._at = time.monotonic_ns() / 1e9
        self._at_unix = time.time_ns() / 1e9

    def on_url(self, url: bytes) -> None:
        """The request target, perhaps in pieces."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Only three headers matter here."""
        match name.lower():
            case b"idempotency-key":
                self._key = value.decode("latin-1")
            case b"authorization":
                self._token = value.decode("latin-1").removeprefix("Bearer ")
            case b"expect":
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """A piece of the body, up to the limit."""
        self._size += len(body)
        if self._size <= MAX_BODY:
            self._body.append(body)

    def on_message_complete(self) -> None:
        """A whole request: log it at once, answer it in its turn."""
        self._in_request = False
        if self._last:
            return
        if self._size > MAX_BODY:
            self._refuse()
            return
        body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        method = self._parser.get_method().decode()
        target = self._url.decode("latin-1")
        received = Received(method, target, self._key, self._token, body, self._at, self._at_unix)
        self._last = not self._parser.should_keep_alive()
        self._queue.append(self._provider.receive(received))
        self._flush_log()
        if len(self._queue) > _MAX_QUEUED:
            self._transport.pause_reading()
            self._paused = True
        self._pump()

    def _start_request(self) -> None:
        self._url = b""
        self._key = None
        self._token = None
        self._body = []
        self._size = 0

    # The answers

    def _pump(self) -> None:
        """Answer what is queued until something takes time."""
        while self._queue and self._active is None and not self._transport.is_closing():
            self._active = self._queue.popleft()
            match self._active.plan.steps:
                case (Send(payload),) if len(payload) < 65536 and self._can_write.is_set():
                    self._answer(self._active, payload)
                case (Wait(seconds), Send(payload)) if len(payload) < 65536:
                    loop = asyncio.get_running_loop()
                    self._handle = loop.call_later(
                        seconds, self._answer_late, self._active, payload
                    )
                case _:
                    self._handle = asyncio.create_task(self._perform(self._active))
        if self._paused and len(self._queue) < _MAX_QUEUED and not self._transport.is_closing():
            self._paused = False
            self._transport.resume_reading()
        if self._last and self._active is None and not self._queue:
            self._transport.close()

    def _answer(self, exchange: Exchange, payload: bytes) -> None:
        self._transport.write(payload)
        exchange.sent_bytes = len(payload)
        self._finish("answered")

    def _answer_late(self, exchange: Exchange, payload: bytes) -> None:
        self._answer(exchange, payload)
        self._pump()

    def _finish(self, outcome: Outcome) -> None:
        if self._active is not None:
            self._active.end(outcome)
            self._flush_log()
        self._active = self._handle = None

    async def _perform(self, exchange: Exchange) -> None:
        for step in exchange.plan.steps:
            match step:
                case Send(payload):
                    await self._send(exchange, payload)
                case Wait(seconds):
                    await asyncio.sleep(seconds)
                case Drip(payload, pause_s):
                    for at in range(len(payload)):
                        await asyncio.sleep(pause_s)
                        await self._send(exchange, payload[at : at + 1])
                case Flood(payload, times):
                    sent = 0
                    while times is None or sent < times:
                        await self._send(exchange, payload)
                        await asyncio.sleep(0)
                        sent += 1
                case Hang():
                    await asyncio.Event().wait()
                case Hold():
                    await exchange.replaced.wait()
                case HangUp(reset):
                    await self._drain()
                    self._hang_up(reset)
                    return
        await self._drain()
        self._finish("answered")
        self._pump()

    async def _send(self, exchange: Exchange, payload: bytes) -> None:
        for at in range(0, len(payload), 65536):
            await self._can_write.wait()
            if self._transport.is_closing():
                await asyncio.Event().wait()  # until `connection_lost` cancels
            piece = payload[at : at + 65536]
            self._transport.write(piece)
            exchange.sent_bytes += len(piece)

    async def _drain(self) -> None:
        """Wait until the kernel has taken every byte, so that a whole answer is known to be whole."""
        self._transport.set_write_buffer_limits(high=0)
        await self._can_write.wait()
        self._transport.set_write_buffer_limits()

    def _hang_up(self, reset: bool) -> None:
        self._last = True
        self._finish("cut")
        if reset:
            linger = socket.socket(fileno=self._transport.get_extra_info("socket").fileno())
            linger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            linger.detach()
            self._transport.abort()
        else:
            self._transport.close()

    def _refuse(self) -> None:
        """Answer what is no HTTP request, or too large, and close."""
        self._in_request = False
        self._last = True
        self._provider.log.incomplete()
        for step in failure(
            "invalid_request", "This is no HTTP request, or its body is too large."
        ).steps:
            if isinstance(step, Send):
                self._transport.write(step.payload)
        self._transport.close()

    def _end_all(self, outcome: Outcome) -> None:
        for exchange in ([self._active] if self._active else []) + list(self._queue):
            exchange.end(outcome)
        self._queue.clear()
        self._active = self._handle = None
        self._flush_log()


async def serve(provider: Provider, host: str, port: int) -> asyncio.Server:
    """A listening server; port 0 takes a free one."""
    loop = asyncio.get_running_loop()
    waiting = False

    def write_lines() -> None:
        nonlocal waiting
        waiting = False
        if provider.file:
            provider.file.flush()

    def flush_soon() -> None:
        nonlocal waiting
        if provider.file and not waiting:
            waiting = True
            loop.call_soon(write_lines)

    return await loop.create_server(
        lambda: Connection(provider, flush_soon), host, port, backlog=4096
    )
