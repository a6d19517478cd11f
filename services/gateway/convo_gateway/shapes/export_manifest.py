"""The manifest of an export folder: what it holds, of what, what it does not hold and why, and what proves it. Pure."""

import hashlib
from datetime import datetime

import orjson
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from convo_events.runs import RunStatus
from convo_events.snapshot import ImportSource
from convo_gateway.shapes.counts import CallCosts, Counted
from convo_gateway.shapes.export_wishes import ExportOptions

MANIFEST = "manifest.json"
FORMAT_VERSION = 3
"""Of exports with conversations that were brought in, or that no model judged; all others are as in version 2."""
FORMAT_VERSIONS = (2, FORMAT_VERSION)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class FileMade(_Part):
    """A file of an export, and what proves it."""

    path: str
    """Below the folder, with ``/``."""
    kind: str
    """``data``, ``skipped``, ``card`` or ``snapshot``."""
    split: str = ""
    """Data: the split that it belongs to."""
    rows: int | None = None
    """Rows; None for what has none."""
    bytes: int
    sha256: str
    """Of the file as it lies there, compressed or not."""
    blocks: tuple[str, ...] = ()
    """First 16 digits of the SHA-256 of each mebibyte; empty for files of one block."""


class ExportCounts(_Part):
    """What is counted over the rows of the data files, and can be counted again from them."""

    rows: int = 0
    """Rows in all data files."""
    conversations: int = 0
    """Conversations in these rows; a preference pair has two."""
    turns: int = 0
    """Turns of these conversations."""
    words: int = 0
    """Words in these turns, as they were generated."""
    splits: dict[str, int] = {}
    """Rows by split."""
    statuses: dict[str, int] = {}
    """Conversations by status."""
    reasons: dict[str, int] = {}
    """Conversations by recorded reason; those without one are not counted here."""
    layers: dict[str, int] = {}
    """Conversations by layer of the reason."""
    runs: dict[str, int] = {}
    """Conversations by run."""
    reviews: dict[str, int] = {}
    """Conversations by what people decided; those that nobody looked at are not counted here."""
    edited: int = 0
    """Conversations with a turn that a person changed."""
    cost_micro: int = 0
    """Known cost of the calls for these conversations, in micro-dollars."""
    unknown_calls: int = 0
    """Calls for these conversations whose cost nobody knows; no part of ``cost_micro``."""


class Made(_Part):
    """When the export was made: the one place in an export with a clock in it."""

    at: datetime
    """When the database was asked."""
    position: int
    """Position in the event log that its answers show."""


class Source(_Part):
    """What the conversations were taken from."""

    kind: str
    """``run``, ``filter`` or ``view``."""
    name: str
    """Id of the run, name of the view; empty for a filter."""
    filter: dict[str, JsonValue] = {}
    """The filter, also that of the view; only what is a condition."""
    verdict_set: str = ""
    """Name of the verdict set whose verdicts count; empty: the runs' own record."""


class ExportMissing(_Part):
    """Conversations of the population that are not in the data files, and why."""

    why: str
    """``status``: not asked for. ``not_made``: there is none yet, or the run ended before. ``format``: no place for it
    in this format. ``review``: left out by what people decided."""
    code: str = ""
    """Status, or what the format or the reviews have against it."""
    reason: str = ""
    """Recorded reason of conversations whose status was not asked for."""
    layer: int | None = None
    """Layer of that reason."""
    count: int
    """Conversations."""


class ExportCoverage(_Part):
    """What is there of what there could be."""

    population: Counted
    """All that could be in the files."""
    written: Counted
    """What is in them."""
    missing: Counted
    """What is not."""
    why: list[ExportMissing] = []
    """Every missing conversation once."""


class RunPart(_Part):
    """A run whose conversations are in the files."""

    run: str
    name: str
    config: str
    config_version: int
    config_hash: str | None
    snapshot: str
    snapshot_file: str | None
    """What it froze, beside the data; None where the database does not have it."""
    mode: str
    """``import``: its conversations were brought in, and no model wrote them."""
    source: ImportSource | None = Field(default=None, exclude_if=lambda source: source is None)
    """Mode ``import``: the file that was read, with how many conversations it had."""
    judged: bool = Field(default=True, exclude_if=lambda judged: judged)
    """False where no model judged its conversations."""
    seed: int
    status: RunStatus
    complete: bool
    """True where the run had ended: what is taken from it will not change any more."""
    planned: int
    """Conversations that it was to make."""
    accepted: int
    rejected: int
    failed: int
    cancelled: int
    cost: CallCosts
    """Of the whole run, whatever is in the files."""


class FolderManifest(_Part):
    """What an export folder says of itself."""

    format_version: int = FORMAT_VERSION
    convo: str
    """Version of convo that made it."""
    name: str
    made: Made
    source: Source
    options: ExportOptions
    statuses: list[str]
    """Statuses of the conversations that were asked for."""
    counts: ExportCounts
    """Counted over the rows of the data files."""
    units: dict[str, str] = Field(default_factory=lambda: UNITS)
    """Name of a count to what was counted, and over what."""
    coverage: ExportCoverage
    runs: list[RunPart]
    """In the order of their ids."""
    cost: CallCosts
    """Of these runs, all together; known and unknown apart."""
    files: list[FileMade]
    """Every file but this one, in the order of their paths."""
    sha256: str = ""
    """Of this document without this field: sorted keys, no spaces."""

    def sealed(self) -> "FolderManifest":
        """The same with its digest."""
        return self.model_copy(update={"sha256": seal_of(self.document())})

    def document(self) -> dict[str, JsonValue]:
        """As it is written."""
        return self.model_dump(mode="json")

    def body(self) -> bytes:
        """The file."""
        return orjson.dumps(self.document(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


UNITS: dict[str, str] = {
    name: (field.description or "").rstrip(".") for name, field in ExportCounts.model_fields.items()
}
UNITS_READ: dict[str, str] = UNITS | {"words": "Words in these turns, as they were made or read"}
"""Where conversations were brought in."""


def seal_of(document: dict[str, JsonValue]) -> str:
    """SHA-256 of a manifest's document without its own digest."""
    rest = {name: value for name, value in document.items() if name != "sha256"}
    return hashlib.sha256(orjson.dumps(rest, option=orjson.OPT_SORT_KEYS)).hexdigest()
