"""What travels around an event: its id, who wrote it, when, why, and the trace it belongs to."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_ID = re.compile(r"[!-~]{1,300}")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The header of one event. Order in the log is the stream's sequence, never ``at``."""

    id: str
    """Derived from what the event is about, so a repeat has the same id."""
    at: str
    """Producer's clock, ISO 8601 in UTC; for people only."""
    producer: str
    """Instance that wrote it, such as ``generator-2``."""
    cause: str = ""
    """Id of the event that led to it; empty for a command from outside."""
    trace: str = ""
    """W3C ``traceparent``; empty where nothing is traced."""

    def header(self) -> dict[str, str]:
        """The fields as they stand in the JSON document, beside ``event``."""
        return {
            "id": self.id,
            "at": self.at,
            "producer": self.producer,
            "cause": self.cause,
            "trace": self.trace,
        }

    @classmethod
    def from_header(cls, parsed: dict[str, Any]) -> "Envelope":
        """Read the header fields of a parsed document.

        Raises:
            KeyError: where ``id``, ``at`` or ``producer`` is missing.
            ValueError: where the id is not of visible ASCII, or the time is none or has no offset.
        """
        found, at = str(parsed["id"]), str(parsed["at"])
        if not _ID.fullmatch(found):
            raise ValueError(f"id {found[:50]!r} is not of 1 to 300 visible ASCII characters")
        if datetime.fromisoformat(at).tzinfo is None:
            raise ValueError(f"time {at!r} has no offset")
        return cls(
            id=found,
            at=at,
            producer=str(parsed["producer"]),
            cause=str(parsed.get("cause", "")),
            trace=str(parsed.get("trace", "")),
        )
