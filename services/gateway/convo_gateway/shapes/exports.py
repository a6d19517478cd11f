"""Exports as pages and the command line see them."""

from datetime import datetime
from typing import Literal

from convo_gateway.shapes.counts import CallCosts, Shape
from convo_gateway.shapes.export_manifest import ExportCounts, ExportCoverage, FileMade
from convo_gateway.shapes.export_wishes import ExportOptions, ExportSource

ExportStatus = Literal["queued", "running", "done", "failed", "cancelled", "expired"]


class ExportMade(Shape):
    """What an export holds."""

    counts: ExportCounts
    coverage: ExportCoverage
    cost: CallCosts
    """Of the runs in it, whole."""
    files: list[FileMade]
    """Without the manifest. Lists name the first ones only."""
    more_files: int = 0
    """Files that are not named here; the manifest names all."""
    manifest_sha256: str
    """Of the file ``manifest.json``."""
    manifest_bytes: int


class ExportShown(Shape):
    """An export: what it is to hold, how far it is, and what it holds."""

    id: str
    name: str
    status: ExportStatus
    """``expired``: it was made, and its files are gone."""
    source: ExportSource
    options: ExportOptions
    looked_at: int
    """Conversations that are through."""
    total: int | None
    """Conversations to look at; None until they are counted."""
    bytes: int
    """On disk now."""
    made: ExportMade | None
    """None until it is done."""
    problem: str
    """Why it failed."""
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class ExportPage(Shape):
    """Exports, newest first."""

    items: list[ExportShown]
    next_cursor: str | None


class FormatShown(Shape):
    """A form that exports can have."""

    name: str
    title: str
    suffix: str
    typed: bool
    """Whether the files fix the types of their columns."""


class Formats(Shape):
    """Every form, by name."""

    items: list[FormatShown]
