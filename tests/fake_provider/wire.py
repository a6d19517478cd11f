"""Replies as steps on a connection: HTTP heads, chunked framing, waits and ways to hang up."""

import zlib
from collections.abc import Sequence
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple, TypeAlias

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream; charset=utf-8"
LAST_CHUNK = b"0\r\n\r\n"
_BLOCK = 1 << 20


class Send(NamedTuple):
    """Write bytes."""

    payload: bytes


class Wait(NamedTuple):
    """Do nothing for some seconds."""

    seconds: float


class Drip(NamedTuple):
    """Write bytes one at a time with a pause before each."""

    payload: bytes
    pause_s: float


class Flood(NamedTuple):
    """Write the same bytes again and again; times None never ends."""

    payload: bytes
    times: int | None


class Hang(NamedTuple):
    """Keep the connection and say nothing until the client hangs up."""


class Hold(NamedTuple):
    """Do nothing until another program is in force."""


class HangUp(NamedTuple):
    """Drop the connection although the answer is not complete."""

    reset: bool


Step: TypeAlias = Send | Wait | Drip | Flood | Hang | Hold | HangUp


class Plan(NamedTuple):
    """How one request is answered, and what of it the log remembers."""

    action: str
    steps: tuple[Step, ...]
    status: int | None = None
    """None when no status line is ever sent."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    rule: int | None = None
    """Place of the rule in the program, from 0; None for the default reply."""


def head(
    status: int,
    length: int | None,
    content_type: str = JSON_TYPE,
    headers: Sequence[tuple[str, str]] = (),
) -> bytes:
    """Status line and headers; without a length the body is chunked."""
    if not headers and content_type == JSON_TYPE and length is not None:
        return b"%b%d\r\n\r\n" % (_plain_head(status), length)
    lines = [f"HTTP/1.1 {status} {_phrase(status)}", f"Content-Type: {content_type}"]
    lines += [f"{name}: {value}" for name, value in headers]
    lines.append("Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def whole(
    status: int,
    body: bytes,
    content_type: str = JSON_TYPE,
    headers: Sequence[tuple[str, str]] = (),
) -> bytes:
    """A complete response."""
    return head(status, len(body), content_type, headers) + body


def chunk(payload: bytes) -> bytes:
    """One chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(payload), payload)


@lru_cache(maxsize=8)
def gzip_bomb(before: bytes, size: int, after: bytes) -> bytes:
    """A gzip member that unpacks to `before`, `size` times the letter a, `after`.

    One block is compressed once and repeated: a full flush ends on a byte and forgets what came before.
    Source: RFC 1951 section 3.2, RFC 1952 section 2.3.
    """
    count, rest = divmod(size, _BLOCK)
    block, tail = b"a" * _BLOCK, b"a" * rest + after
    checksum = zlib.crc32(before)
    for _ in range(count):
        checksum = zlib.crc32(block, checksum)
    checksum = zlib.crc32(tail, checksum)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    start = packer.compress(before) + packer.flush(zlib.Z_FULL_FLUSH)
    middle = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    end = packer.compress(tail) + packer.flush(zlib.Z_FINISH)
    length = (len(before) + count * _BLOCK + len(tail)) & 0xFFFFFFFF
    trailer = checksum.to_bytes(4, "little") + length.to_bytes(4, "little")
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + start + middle * count + end + trailer


@lru_cache(maxsize=64)
def _plain_head(status: int) -> bytes:
    return (
        f"HTTP/1.1 {status} {_phrase(status)}\r\nContent-Type: {JSON_TYPE}\r\nContent-Length: "
    ).encode()


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown"
