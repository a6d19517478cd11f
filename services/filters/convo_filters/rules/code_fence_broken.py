"""Reject a turn with a block of code that is opened and never closed, so that the rest of it reads as code."""

from convo_events.conversations import Conversation
from convo_filters.endings import open_fence
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 48
DESCRIPTION = "A block of code is opened and never closed: what follows it shows as code."


class Parameters(RuleParameters):
    """Whose turns are looked at."""

    users: bool = False
    """Also the user's: people do paste half a block."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first block that stays open, from its first mark to the end of the line."""
    for said in context.reading.turns:
        if said.role == "user" and not context.parameters.users:
            continue
        start = open_fence(said.plain)
        if start is not None:
            end = said.plain.find("\n", start)
            return said.found(
                start, len(said.plain) if end < 0 else end, "A code block is never closed."
            )
    return None
