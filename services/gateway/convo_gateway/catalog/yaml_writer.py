"""Plain values as YAML in block style, written fast, and in the one form from which they come back as they were. Pure.

Text stands plain where that is safe, in a literal block where it has lines, folded where it is long, else in quotes.
"""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping

Plain = object
"""None, truth, numbers, text, and lists and mappings of these."""
_WIDTH = 100
_LONGEST_KEY = 900
"""A longer one is written after a question mark; parsers refuse it before a colon."""
_RESERVED = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_WHOLE = re.compile(r"-?\d{1,15}", re.ASCII)
_ESCAPES = re.compile(r"[^ -\U0010ffff]|[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")


def written(fields: Mapping[str, Plain]) -> str:
    """A document with these fields."""
    return "\n".join(_mapping(fields, "")) + "\n"


def _mapping(fields: Mapping[str, Plain], pad: str) -> Iterator[str]:
    for key, value in fields.items():
        name = _key(key)
        if len(name) > _LONGEST_KEY:
            yield f"{pad}? {name}"
            name = ""
        yield from _value(f"{pad}{name}:", value, pad)


def _key(key: str | int) -> str:
    """A key on one line; a whole number needs no quotes, as every key is read as text."""
    text = str(key)
    return text if _WHOLE.fullmatch(text) else _short(text)


def _value(head: str, value: Plain, pad: str) -> Iterator[str]:
    """The lines of a value after what stands before it."""
    match value:
        case Mapping() if value:
            yield head
            yield from _mapping(value, f"{pad}  ")
        case list() | tuple() if value and not all(_is_number(item) for item in value):
            yield head
            for item in value:
                yield from _item(item, f"{pad}  ")
        case str():
            style, lines = _text(value)
            yield f"{head} {style}"
            for line in lines:
                yield f"{pad}  {line}" if line else ""
        case _:
            yield f"{head} {_scalar(value)}"


def _item(item: Plain, pad: str) -> Iterator[str]:
    """The lines of a list's item."""
    if isinstance(item, Mapping) and item:
        first, *rest = _mapping(item, f"{pad}  ")
        yield f"{pad}- {first.removeprefix(f'{pad}  ')}"
        yield from rest
    else:
        yield from _value(f"{pad}-", item, pad)


def _text(text: str) -> tuple[str, list[str]]:
    """A text: what stands on the line, and the lines below it."""
    lines = text.split("\n")
    if len(lines) > 1 and _fits_block(text, lines):
        body = text.rstrip("\n")
        kept = len(text) - len(body)
        return ("|-", "|", "|+")[min(kept, 2)], lines[:-1] if kept else lines
    if len(text) > _WIDTH and _fits_fold(text):
        return ">-", textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return _short(text), []


def _fits_block(text: str, lines: list[str]) -> bool:
    """Whether a text of several lines comes back from a literal block as it went in."""
    return not text[0].isspace() and all(
        line == line.rstrip() and line.isprintable() for line in lines
    )


def _fits_fold(text: str) -> bool:
    """Whether single spaces are all there is to break a text at, so that folding gives them back."""
    return text.isprintable() and "  " not in text and text == text.strip()


def _short(text: str) -> str:
    """A text on one line."""
    if _is_plain(text):
        return text
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_ESCAPES.sub(_escape, quoted)}"'


def _is_plain(text: str) -> bool:
    """Whether a text without quotes is that text: it begins with a letter, and nothing in it means something."""
    return (
        text[:1].isalpha()
        and text.isprintable()
        and text.lower() not in _RESERVED
        and ": " not in text
        and " #" not in text
        and text[-1] not in ": "
    )


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if found[0] == "\n":
        return "\\n"
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65_536 else f"\\U{code:08x}"
    )


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _scalar(value: Plain) -> str:
    """Anything without lines of its own; a list of numbers stands on one line."""
    match value:
        case None | bool() | int() | float():
            return json.dumps(value)
        case list() | tuple():
            return f"[{', '.join(_scalar(item) for item in value)}]"
        case Mapping():
            return "{}"
        case _:
            return _short(str(value))
