"""What a step starts from. Pure."""

from dataclasses import dataclass

from convo_events.conversations import Turn


@dataclass(frozen=True, slots=True)
class Past:
    """What was said before, in the conversation and before it."""

    turns: tuple[Turn, ...] = ()
    """The conversation so far, oldest first."""
    memory: str = ""
    """What the persona remembers of its earlier conversations; empty for nothing."""
