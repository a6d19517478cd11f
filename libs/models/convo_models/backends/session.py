"""The one HTTP session of a process, and answers read from it up to a limit."""

import math
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import aiohttp
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.claim import ClaimToken, TooLate

_KEEP_ALIVE_S = 4.0
"""Under the 5 s of common servers, so that no request goes down a connection that is just being closed."""
_ENCODINGS = ("gzip", "x-gzip", "deflate")
_start_by: ContextVar[float] = ContextVar("start_by", default=math.inf)
"""Until when a request of this task may start, on the monotonic clock."""


@contextmanager
def starting_under(claim: ClaimToken) -> Iterator[None]:
    """Requests in here start while the claim lets them, or not at all.

    Raises:
        TooLate: when connecting took longer; nothing was sent, and the connection is kept for the next request.
    """
    before = _start_by.set(claim.granted_at + claim.start_within_s)
    try:
        yield
    finally:
        _start_by.reset(before)


class _Connector(aiohttp.TCPConnector):
    """Looks at the clock when there is a connection: to make one may take seconds, and what follows takes none."""

    async def connect(
        self, req: ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        connection = await super().connect(req, traces, timeout)
        if time.monotonic() > _start_by.get():
            connection.release()
            raise TooLate
        return connection


def open_session() -> aiohttp.ClientSession:
    """A session for all model calls of a process; the caller closes it.

    There is no limit on connections (the limiter holds it), no cookie, no proxy or netrc from the environment, and
    no time-out (each call has its own deadline).
    """
    return aiohttp.ClientSession(
        connector=_Connector(limit=0, keepalive_timeout=_KEEP_ALIVE_S),
        headers={"User-Agent": "convo", "Accept-Encoding": "identity"},
        timeout=aiohttp.ClientTimeout(total=None),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
    )


async def read(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """The whole body, unpacked.

    Raises:
        BackendError: ``too_large`` as soon as it is over ``limit`` bytes, ``malformed`` where it does not unpack.
    """
    length = response.content_length
    if length is not None:
        if length > limit:
            raise _too_large(limit)
        if "Content-Encoding" not in response.headers:
            return await response.read()
    return b"".join([piece async for piece in pieces(response, limit)])


async def read_start(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """The first ``limit`` bytes of a body, about; what does not unpack is left out."""
    found: list[bytes] = []
    try:
        async for piece in pieces(response, limit):
            found.append(piece)
    except BackendError:
        response.close()
    return b"".join(found)


async def pieces(response: aiohttp.ClientResponse, limit: int) -> AsyncIterator[bytes]:
    """The body as it comes, unpacked, never more than ``limit`` bytes of it.

    Raises:
        BackendError: as for ``read``.
    """
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("", "identity", *_ENCODINGS):
        raise BackendError(ErrorKind.malformed, "the answer is packed in a way nobody asked for")
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32) if encoding in _ENCODINGS else None
    left = limit
    while packed := await response.content.readany():
        try:
            piece = unpack.decompress(packed, left + 1) if unpack else packed
        except zlib.error:
            raise BackendError(ErrorKind.malformed, "the answer does not unpack") from None
        left -= len(piece)
        if left < 0:
            raise _too_large(limit)
        yield piece


def _too_large(limit: int) -> BackendError:
    return BackendError(ErrorKind.too_large, f"the answer is over {limit} bytes")
