"""Reject a conversation in which the speakers do not take turns, the user first."""

from typing import Literal

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 20
DESCRIPTION = "The user does not open, the speakers do not alternate, or the assistant does not have the last word."


class Parameters(RuleParameters):
    """Who may end a conversation."""

    ends_with: Literal["assistant", "any"] = "assistant"
    """``assistant``: the last turn has to be the assistant's."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first turn that is not its speaker's."""
    expected = ("user", "assistant")
    turns = context.reading.turns
    for at, said in enumerate(turns):
        if said.role != expected[at % 2]:
            before = "opens" if at == 0 else f"follows the {turns[at - 1].role}"
            return said.found_whole(f"Turn {at} is the {said.role}'s and {before}.")
    if context.parameters.ends_with == "assistant" and len(turns) % 2:
        return turns[-1].found_whole("The conversation ends with the user.")
    return None
