"""One conversation as exports see it: its messages, and what stands beside them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

Value = object
"""A value of JSON, or a moment in UTC."""
SYSTEM = "system"
"""Role of a system message, and its name in the metadata of an imported row."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn."""

    role: str
    """``user`` or ``assistant``; ``system`` only before the turns."""
    content: str


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation to be written."""

    messages: tuple[Message, ...]
    """Oldest first; before the turns the system message of the row that it was, where it was brought in with one."""
    metadata: Mapping[str, Value]
    """By column, in the order of the columns."""

    @property
    def turns(self) -> tuple[Message, ...]:
        """What was said, without a system message."""
        told = bool(self.messages) and self.messages[0].role == SYSTEM
        return self.messages[1:] if told else self.messages

    @property
    def split(self) -> str:
        """The split that it is in."""
        return str(self.metadata["split"])


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a format has no place for a conversation."""

    why: str
    """Stable code, such as ``no_turns``."""


def chat(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Messages as the chat format of OpenAI has them."""
    return [{"role": message.role, "content": message.content} for message in messages]


def json_line(fields: Mapping[str, Value]) -> bytes:
    """One line of JSON in UTF-8, its keys in the order given; the same fields always give the same bytes."""
    try:
        return orjson.dumps(fields, option=_OPTIONS)
    except TypeError:
        return orjson.dumps(without_halves(fields), option=_OPTIONS)


_OPTIONS = orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z


def without_halves(value: Value) -> Value:
    r"""The same value with halves of surrogate pairs, which no UTF-8 has, shown as ``\udXXX``."""
    match value:
        case str():
            return value.encode(errors="backslashreplace").decode()
        case Mapping():
            return {str(without_halves(key)): without_halves(one) for key, one in value.items()}
        case list() | tuple():
            return [without_halves(one) for one in value]
    return value
