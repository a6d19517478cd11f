"""What the body of a request may be: JSON, except on the few paths that take files.

A form of a foreign page can send none of these types; a script of one has to ask first, and is told no.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BodyKind:
    """Types and size of a body."""

    media_types: tuple[str, ...]
    most_bytes: int


JSON = BodyKind(("application/json",), 1_000_000)
LINES = ("application/x-ndjson", "application/jsonl")
FILE = BodyKind(("application/yaml", "application/x-yaml", "text/yaml", *LINES), 20_000_000)
"""A file of catalog objects; YAML is read up to a smaller size."""
TABLE = BodyKind(("text/csv", *LINES), 20_000_000)
"""Many rows."""
CONVERSATIONS = BodyKind(
    ("application/octet-stream", "application/vnd.apache.parquet", *LINES), 20_000_000_000
)
"""A file of conversations, whatever its format."""
BY_PATH: Mapping[str, BodyKind] = {
    "/api/v1/catalog/check": FILE,
    "/api/v1/catalog/import": FILE,
    "/api/v1/imports": CONVERSATIONS,
    "/api/v1/personas/bulk": TABLE,
    "/api/v1/voices/bulk": TABLE,
    "/api/v1/pools/bulk": TABLE,
}


def media_type(content_type: str) -> str:
    """The type alone, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def body_kind(path: str) -> BodyKind:
    """What a path takes."""
    return BY_PATH.get(path, JSON)
