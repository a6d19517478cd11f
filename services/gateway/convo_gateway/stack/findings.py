"""What a check found: good, worth knowing, or a problem with what to do about it."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Finding", "Level", "good", "note", "problem"]


class Level(StrEnum):
    """How bad it is."""

    GOOD = "good"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        check: what was looked at, such as `port`.
        level: how bad it is.
        what: what was found.
        advice: what to do; empty when there is nothing to do.
    """

    check: str
    level: Level
    what: str
    advice: str = ""


def good(check: str, what: str) -> Finding:
    """Nothing to do."""
    return Finding(check, Level.GOOD, what)


def note(check: str, what: str, advice: str = "") -> Finding:
    """Worth knowing; convo works all the same."""
    return Finding(check, Level.NOTE, what, advice)


def problem(check: str, what: str, advice: str) -> Finding:
    """Something that keeps convo from working or from being safe."""
    return Finding(check, Level.PROBLEM, what, advice)
