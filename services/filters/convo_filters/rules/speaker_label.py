"""Reject a turn that prints who speaks, such as "User:", "**Assistant:**" or the persona's own name."""

import re

from convo_events.conversations import Conversation
from convo_events.snapshot import Snapshot
from convo_filters.evidence import Found
from convo_filters.labels import ASSISTANTS, USERS, label_of, labels_in, says_something
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 95
DESCRIPTION = "A turn prints who speaks: User:, **Assistant:**, or the persona's name with a colon at its start."

_LABELS = label_of(USERS + ASSISTANTS)


class Parameters(RuleParameters):
    """What counts as a label."""

    persona: bool = True
    """Also the name of one of the config's personas at the very start of a turn."""


def prepare(snapshot: Snapshot, parameters: Parameters) -> re.Pattern[str] | None:
    """What finds a persona's name as a label; None where personas have no name to look for."""
    names = [one.name.lower() for one in snapshot.personas if len(one.name) > 1]
    return label_of(names) if names and parameters.persona else None


def check(
    conversation: Conversation, context: Context[Parameters, re.Pattern[str] | None]
) -> Found | None:
    """The first label with words after it; quotations and code do not count."""
    names = context.prepared
    return context.reading.first(lambda said: _label(said, names))


def _label(said: Said, names: re.Pattern[str] | None) -> Found | None:
    if ":" not in said.plain:
        return None
    for match in labels_in(_LABELS, said.lowered):
        if says_something(match[2]):
            return said.found(
                match.start(1), match.start(2), f"The turn prints who speaks: {match[1]}."
            )
    name = names.match(said.lowered) if names else None
    if name and says_something(name[2]):
        detail = f"The turn prints the persona's name: {name[1]}."
        return said.found(name.start(1), name.start(2), detail)
    return None
