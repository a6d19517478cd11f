"""Files that go into the catalog: what would change, what is wrong with them, and how their fields are described."""

from typing import Literal

from pydantic import Field, JsonValue

from convo_gateway.shapes.counts import Shape


class FileChange(Shape):
    """What becomes of one object of a file."""

    action: Literal["create", "update", "unchanged"]
    kind: str
    name: str
    version: int
    """Version that the catalog has afterwards."""


class PlacedProblem(Shape):
    """One thing wrong with a file."""

    message: str
    """What was found, what was expected, and what to do."""
    file: str | None = None
    """Name of the file; null where a request had only one."""
    line: int | None = None
    """From 1."""
    column: int | None = None
    """From 1."""
    pointer: str = ""
    """JSON pointer into the document that begins nearest above the line."""


class FileCheck(Shape):
    """What a file would do to the catalog."""

    changes: list[FileChange]
    """In the order of writing, a thing after what it names; empty where there are problems."""
    problems: list[PlacedProblem]
    """Everything wrong, by line; nothing is written while there is one."""
    warnings: list[PlacedProblem] = Field(default_factory=list)
    """What can be written, and from which no run could start yet."""


class ImportedFiles(Shape):
    """What a file did to the catalog, in one transaction."""

    changes: list[FileChange]
    warnings: list[PlacedProblem] = Field(default_factory=list)
    """What was written, and from which no run can start yet."""


class RowError(Shape):
    """One thing wrong with a row."""

    row: int
    """Line of the file on which the row begins, from 1, the header counted."""
    column: str
    """Column, or field, as the file names it; empty for the whole row."""
    message: str


class BulkAnswer(Shape):
    """What a table did to the catalog, or would do."""

    rows: int
    """Rows read, without the header and empty lines."""
    created: int
    """Objects."""
    updated: int
    unchanged: int
    errors: list[RowError]
    """The first hundred, by line."""
    errors_total: int
    written: bool
    """False for a dry run, and where errors kept everything out."""


class SchemaEntry(Shape):
    """The JSON Schema of a kind of file."""

    kind: str = Field(examples=["personas"])
    """As in the paths of the API; ``any`` for a file of any kind."""
    word: str = Field(examples=["persona"])
    """What stands in the file after ``kind:``; empty for ``any``."""
    description: str
    path: str = Field(examples=["/api/v1/catalog/schemas/personas"])


class SchemaList(Shape):
    """The schemas of files."""

    items: list[SchemaEntry]


JsonSchema = dict[str, JsonValue]
"""A JSON Schema, draft 2020-12."""
