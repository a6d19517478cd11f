"""The rules that the filters have: what forms are built from and configs are checked against."""

from dataclasses import dataclass
from typing import Any

from convo_events.announcements import RulesAnnounced
from convo_events.codec import Event
from convo_projector.stamp import Key, Stamp

TABLE = "announced_rules"
KEY = ("one",)


@dataclass(frozen=True, slots=True)
class Row:
    """The one row: the last announcement."""

    one: bool
    rules: list[dict[str, Any]]
    seq: int


def key(event: Event, stamp: Stamp) -> Key | None:
    """The only key there is."""
    return (True,) if isinstance(event, RulesAnnounced) else None


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The last announcement counts."""
    if not isinstance(event, RulesAnnounced):
        return row
    return Row(True, [rule.model_dump(mode="json") for rule in event.rules], stamp.seq)
