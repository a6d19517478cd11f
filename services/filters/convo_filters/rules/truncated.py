"""Reject a conversation whose last words are cut off."""

from convo_events.conversations import Conversation
from convo_events.snapshot import Snapshot
from convo_filters.endings import broken_end, open_fence
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 40
DESCRIPTION = (
    "The model ran into its answer limit or a content filter, or the last turn breaks off."
)

_TAIL = 200


class Parameters(RuleParameters):
    """What counts as cut off besides what the model itself reports."""

    broken_off: bool = True
    """Also look at how the last assistant turn ends: a comma, an open bracket, "and", an open code block."""


def prepare(snapshot: Snapshot, parameters: Parameters) -> frozenset[str]:
    """Finish reasons that the config accepts."""
    role = snapshot.config.roles.assistant
    return frozenset(role.accept_finish if role else ()) | {"stop"}


def check(conversation: Conversation, context: Context[Parameters, frozenset[str]]) -> Found | None:
    """A finish that is not accepted, else the end of a last turn that breaks off."""
    if not context.reading.turns:
        return None
    last = context.reading.turns[-1]
    end = len(last.plain)
    if conversation.finish not in context.prepared:
        detail = f"The model stopped with {conversation.finish!r}."
        return last.found(max(0, end - _TAIL), end, detail)
    if not context.parameters.broken_off or last.role != "assistant":
        return None
    if (fence := open_fence(last.plain)) is not None:
        return last.found(fence, end, "A code block is never closed.")
    if broken := broken_end(last.plain, context.reading.language):
        return last.found(*broken, "The last turn breaks off in the middle of a sentence.")
    return None
