"""A question of the gateway to the filters: what would layer 1 say if these were the turns? Nothing is recorded."""

from convo_events.conversations import Hit, Turn
from convo_events.facts import Count, Fact


class Look(Fact):
    """The turns of a conversation as a person would have them."""

    snapshot: str
    """Hash of what its run froze: the rules are those of the run."""
    thread: Count
    """Number of the thread, from 0; with the next it says what the plan drew."""
    conversation: Count
    """Number of the conversation inside the thread, from 0."""
    turns: tuple[Turn, ...]
    """Oldest first."""
    cut: bool = False
    """Whether the model was stopped by its limit in a turn that nobody changed."""


class Looked(Fact):
    """The answer of the filters."""

    hits: tuple[Hit, ...] = ()
    """Every rule's first finding, in precedence order."""
    message: str = ""
    """For people, where it could not be done; then ``hits`` says nothing."""
