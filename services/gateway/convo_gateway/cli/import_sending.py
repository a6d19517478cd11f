"""A file on its way into convo: sent in pieces, then waited for until all of its rows are told."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.import_sources import Source, pieces
from convo_gateway.cli.render import number, percent, say
from convo_gateway.cli.status_line import StatusLine
from convo_gateway.shapes.imports import ImportShown, RefusedRow, RefusedRows

__all__ = ["FIRST_REFUSED", "Brought", "bring_in", "first_refused"]

FIRST_REFUSED = 20
"""Refused rows that are shown without being asked for."""
POLL_S = 0.3
KNOWN = 200
"""Status of the answer where the same bytes are there already."""
_MEDIA_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Brought:
    """A file, and what became of it."""

    source: Source
    shown: ImportShown
    known: bool
    """Whether the same bytes were brought in before."""
    refused: list[RefusedRow]
    """The first ones."""

    def document(self) -> Document:
        """The import as the API gives it, and what is known beside it."""
        return {
            "file": self.source.path,
            "there_already": self.known,
            **self.shown.model_dump(mode="json"),
            "first_refused": [row.model_dump(mode="json") for row in self.refused],
        }


async def bring_in(api: Gateway, source: Source) -> Brought:
    """Send a file and wait until it is ready or broken; how far it is stands on standard error.

    Raises:
        CommandError: the file cannot be read on, or the gateway refuses or goes away.
    """
    with StatusLine() as status:
        shown, known = await _send(api, source, status)
        shown = await _until_read(api, shown, status)
    return Brought(source, shown, known, await first_refused(api, shown))


async def first_refused(api: Gateway, shown: ImportShown) -> list[RefusedRow]:
    """The first rows of an import that were refused."""
    if not shown.refused:
        return []
    page = await api.get(f"imports/{shown.id}/refused", limit=FIRST_REFUSED)
    return read_as(RefusedRows, page).items


async def _send(api: Gateway, source: Source, status: StatusLine) -> tuple[ImportShown, bool]:
    async def counted() -> AsyncIterator[bytes]:
        sent = 0
        async for piece in pieces(source):
            yield piece
            sent += len(piece)
            status.show(_sent(source, sent))

    try:
        answered, document = await api.upload("imports", counted(), _MEDIA_TYPE, name=source.name)
    except asyncio.CancelledError:
        say(f"{source.name} was not sent to its end; nothing of it is kept.")
        raise
    return read_as(ImportShown, document), answered == KNOWN


async def _until_read(api: Gateway, shown: ImportShown, status: StatusLine) -> ImportShown:
    goes_on = f"The gateway goes on reading; look again with: convo imports show {shown.id}"
    try:
        while shown.status == "reading":
            status.show(_read(shown))
            await asyncio.sleep(POLL_S)
            shown = read_as(ImportShown, await api.get(f"imports/{shown.id}"))
    except asyncio.CancelledError:
        say(goes_on)
        raise
    except CommandError as error:
        if error.code is Exit.UNREACHABLE:
            error.advice = (
                f"It may go on reading; when it is back: convo imports show {shown.id}. "
                "If it stopped, send the file again."
            )
        raise
    return shown


def _sent(source: Source, sent: int) -> str:
    whole = ""
    if source.size:
        whole = f" of {number(source.size)} bytes, {percent(sent, source.size)}"
    return f"{source.name}  sent {number(sent)}{whole or ' bytes'}"


def _read(shown: ImportShown) -> str:
    return (
        f"{shown.name}  {number(shown.read)} rows read: {number(shown.taken)} taken, "
        f"{number(shown.refused)} refused"
    )
