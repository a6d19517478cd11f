"""The four kinds of trouble, as a tree.

* an expected "no" (a filter hit, a low score, a bad reply) is an outcome event and never an exception
* ``ConvoError``
    * ``Refused``       a command that the state does not allow, or that names nothing (409, 404)
    * ``Invalid``       input that breaks its own rules (422); carries every problem found
    * ``Unavailable``   an outage: NATS, Postgres or a model backend is away (503); worth a retry
    * ``Misconfigured`` a server, stream or schema that is not as convo needs it; a person must act
* anything else is a bug: logged with its stack by the shell of the service, never swallowed
"""

from dataclasses import dataclass


class ConvoError(Exception):
    """Trouble with a name; the message says what, which id, and what to do."""


class Refused(ConvoError):
    """A command that cannot be done in the present state."""

    def __init__(self, message: str, *, code: str = "conflict", state: str | None = None) -> None:
        """Keep the machine-readable code and the state that refused."""
        super().__init__(message)
        self.code = code
        self.state = state


class NotFound(Refused):
    """A command or a read that names something which is not there."""

    def __init__(self, message: str) -> None:
        """Carry the code that the gateway maps to 404."""
        super().__init__(message, code="not_found")


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input, and where it is."""

    message: str
    """What is wrong, what was expected, and what to do."""
    pointer: str = ""
    """JSON pointer into the input, such as ``/roles/judge/model``; empty for the whole."""
    line: int | None = None
    """Line in the file, from 1; None where the input was no file."""
    column: int | None = None
    """Column in the line, from 1."""

    def __str__(self) -> str:
        """Place and message on one line."""
        place = f"line {self.line}, column {self.column}: " if self.line is not None else ""
        pointer = f"{self.pointer}: " if self.pointer else ""
        return f"{place}{pointer}{self.message}"


class Invalid(ConvoError):
    """Input that is malformed or contradicts itself; every problem found at once."""

    def __init__(self, problems: list[Problem], *, source: str = "") -> None:
        """Keep the problems for the caller, and a message with all of them."""
        self.problems = problems
        self.source = source
        prefix = f"{source}: " if source else ""
        super().__init__("\n".join(f"{prefix}{problem}" for problem in problems))


class Unavailable(ConvoError):
    """A part that is away for now: wait and try again."""

    def __init__(self, message: str, *, part: str, retry_after_s: float | None = None) -> None:
        """Name the part (``nats``, ``postgres``, ``scheduler``) and how long to wait."""
        super().__init__(message)
        self.part = part
        self.retry_after_s = retry_after_s


class Misconfigured(ConvoError):
    """A part that answers but is not set up as convo needs it; says what to change."""
