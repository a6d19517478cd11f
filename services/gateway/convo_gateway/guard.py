"""What every request passes first: host and origin, size, request id, security headers, and a net under all errors."""

import logging
import re
import time
import uuid
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from convo_gateway.body_kinds import JSON, BodyKind, body_kind, media_type
from convo_gateway.problems import MEDIA_TYPE, HttpProblem, document, problem_of

log = logging.getLogger(__name__)

MAX_BODY_BYTES = JSON.most_bytes
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked by machines under any name."""
SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        """Take the application and the hosts that it may be asked under."""
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer why not."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._stranger(Headers(scope=scope)) is not None:
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "host or origin"})
            return
        await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, began, status = Headers(scope=scope), time.monotonic(), 0
        request_id = headers.get("x-request-id", "")
        if not _REQUEST_ID.fullmatch(request_id):
            request_id = uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                dressed = MutableHeaders(scope=message)
                dressed["X-Request-Id"] = request_id
                for name, value in SECURITY_HEADERS.items():
                    dressed.setdefault(name, value)
            await send(message)

        try:
            if scope["path"] not in OPEN_PATHS and (problem := self._stranger(headers)):
                raise problem
            _see_that_it_can_be_stored(scope)
            kind = body_kind(scope["path"])
            _see_its_type(scope["method"], headers, kind)
            await self._app(scope, _capped(headers, receive, kind.most_bytes), send_guarded)
        except ClientDisconnect:
            log.info("left before all was sent", extra=_told(scope, request_id))
        except Exception as error:
            if status:
                # The answer is under way; only cutting the connection tells the reader that it is not whole.
                log.error("answer cut short", extra=_told(scope, request_id), exc_info=error)
                raise
            await _answer(error, scope, request_id, send_guarded)
        finally:
            if scope["path"] not in OPEN_PATHS:
                ms = round((time.monotonic() - began) * 1000, 1)
                told = _told(scope, request_id) | {"status": status, "ms": ms}
                log.info("request", extra=told)

    def _stranger(self, headers: Headers) -> HttpProblem | None:
        """Why a browser must not be answered: a name that is not ours (DNS rebinding), or a foreign page."""
        host = headers.get("host", "").lower()
        if not self._knows(host):
            detail = "Ask under localhost, or name this host in CONVO_ALLOWED_HOSTS."
            return HttpProblem(421, detail)
        origin = headers.get("origin")
        if origin is not None and not self._same(origin, host):
            return HttpProblem(403, "A page of another origin may not ask.", code="foreign-origin")
        return None

    def _knows(self, host: str) -> bool:
        return "*" in self._hosts or host in self._hosts or _name(host) in self._hosts

    def _same(self, origin: str, host: str) -> bool:
        """Whether a page may ask: it came from the host that is asked, or from one that is named with its port."""
        _, found, asked_from = origin.lower().partition("://")
        return bool(found) and (asked_from == host or asked_from in self._hosts - {""})


def _name(host: str) -> str:
    """The host without its port and brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] or host if host.count(":") == 1 else host


def _see_that_it_can_be_stored(scope: Scope) -> None:
    """Refuse NUL in path and query: no name or text has it, and Postgres cannot be asked for it."""
    if "\0" in scope["path"] or b"%00" in scope.get("query_string", b""):
        raise HttpProblem(400, "The address holds the character NUL.")


def _see_its_type(method: str, headers: Headers, kind: BodyKind) -> None:
    """Refuse bodies of another type. A form of a foreign page cannot send any that is taken."""
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    sent = media_type(headers.get("content-type", ""))
    if method in ("POST", "PUT", "PATCH") and has_body and sent not in kind.media_types:
        code = "not-json" if kind is JSON else "wrong-type"
        raise HttpProblem(415, f"Send the body as {' or '.join(kind.media_types)}.", code=code)


def _capped(headers: Headers, receive: Receive, most_bytes: int) -> Receive:
    """The body, up to its limit, whatever its header says of its length."""
    announced = headers.get("content-length", "0")
    if not announced.isdigit() or int(announced[:20]) > most_bytes:
        raise HttpProblem(413, f"A body may have {most_bytes:,} bytes.")
    read = 0

    async def receive_capped() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most_bytes:
            raise HttpProblem(413, f"A body may have {most_bytes:,} bytes.")
        return message

    return receive_capped


def _told(scope: Scope, request_id: str) -> dict[str, object]:
    return {
        "action": "request",
        "method": scope["method"],
        "path": scope["path"][:200],
        "request_id": request_id,
    }


async def _answer(error: Exception, scope: Scope, request_id: str, send: Send) -> None:
    problem = problem_of(error)
    if problem.status_code == 500:
        log.error("unexpected error", extra=_told(scope, request_id), exc_info=error)
    body, headers = document(problem, instance=scope["path"], request_id=request_id)
    raw = {"content-type": MEDIA_TYPE, "content-length": str(len(body))} | headers
    await send(
        {
            "type": "http.response.start",
            "status": problem.status_code,
            "headers": [
                (k.lower().encode(), v.encode("latin-1", "replace")) for k, v in raw.items()
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})
