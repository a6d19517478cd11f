"""Chat completions as OpenAI defined them and most others copy them: one request, one answer, no retry."""

import asyncio
import time
from collections.abc import Mapping
from datetime import UTC, datetime

import aiohttp

from convo_events.catalog import Backend
from convo_models.backends.address import Address, resolve
from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.openai_answer import Answer, error_of, json_object
from convo_models.backends.openai_failure import failure, inner_failure
from convo_models.backends.openai_stream import DONE, EventStream
from convo_models.backends.protocol import ChatReply, ChatRequest, Json, ModelBackend
from convo_models.backends.session import pieces, read, read_start, starting_under
from convo_models.claim import ClaimToken

MOST_BODY_BYTES = 1024 * 1024
"""Largest answer read in one piece."""
MOST_STREAM_BYTES = 64 * 1024 * 1024
"""Longest stream: each token comes in some 250 bytes of JSON, and nothing but the text is kept."""
_ERROR_BODY_BYTES = 64 * 1024
_CONNECT_S = 10.0


def connect(
    backend: Backend, environment: Mapping[str, str], session: aiohttp.ClientSession
) -> ModelBackend:
    """A backend ready for calls; nothing is read from the environment or sent before the first."""
    return _OpenAICompatible(backend, environment, session)


class _OpenAICompatible:
    def __init__(
        self, backend: Backend, environment: Mapping[str, str], session: aiohttp.ClientSession
    ) -> None:
        self._backend = backend
        self._environment = environment
        self._session = session
        self._connect = aiohttp.ClientTimeout(connect=min(_CONNECT_S, backend.timeout_s * 0.9))

    async def complete(self, request: ChatRequest, claim: ClaimToken) -> ChatReply:
        """The model's answer, or a ``BackendError`` whose message names backend and model and holds no key.

        Raises:
            BackendError: for everything that is no answer.
            TooLate: when there was no connection while the claim let the request start.
        """
        start = time.monotonic()
        address = resolve(self._backend, self._environment)
        deadline_s = min(self._backend.timeout_s, claim.seconds_left(start))
        if deadline_s <= 0:
            message = f"the claim on step {claim.step_key} ran out before the call was sent"
            raise BackendError(ErrorKind.timeout, message, sent=False)
        try:
            async with asyncio.timeout(deadline_s):
                with starting_under(claim):
                    return await self._exchange(request, claim, address, start)
        except BackendError as error:
            trouble = error
        except (aiohttp.ClientError, OSError) as error:
            trouble = _transport_trouble(error, deadline_s)
        # Raised out here, so that no exception that knows the request's headers hangs on to it.
        place = f"backend {self._backend.name}, model {request.model}"
        raise BackendError(
            trouble.kind,
            address.safe(f"{place}: {trouble.message}"),
            retry_after_s=trouble.retry_after_s,
            status=trouble.status,
            usage=trouble.usage,
            provider_cost_micro=trouble.provider_cost_micro,
            sent=trouble.sent,
        )

    async def _exchange(
        self, request: ChatRequest, claim: ClaimToken, address: Address, start: float
    ) -> ChatReply:
        headers = {"Content-Type": "application/json", "Idempotency-Key": claim.step_key}
        if address.key is not None:
            headers["Authorization"] = f"Bearer {address.key}"
        async with self._session.post(
            address.url,
            data=request.body(self._backend),
            headers=headers,
            allow_redirects=False,
            timeout=self._connect,
        ) as response:
            first_byte = time.monotonic()
            if response.status != 200:
                raise await _turned_down(response)
            if response.content_type == "text/event-stream":
                answer, first_byte = await _streamed(response, first_byte)
            else:
                answer = Answer()
                fields = json_object(await read(response, MOST_BODY_BYTES))
                _take(answer, fields, "message", response)
        return answer.reply(request, _ms(start, time.monotonic()), _ms(start, first_byte))


async def _streamed(response: aiohttp.ClientResponse, first_byte: float) -> tuple[Answer, float]:
    """The answer put together, and when its first text came.

    Raises:
        BackendError: ``unreachable`` where the stream ends before the answer does.
    """
    answer, events, done = Answer(), EventStream(), False
    async for piece in pieces(response, MOST_STREAM_BYTES):
        for payload in events.feed(piece):
            done = done or payload == DONE
            if not done:
                started = bool(answer.pieces)
                _take(answer, json_object(payload), "delta", response)
                first_byte = first_byte if started or not answer.pieces else time.monotonic()
        if done:
            break
    if not done and answer.finish is None:
        raise BackendError(ErrorKind.unreachable, "the stream ended before the answer did")
    return answer, first_byte


def _take(
    answer: Answer, fields: Mapping[str, Json], part: str, response: aiohttp.ClientResponse
) -> None:
    if (error := error_of(fields)) is not None:
        raise inner_failure(error, response.headers, datetime.now(UTC))
    answer.take(fields, part)


async def _turned_down(response: aiohttp.ClientResponse) -> BackendError:
    if 300 <= response.status < 400:
        return BackendError(
            ErrorKind.bad_request,
            f"HTTP {response.status}: redirects are not followed; put the final address into base_url",
            status=response.status,
        )
    raw = await read_start(response, _ERROR_BODY_BYTES)
    return failure(response.status, response.headers, raw, datetime.now(UTC))


def _transport_trouble(error: aiohttp.ClientError | OSError, deadline_s: float) -> BackendError:
    """What became of the connection, in words that hold neither address nor headers."""
    match error:
        case aiohttp.ConnectionTimeoutError():
            return BackendError(ErrorKind.unreachable, "no connection in time", sent=False)
        case TimeoutError():
            return BackendError(ErrorKind.timeout, f"no complete answer in {deadline_s:.3g} s")
        case aiohttp.ClientSSLError():
            message = f"no trusted TLS connection ({type(error).__name__})"
            return BackendError(ErrorKind.unreachable, message, sent=False)
        case aiohttp.ClientConnectorError():
            reason = error.os_error.strerror or type(error.os_error).__name__
            return BackendError(ErrorKind.unreachable, f"cannot connect: {reason}", sent=False)
        case aiohttp.InvalidURL():
            return BackendError(ErrorKind.bad_request, "base_url is no address", sent=False)
        case aiohttp.ClientResponseError():
            return BackendError(ErrorKind.malformed, "the answer is no proper HTTP")
    return BackendError(ErrorKind.unreachable, f"the connection broke ({type(error).__name__})")


def _ms(start: float, end: float) -> int:
    return round((end - start) * 1_000)
