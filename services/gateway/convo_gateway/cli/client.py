"""The gateway's REST as the command line uses it: one session, documents in and out, every error with its exit code."""

import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import quote

import aiohttp
from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError
from yarl import URL

from convo_events.errors import Problem
from convo_gateway.cli.exits import CommandError, Exit

__all__ = ["ApiError", "ApiProblem", "Document", "Gateway", "read_as"]

Document = dict[str, JsonValue]
"""A JSON object as the API gave it."""
Asked = str | int | list[str] | None
"""Value of a query parameter; None leaves it out."""
_DOCUMENT: TypeAdapter[Document] = TypeAdapter(Document)
_Shape = TypeVar("_Shape", bound=BaseModel)
MOST_BYTES = 64_000_000
"""Longest answer that is read into memory; exports are streamed."""
CONNECT_S = 5.0
SILENCE_S = 60.0
FILE_SILENCE_S = 600.0
"""While a file is read; the largest YAML file takes a minute on a busy machine."""
_CODES = {
    400: Exit.USAGE,
    404: Exit.NOT_FOUND,
    409: Exit.CONFLICT,
    412: Exit.CONFLICT,
    413: Exit.USAGE,
    415: Exit.USAGE,
    422: Exit.USAGE,
    428: Exit.CONFLICT,
    502: Exit.UNREACHABLE,
    503: Exit.UNREACHABLE,
    504: Exit.TIMED_OUT,
}


class _Answered(BaseModel):
    # What a newer gateway says beyond these is let through.
    model_config = ConfigDict(extra="ignore", frozen=True)


class PointedProblem(_Answered):
    """One thing wrong with what was sent."""

    detail: str = ""
    pointer: str = ""


class ApiProblem(_Answered):
    """A refusal of the API (RFC 9457)."""

    type: str = "about:blank"
    title: str = ""
    detail: str = ""
    status: int = 0
    errors: tuple[PointedProblem, ...] = ()
    state: str | None = None
    """409: the state that refused."""
    estimate_micro: int | None = None
    """needs-confirmation: what the run is estimated to cost."""
    threshold_micro: int | None = None
    """needs-confirmation: the config's threshold."""

    answer: JsonValue = None
    """Of a table: what came of its rows."""

    @property
    def kind(self) -> str:
        """Last part of the type, such as ``needs-confirmation``."""
        return self.type.rpartition(":")[2]


class ApiError(CommandError):
    """The gateway refused; carries its problem document."""

    def __init__(self, problem: ApiProblem, url: str) -> None:
        """Turn the document into a message, the problems and an exit code."""
        self.problem = problem
        super().__init__(
            problem.detail or problem.title or f"The gateway answered {problem.status} at {url}",
            _CODES.get(problem.status, Exit.FAILURES),
            problems=[Problem(error.detail, error.pointer) for error in problem.errors],
        )


@dataclass(frozen=True, slots=True)
class Download:
    """An answer that is still coming."""

    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]


class Gateway:
    """A session with one gateway. Use it as an async context manager.

    Reads are tried twice where the connection breaks; what changes something is sent once.
    """

    def __init__(self, url: str) -> None:
        """Keep the address; nothing is sent before the first call."""
        self.url = url
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        """Open the session."""
        self._session = aiohttp.ClientSession(
            timeout=_patience(SILENCE_S), headers={"X-Convo-Client": "cli"}
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the session."""
        if self._session:
            await self._session.close()

    @property
    def session(self) -> aiohttp.ClientSession:
        """The open session."""
        assert self._session is not None, "use the gateway as an async context manager"
        return self._session

    def address(self, path: str) -> URL:
        """Full address of a path below ``/api/v1``; ids come from people, so what is special in one is escaped."""
        return URL(f"{self.url}/api/v1/{quote(path)}", encoded=True)

    async def get(self, path: str, **query: Asked) -> Document:
        """A document.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer, or not with a document.
        """
        try:
            return await self._document("GET", path, query=query)
        except CommandError as error:
            if isinstance(error, ApiError) or error.code is not Exit.UNREACHABLE:
                raise
            return await self._document("GET", path, query=query)

    async def post(
        self, path: str, body: Document, *, key: str | None = None, match: str | None = None
    ) -> Document:
        """Send a document and get one back; with a key, sending it twice has the effect of once.

        With ``match`` it is refused where what it changes is not at that version any more.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer, or not with a document.
        """
        return await self._document("POST", path, body=body, key=key, match=match)

    async def put(self, path: str, body: Document, *, match: str | None = None) -> Document:
        """Replace a document; with ``match`` only if it is still at that version.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer, or not with a document.
        """
        return await self._document("PUT", path, body=body, match=match)

    async def patch(self, path: str, body: Document, *, key: str | None = None) -> Document:
        """Change parts of a document; with a key, sending it twice has the effect of once.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer, or not with a document.
        """
        return await self._document("PATCH", path, body=body, key=key)

    async def send(self, path: str, content: bytes, media_type: str, **query: Asked) -> Document:
        """Send a file and get a document back; a large one takes its time.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer, or not with a document.
        """
        return await self._document("POST", path, query=query, file=(content, media_type))

    async def upload(
        self, path: str, pieces: AsyncIterator[bytes], media_type: str, **query: Asked
    ) -> tuple[int, Document]:
        """Send a file of any size while it is read; the status of the answer, and its document.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer, or not with a document; or the file cannot be read on, and then the
                gateway keeps nothing of it.
        """
        broken: list[CommandError] = []

        async def watched() -> AsyncIterator[bytes]:
            try:
                async for piece in pieces:
                    yield piece
            except CommandError as error:
                broken.append(error)
                raise

        try:
            async with self.session.post(
                self.address(path),
                params=_pairs(query),
                data=watched(),
                headers={"Content-Type": media_type},
                timeout=_patience(FILE_SILENCE_S),
            ) as answer:
                if answer.status >= 400:
                    raise await self._refusal(answer)
                return answer.status, self._read(await _bounded(answer))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise broken[0] if broken else self._away(error) from error

    async def delete(self, path: str) -> None:
        """Delete what is there.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer.
        """
        try:
            async with self.session.delete(self.address(path)) as answer:
                if answer.status >= 400:
                    raise await self._refusal(answer)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._away(error) from error

    @asynccontextmanager
    async def download(self, path: str, **query: Asked) -> AsyncIterator[Download]:
        """An answer as its bytes come.

        Raises:
            ApiError: the gateway refused.
            CommandError: it does not answer, or stops before the end.
        """
        try:
            async with self.session.get(self.address(path), params=_pairs(query)) as answer:
                if answer.status >= 400:
                    raise await self._refusal(answer)
                yield Download(answer.headers, answer.content.iter_chunked(65_536))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._away(error) from error

    async def _document(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Asked] | None = None,
        body: Document | None = None,
        key: str | None = None,
        match: str | None = None,
        file: tuple[bytes, str] | None = None,
    ) -> Document:
        headers = dict(_pairs({"Idempotency-Key": key, "If-Match": match}))
        silence_s = SILENCE_S if file is None else FILE_SILENCE_S
        if body is not None:
            file = (json.dumps(body).encode(), "application/json")
        content = None
        if file is not None:
            content, headers["Content-Type"] = BytesIO(file[0]), file[1]
        try:
            async with self.session.request(
                method,
                self.address(path),
                params=_pairs(query or {}),
                data=content,
                headers=headers,
                timeout=_patience(silence_s),
            ) as answer:
                if answer.status >= 400:
                    raise await self._refusal(answer)
                return self._read(await _bounded(answer))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._away(error) from error

    def _read(self, content: bytes) -> Document:
        try:
            return _DOCUMENT.validate_json(content)
        except ValidationError as error:
            raise self._foreign() from error

    async def _refusal(self, answer: aiohttp.ClientResponse) -> CommandError:
        content = await _bounded(answer)
        try:
            document = json.loads(content)
            problem = ApiProblem.model_validate({**document, "status": answer.status})
        except (ValueError, TypeError):
            if answer.status == 404:
                return self._foreign()
            problem = ApiProblem(status=answer.status)
        return ApiError(problem, str(answer.url))

    def _foreign(self) -> CommandError:
        return CommandError(
            f"What answers at {self.url} is no convo gateway, or one of another version.",
            Exit.UNREACHABLE,
            advice="Name the right one with --gateway URL or CONVO_GATEWAY_URL.",
        )

    def _away(self, error: Exception) -> CommandError:
        return CommandError(
            f"The gateway at {self.url} cannot be reached: {_reason(error)}",
            Exit.UNREACHABLE,
            advice="Start it with: convo up. Or name another with --gateway URL.",
        )


def read_as(shape: type[_Shape], document: JsonValue) -> _Shape:
    """A document in the shape that a command shows.

    Raises:
        CommandError: it has another shape, so the gateway is of another version.
    """
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = "/".join(str(part) for part in first["loc"])
        raise CommandError(
            f"The gateway's answer is not understood: {where}: {first['msg']}",
            Exit.FAILURES,
            advice="Gateway and command line should have the same version; see convo --version.",
        ) from error


def _patience(silence_s: float) -> aiohttp.ClientTimeout:
    """How long a connection is waited for, and an answer once everything is sent."""
    return aiohttp.ClientTimeout(
        total=None, sock_connect=CONNECT_S, connect=CONNECT_S, sock_read=silence_s
    )


def _reason(error: Exception) -> str:
    """Why it does not answer, in few words."""
    match error:
        case TimeoutError():
            return "no answer in time"
        case aiohttp.ClientConnectorDNSError():
            return "its name is not known"
        case OSError(errno=int(number)) if number > 0:
            return os.strerror(number).lower()
    return str(error) or type(error).__name__


async def _bounded(answer: aiohttp.ClientResponse) -> bytes:
    """The body of an answer, refused where it is too long to be one."""
    content = await answer.content.read(MOST_BYTES + 1)
    chunks = [content]
    size = len(content)
    while content := await answer.content.read(65_536):
        chunks.append(content)
        size += len(content)
        if size > MOST_BYTES:
            raise aiohttp.ClientPayloadError(f"an answer of more than {MOST_BYTES:,} bytes")
    return b"".join(chunks)


def _pairs(values: Mapping[str, Asked]) -> list[tuple[str, str]]:
    """What has a value, as text; a list gives its name several times."""
    return [
        (name, str(one))
        for name, value in values.items()
        if value is not None
        for one in (value if isinstance(value, list) else [value])
    ]
