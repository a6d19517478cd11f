"""What a service says of itself at its start, so that forms and checks elsewhere need no import of it."""

from typing import Literal

from pydantic import JsonValue

from convo_events.facts import Count, Fact


class RuleAnnouncement(Fact):
    """One rule of the filters."""

    reason: str
    """Stable code that it rejects with, and its key in a config's ``rules``."""
    layer: Count
    """Layer that it belongs to."""
    precedence: Count
    """Place inside the layer; lower wins."""
    description: str
    """What it rejects, for people."""
    parameters: dict[str, JsonValue]
    """JSON schema of its parameters, with defaults; unknown names are refused."""


class RulesAnnounced(Fact):
    """The rules of the filters, said when a filters service starts and finds that others are known."""

    type: Literal["rules.announced"] = "rules.announced"
    v: Literal[1] = 1
    """Version of this event's shape."""
    rules: tuple[RuleAnnouncement, ...]
    """In precedence order."""
