"""An error answer of an OpenAI-compatible API as a ``BackendError``: many spellings, one closed kind."""

import re
from collections.abc import Mapping
from datetime import datetime

import orjson

from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.protocol import Json
from convo_models.backends.retry_after import reset_after_s, retry_after_s

_BY_STATUS = {
    401: ErrorKind.auth,
    402: ErrorKind.quota,
    403: ErrorKind.auth,
    404: ErrorKind.not_found,
    408: ErrorKind.timeout,
    413: ErrorKind.context_exceeded,
    425: ErrorKind.overloaded,
    429: ErrorKind.rate_limited,
}
_CONTEXT = re.compile(
    r"context[ _](?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens",
    re.I,
)
_POLICY = re.compile(
    r"content[ _](?:policy|filter|management)|moderation|safety (?:system|setting)|flagged", re.I
)
_BILLING = re.compile(
    r"insufficient[ _](?:quota|balance|credits?|funds)|exceeded your current quota|billing|out of credits",
    re.I,
)
_BUSY = re.compile(r"overloaded|server_error|unavailable|capacity|internal", re.I)
_RATE = re.compile(r"rate[ _-]?limit|too many requests", re.I)


def failure(status: int, headers: Mapping[str, str], raw: bytes, now: datetime) -> BackendError:
    """The error of an HTTP answer that is no success; its text is the provider's and not yet made safe."""
    text, signs = _told(raw)
    kind = _kind(status, signs)
    wait = _wait(kind, headers, now)
    return BackendError(kind, f"HTTP {status}: {text}", retry_after_s=wait, status=status)


def inner_failure(error: Json, headers: Mapping[str, str], now: datetime) -> BackendError:
    """The error that stood inside an answer with status 200: a number in it counts as its status."""
    text, signs = _words(error)
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code < 600:
        kind = _kind(code, signs)
    else:
        kind = ErrorKind.rate_limited if _RATE.search(signs) else _kind(500, signs)
    wait = _wait(kind, headers, now)
    return BackendError(kind, f"error in the answer: {text}", retry_after_s=wait, status=200)


def _kind(status: int, signs: str) -> ErrorKind:
    if status == 429 or status in (402, 403):
        if _BILLING.search(signs):
            return ErrorKind.quota
        if status == 403 and _POLICY.search(signs):
            return ErrorKind.refused
    elif status in (400, 413, 422) or (status == 500 and not _BUSY.search(signs)):
        if _CONTEXT.search(signs):
            return ErrorKind.context_exceeded
        if _POLICY.search(signs):
            return ErrorKind.refused
        if _BILLING.search(signs):
            return ErrorKind.quota
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return ErrorKind.overloaded if status >= 500 and status != 501 else ErrorKind.bad_request


def _wait(kind: ErrorKind, headers: Mapping[str, str], now: datetime) -> float | None:
    if kind not in (ErrorKind.rate_limited, ErrorKind.overloaded):
        return None
    asked = retry_after_s(headers, now)
    return reset_after_s(headers) if asked is None and kind is ErrorKind.rate_limited else asked


def _told(raw: bytes) -> tuple[str, str]:
    """The provider's message, and everything in which a sign of the kind may stand."""
    try:
        fields: Json = orjson.loads(raw)
    except orjson.JSONDecodeError:
        fields = raw.decode(errors="replace")
    return _words((fields.get("error") or fields) if isinstance(fields, dict) else fields)


def _words(error: Json) -> tuple[str, str]:
    message = (error.get("message") or error.get("detail")) if isinstance(error, dict) else error
    text = message if isinstance(message, str) and message else _written(error)
    signs = [error.get("code"), error.get("type")] if isinstance(error, dict) else []
    return text, " ".join([sign for sign in signs if isinstance(sign, str)] + [text])


def _written(error: Json) -> str:
    try:
        return orjson.dumps(error).decode() if error else "no explanation"
    except TypeError:
        return "no explanation that can be shown"
