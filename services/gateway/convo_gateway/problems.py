"""Errors as ``application/problem+json`` (RFC 9457): what, where, what to do; never a stack."""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response

from convo_events.errors import Invalid, Misconfigured, NotFound, Refused, Unavailable

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
URN = "urn:convo:problem:"
_MOST_ERRORS = 100
_TITLES = {
    400: "The request is malformed",
    401: "Who asks is not known",
    403: "This is not allowed",
    404: "There is no such thing",
    405: "This method is not for this path",
    406: "No such format",
    409: "The present state does not allow this",
    412: "Somebody else was faster",
    413: "The body is too large",
    415: "The body has another type",
    421: "This host is not served here",
    422: "The request says something that cannot be",
    428: "If-Match is needed",
    500: "convo failed",
    503: "A part of convo is away",
}
_CODES = {
    400: "malformed",
    401: "unauthorised",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    409: "conflict",
    412: "changed-meanwhile",
    413: "too-large",
    415: "not-json",
    421: "unknown-host",
    422: "invalid",
    428: "precondition-required",
    500: "internal",
    503: "unavailable",
}


class ProblemError(BaseModel):
    """One thing that is wrong with the request."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    detail: str
    """What is wrong, and what was expected."""
    pointer: str = ""
    """JSON pointer into the part, such as ``/target_count``."""
    source: Literal["body", "query", "path", "header"] = "body"
    """Part of the request that the pointer leads into."""


class ProblemDocument(BaseModel):
    """An error, as RFC 9457 shapes it."""

    model_config = ConfigDict(use_attribute_docstrings=True, extra="allow")

    type: str
    """Kind of error: ``urn:convo:problem:<code>``."""
    title: str
    """The kind in words."""
    status: int
    """HTTP status."""
    detail: str = ""
    """What happened this time, and what to do."""
    instance: str = ""
    """Path that was asked."""
    request_id: str = ""
    """Also in header ``X-Request-Id``; the log of the gateway has it too."""
    errors: list[ProblemError] = []
    """Every single thing that is wrong."""


class HttpProblem(HTTPException):
    """An error that knows how it is answered."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        code: str = "",
        errors: Sequence[ProblemError] = (),
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        """Keep what the document says; ``extra`` becomes members of its own."""
        super().__init__(status, detail, dict(headers or {}))
        self.code = code or _CODES.get(status, "error")
        self.errors = list(errors)[:_MOST_ERRORS]
        self.extra = dict(extra or {})


def document(
    problem: HttpProblem, *, instance: str = "", request_id: str = ""
) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a problem."""
    fields: dict[str, object] = {
        "type": URN + problem.code,
        "title": _TITLES.get(problem.status_code, "The request failed"),
        "status": problem.status_code,
        "detail": problem.detail,
        "instance": instance[:500],
        "request_id": request_id,
        "errors": [error.model_dump() for error in problem.errors],
    }
    body = orjson.dumps(fields | problem.extra, default=str)
    headers = {"Cache-Control": "no-store", **(problem.headers or {})}
    return body, headers


def problem_of(error: Exception) -> HttpProblem:
    """How any error is answered; what is not known is a bug, and its text stays inside."""
    match error:
        case HttpProblem():
            return error
        case HTTPException():
            return HttpProblem(error.status_code, str(error.detail), headers=error.headers)
        case RequestValidationError():
            return _unreadable(error)
        case NotFound():
            return HttpProblem(404, str(error))
        case Refused():
            return HttpProblem(409, str(error), extra={"code": error.code, "state": error.state})
        case Invalid():
            found = [ProblemError(detail=p.message, pointer=p.pointer) for p in error.problems]
            return HttpProblem(422, str(error)[:2_000], errors=found)
        case Unavailable():
            wait = str(math.ceil(error.retry_after_s or 2))
            headers, extra = {"Retry-After": wait}, {"part": error.part}
            return HttpProblem(503, _first_line(error), headers=headers, extra=extra)
        case Misconfigured():
            return HttpProblem(503, str(error), code="misconfigured", headers={"Retry-After": "10"})
        case _:
            return HttpProblem(500, "An error of convo itself; its log has the request id.")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:500]


def _unreadable(error: RequestValidationError) -> HttpProblem:
    """Every problem of a request with its pointer; what was sent is not repeated."""
    found = []
    for item in error.errors():
        part, *path = item["loc"]
        message = str(item["msg"])
        if item["type"] == "json_invalid":
            return HttpProblem(
                400, f"The body is no JSON: {item.get('ctx', {}).get('error', message)}"
            )
        source = part if part in ("query", "path", "header") else "body"
        found.append(ProblemError(detail=message, pointer=_pointer(path), source=source))
    detail = "; ".join(f"{e.source} {e.pointer}: {e.detail}" for e in found[:5])
    return HttpProblem(422, detail, errors=found)


def _pointer(path: Sequence[Any]) -> str:
    found = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)
    # A key may be half of a surrogate pair, which is no text that could be answered.
    return found[:500].encode(errors="replace").decode()


async def answer_problem(request: Request, error: Exception) -> Response:
    """The response to an error."""
    problem = problem_of(error)
    request_id = request.scope.get("state", {}).get("request_id", "")
    body, headers = document(problem, instance=request.url.path, request_id=request_id)
    return Response(body, problem.status_code, headers, media_type=MEDIA_TYPE)


def add_problems(app: FastAPI) -> None:
    """Answer every error that convo knows as a problem; the guard answers the others."""
    kinds = (HTTPException, RequestValidationError, Refused, Invalid, Unavailable, Misconfigured)
    for kind in kinds:
        app.add_exception_handler(kind, answer_problem)
