"""What is said in an accepted conversation, for counting. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from convo_events.conversations import Role
from convo_events.openings import opening

ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class AcceptedText:
    """A conversation by its id, with its turns."""

    conversation: str
    """Its id."""
    turns: Sequence[tuple[Role, str]]
    """Role and text, oldest first."""

    @property
    def bodies(self) -> list[str]:
        """The texts alone."""
        return [body for _, body in self.turns]

    def openings(self) -> dict[Role, str]:
        """How the first turn of each role begins; nothing for one that has no words."""
        first: dict[Role, str] = {}
        for role, body in self.turns:
            first.setdefault(role, body)
            if len(first) == len(ROLES):
                break
        begins = {role: opening(body) for role, body in first.items()}
        return {role: phrase for role, phrase in begins.items() if phrase}
