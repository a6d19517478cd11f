"""Exit codes of the command line, and the error that carries one.

Scripts rely on them: they are part of the interface, listed in ``convo --help`` and in docs/cli.md.
"""

from collections.abc import Sequence
from enum import IntEnum

from convo_events.errors import Problem

__all__ = ["EXIT_CODES", "CommandError", "Exit"]


class Exit(IntEnum):
    """What a command's exit code says."""

    OK = 0
    FAILURES = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    UNREACHABLE = 5
    TIMED_OUT = 6
    INTERRUPTED = 130


EXIT_CODES: dict[Exit, str] = {
    Exit.OK: "done",
    Exit.FAILURES: "finished, but with failures; or something broke",
    Exit.USAGE: "wrong usage or invalid input; nothing was changed",
    Exit.NOT_FOUND: "there is nothing of that name or id",
    Exit.CONFLICT: "the present state does not allow it, or it needs --yes",
    Exit.UNREACHABLE: "the gateway does not answer",
    Exit.TIMED_OUT: "timed out waiting; what was started goes on",
    Exit.INTERRUPTED: "interrupted by Ctrl-C; what was started goes on",
}
"""Code to its meaning, as ``--help`` prints it."""


class CommandError(Exception):
    """A command that cannot do what was asked; the text is meant for the person at the terminal."""

    def __init__(
        self,
        message: str,
        code: Exit,
        *,
        advice: str = "",
        problems: Sequence[Problem] = (),
    ) -> None:
        """Keep what happened, the exit code, what to do about it and every problem of the input."""
        super().__init__(message)
        self.message = message
        self.code = code
        self.advice = advice
        self.problems = tuple(problems)
