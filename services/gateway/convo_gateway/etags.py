"""Entity tags: an answer that has not changed is not sent again, and an edit names what it edits."""

import hashlib

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from convo_gateway.problems import HttpProblem


def tag_of(body: bytes) -> str:
    """Entity tag of a body."""
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def version_tag(version: int, *, archived: bool = False) -> str:
    """Entity tag of a version of a catalog object; archiving writes no version, yet the answer is another."""
    return f'"v{version}{"-archived" if archived else ""}"'


def tagged(request: Request, body: bytes, tag: str = "", *, cache: str = "no-cache") -> Response:
    """The body with its tag, or 304 where the client has it already."""
    tag = tag or tag_of(body)
    headers = {"ETag": tag, "Cache-Control": cache}
    known = {part.strip().removeprefix("W/") for part in _header(request, "if-none-match")}
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def tagged_model(request: Request, model: BaseModel, tag: str = "") -> Response:
    """As ``tagged``, for a model."""
    return tagged(request, model.model_dump_json().encode(), tag)


def version_to_edit(request: Request) -> int:
    """The version that an edit is based on.

    Raises:
        HttpProblem: 428 without ``If-Match``, 412 where it is no version of ours.
    """
    sent = _header(request, "if-match")
    if not sent:
        detail = "Send If-Match with the ETag of the version that you edited."
        raise HttpProblem(428, detail)
    tag = sent[0].strip()
    number = tag.removeprefix('"v').removesuffix('"').removesuffix("-archived")
    tags = {f'"v{number}"', f'"v{number}-archived"'}
    if len(sent) != 1 or tag not in tags or not (number.isascii() and number.isdigit()):
        raise HttpProblem(412, "If-Match names no version; read the object again.")
    return int(number[:9])


def _header(request: Request, name: str) -> list[str]:
    return [part for part in request.headers.get(name, "").split(",") if part.strip()]
