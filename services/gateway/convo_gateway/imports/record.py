"""A record of an import, in either of the shapes that chat data sets have, as a row. Pure.

``messages`` (OpenAI, TRL: ``role`` and ``content``) and ``conversations`` (ShareGPT: ``from`` and ``value``); files mix
the two, so each message is read by the keys that it has. Sources: the chat format of OpenAI's API reference; the
ShareGPT files that axolotl and LLaMA-Factory read.
"""

import re
from collections.abc import Mapping, Sequence

import orjson

from convo_events.conversations import Role, Turn
from convo_gateway.imports.row import MOST_BYTES, MOST_TURNS, ProblemCode, Refused, Row, Taken

LISTS = ("messages", "conversations", "conversation")
"""Fields that hold the messages; the first that the record has counts."""
_ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "model": "assistant",
}
_SYSTEM = frozenset({"system", "developer"})
_TOOLS = frozenset(
    {"tool", "function", "function_call", "observation", "tool_call", "tool_response"}
)
_CALLS = ("tool_calls", "function_call")
SYSTEM = "system"
"""Where the system message stands in the metadata; a row's own field of that name is one where it is text."""
MOST_METADATA = 4_000
"""Characters of metadata that are kept of a row, beside the system message."""
MOST_DEPTH = 4
"""Objects and lists inside of each other that are kept: what an export has beside its turns comes in again."""
MOST_LEFT_OUT = 20
"""Names that are kept of fields which are not, each of at most 100 characters."""
_UNHELD = re.compile("[\x00\ud800-\udfff]")


class _Wrong(Exception):
    """Why a record is refused."""

    def __init__(self, code: ProblemCode, message: str, pointer: str = "") -> None:
        super().__init__(message)
        self.code: ProblemCode = code
        self.message = message
        self.pointer = pointer


def read_record(number: int, record: object) -> Row:
    """The row that a record is.

    Args:
        number: Of the row in its file, from 1.
        record: What a line of JSON, or a row of a table, holds.
    """
    try:
        return _taken(number, record)
    except _Wrong as wrong:
        return Refused(number, wrong.code, wrong.message, wrong.pointer)


def _taken(number: int, record: object) -> Taken:
    if not isinstance(record, Mapping):
        raise _Wrong("not_a_conversation", f"the row is {_kind(record)}, not an object")
    name = next((name for name in LISTS if record.get(name) is not None), None)
    if name is None:
        raise _Wrong("not_a_conversation", f"the row has none of {', '.join(LISTS)}")
    messages = record[name]
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
        raise _Wrong("not_a_conversation", f"{name} is {_kind(messages)}, not a list", f"/{name}")
    system, turns, mended = _read_all(messages, f"/{name}")
    if not turns:
        raise _Wrong("empty", "there is no message of a user or an assistant", f"/{name}")
    if len(turns) > MOST_TURNS:
        message = f"{len(turns):,} messages are more than the {MOST_TURNS:,} that are taken"
        raise _Wrong("too_long", message, f"/{name}")
    fields = {key: value for key, value in record.items() if key != name}
    if not system and isinstance(own := fields.get(SYSTEM), str):
        system, more = _held(own)
        mended += more
        del fields[SYSTEM]
    size = sum(len(orjson.dumps(text)) for text in (system, *(turn.text for turn in turns)))
    if size > MOST_BYTES:
        message = f"{size:,} bytes of text as JSON are more than the {MOST_BYTES:,} that are taken"
        raise _Wrong("too_long", message, f"/{name}")
    metadata, left_out = _metadata(fields, system)
    return Taken(number, tuple(turns), metadata, left_out, mended)


def _read_all(messages: Sequence[object], place: str) -> tuple[str, list[Turn], int]:
    system, turns, mended = "", [], 0
    for at, message in enumerate(messages):
        here = f"{place}/{at}"
        if not isinstance(message, Mapping):
            raise _Wrong("bad_message", f"the message is {_kind(message)}, not an object", here)
        role = _role(message, here)
        whole, more = _held(_text(message, here))
        mended += more
        if role is not None:
            turns.append(Turn(role=role, text=whole))
        elif turns:
            raise _Wrong("bad_role", "a system message stands after the first turn", here)
        else:
            system = f"{system}\n\n{whole}" if system else whole
    return system, turns, mended


def _role(message: Mapping[object, object], here: str) -> Role | None:
    """Who speaks; None for a system message."""
    key = "role" if "role" in message else "from"
    said = message.get(key)
    if not isinstance(said, str):
        raise _Wrong("bad_role", f"role (or from) is {_kind(said)}, not text", here)
    name = said.strip().lower()
    calls = [call for call in _CALLS if message.get(call)]
    if name in _TOOLS or calls:
        what = calls[0] if calls else f"role {name}"
        raise _Wrong("tool_call", f"{what}: conversations with tools are not taken", here)
    if name in _SYSTEM:
        return None
    if name not in _ROLES:
        known = ", ".join([*_ROLES, *sorted(_SYSTEM)])
        raise _Wrong("bad_role", f"role {said[:50]!r} is none of {known}", f"{here}/{key}")
    return _ROLES[name]


def _text(message: Mapping[object, object], here: str) -> str:
    key = next((key for key in ("content", "value", "text") if key in message), None)
    if key is None:
        raise _Wrong("no_text", "the message has no content (or value)", here)
    content = message[key]
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and not isinstance(content, bytes) and content:
        parts = [_part(part, f"{here}/{key}/{at}") for at, part in enumerate(content)]
        return "\n".join(parts)
    raise _Wrong("no_text", f"{key} is {_kind(content)}, not text", f"{here}/{key}")


def _part(part: object, here: str) -> str:
    """Text of one part of a content that is a list, as OpenAI has them for several media."""
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and part.get("type") in ("text", "input_text", "output_text"):
        text = part.get("text")
        if isinstance(text, str):
            return text
    raise _Wrong("no_text", "the part is no text; pictures, sound and files are not taken", here)


def _metadata(
    fields: Mapping[object, object], system: str
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Numbers, words and small objects of a row, as many as fit, and the names of what does not."""
    found: dict[str, object] = {SYSTEM: system} if system else {}
    left_out: list[str] = []
    left = MOST_METADATA
    for key, value in fields.items():
        name, _ = _held(str(key))
        size = len(name) + len(repr(value)) if _is_small(value) else left + 1
        if size <= left and name not in found and name != SYSTEM:
            found[name] = _clean(value)
            left -= size
        elif name != SYSTEM or value not in (None, system):
            left_out.append(name[:100])
    if len(left_out) > MOST_LEFT_OUT:
        left_out[MOST_LEFT_OUT:] = ["…"]
    return found, tuple(left_out)


def _held(text: str) -> tuple[str, int]:
    """Text that a database holds, and how many of its characters are U+FFFD now."""
    return _UNHELD.subn("\ufffd", text)


def _is_small(value: object, depth: int = 0) -> bool:
    match value:
        case None | bool() | int() | float():
            return True
        case str():
            return len(value) <= MOST_METADATA
        case Mapping():
            inside: list[object] = [*value.values()]
        case list() | tuple():
            inside = [*value]
        case _:
            return False
    return (
        depth < MOST_DEPTH
        and len(inside) <= 50
        and all(_is_small(one, depth + 1) for one in inside)
    )


def _clean(value: object) -> object:
    match value:
        case str():
            return _UNHELD.sub("\ufffd", value)
        case Mapping():
            return {_UNHELD.sub("\ufffd", str(key)): _clean(one) for key, one in value.items()}
        case list() | tuple():
            return [_clean(one) for one in value]
        case float() if value != value or value in (float("inf"), float("-inf")):
            return None
        case _:
            return value


def _kind(value: object) -> str:
    names = {
        type(None): "null",
        bool: "true or false",
        str: "text",
        list: "a list",
        dict: "an object",
    }
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "a number"
    return names.get(type(value), type(value).__name__)
