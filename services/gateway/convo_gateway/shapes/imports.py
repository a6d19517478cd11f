"""Files of conversations that were brought in."""

from datetime import datetime
from typing import Literal

from convo_gateway.shapes.counts import Shape

ImportStatus = Literal["reading", "ready", "broken"]


class Refusals(Shape):
    """Rows that were refused for one reason."""

    code: str
    n: int


class ImportShown(Shape):
    """A file of conversations, and what became of its rows."""

    id: str
    name: str
    """Of the file, as it was sent."""
    format: str
    """``jsonl``, ``json`` or ``parquet``, and how it was compressed."""
    status: ImportStatus
    """``ready``: all of its rows are told. ``broken``: nothing of it can be used."""
    detail: str
    """Why it is broken."""
    sha256: str | None
    """Of the file as it was sent."""
    bytes: int
    read: int
    """Rows, all of them: taken and refused."""
    taken: int
    """Rows that are conversations; each says something that no other one says."""
    refused: int
    refusals: list[Refusals]
    """Refused rows by reason, most first; together they are ``refused``."""
    mended: int
    """Characters that no database holds (NUL, halves of surrogate pairs) and that are U+FFFD now."""
    turns: int
    """In the rows that were taken."""
    characters: int
    """In the turns."""
    created_at: datetime


class ImportPage(Shape):
    """Files, newest first."""

    items: list[ImportShown]
    next_cursor: str | None


class RefusedRow(Shape):
    """A row that was not taken."""

    row: int
    """Number in the file, from 1: of the line, the item or the row."""
    code: str
    pointer: str
    """JSON pointer into the row; empty for all of it."""
    message: str


class RefusedRows(Shape):
    """Refused rows, in the order of the file."""

    items: list[RefusedRow]
    kept: int
    """The first so many are kept with their reason."""
    of: int
    """All that were refused."""
    next_row: int | None
    """``after`` of the next page; null at the end."""
