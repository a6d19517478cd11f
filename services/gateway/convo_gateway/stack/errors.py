"""What can go wrong with the stack, as one exception that says what, where and what to do."""

from itertools import groupby
from pathlib import Path

__all__ = ["StackError", "tail"]

TAIL_BYTES = 16_384


class StackError(Exception):
    """The stack cannot do what was asked; the text is meant for the person at the terminal.

    Attributes:
        what: what is wrong and where, one or two sentences.
        advice: what to do about it; may be empty.
        log: the end of the log of the part that failed, oldest line first; may be empty.
        exit_code: exit code for the command line (1 failed, 2 usage, 4 conflict).
    """

    def __init__(
        self, what: str, *, advice: str = "", log: tuple[str, ...] = (), exit_code: int = 1
    ) -> None:
        super().__init__(what)
        self.what = what
        self.advice = advice
        self.log = log
        self.exit_code = exit_code

    def __str__(self) -> str:
        return "\n".join(
            part for part in (self.what, *(f"  | {line}" for line in self.log), self.advice) if part
        )


def tail(log: Path, lines: int = 15) -> tuple[str, ...]:
    """Last lines of a log file, oldest first, cut at 500 characters; empty if there is none.

    A line that repeats the one before it, as a process that keeps dying does, comes once.
    """
    try:
        with log.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ()
    written = (line[:500] for line in text.splitlines() if line.strip())
    return tuple(line for line, _ in groupby(written))[-lines:]
