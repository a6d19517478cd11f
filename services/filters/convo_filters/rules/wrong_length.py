"""Reject a conversation with another number of turns than planned, or with turns far too long or short."""

from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 30
DESCRIPTION = (
    "The number of turns is not the planned one, or a turn is longer or shorter than allowed."
)


class Parameters(RuleParameters):
    """What is allowed. Words are single characters in scripts without spaces."""

    tolerance: Annotated[int, Field(ge=0, le=400)] = 1
    """Turns more or fewer than planned that still pass. A script of an odd plan cannot end with the assistant at 0."""
    most_words: Annotated[int, Field(ge=1, le=100_000)] = 2_000
    """Longest turn."""
    fewest_words: Annotated[int, Field(ge=0, le=10_000)] = 0
    """Shortest turn; 0 for no limit."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The wrong number of turns, with the first turn too many or the last there is; else a turn of a wrong length."""
    allowed = context.parameters
    turns = context.reading.turns
    made, planned = len(turns), conversation.planned_turns
    if planned and abs(made - planned) > allowed.tolerance:
        detail = f"{made} turns; {planned} were planned (tolerance {allowed.tolerance})."
        return turns[min(planned, made - 1)].found_whole(detail) if turns else Found(detail)
    for said in turns:
        if not allowed.fewest_words <= len(said.words) <= allowed.most_words:
            limits = f"{allowed.fewest_words} to {allowed.most_words}"
            return said.found_whole(f"{len(said.words)} words; allowed: {limits}.")
    return None
