"""Reject a turn before the last that breaks off in the middle of a sentence; the last is left to ``truncated``."""

from convo_events.conversations import Conversation
from convo_filters.endings import broken_end
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 45
DESCRIPTION = (
    "An earlier turn breaks off: it ends in a comma, an open bracket, or a word such as and."
)


class Parameters(RuleParameters):
    """Whose turns are looked at."""

    users: bool = False
    """Also the user's: people do send half a sentence and go on in the next message."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first turn that breaks off and is answered all the same."""
    for said in context.reading.turns[:-1]:
        if (said.role == "assistant" or context.parameters.users) and (
            broken := broken_end(said.plain, context.reading.language)
        ):
            return said.found(*broken, "The turn breaks off in the middle of a sentence.")
    return None
