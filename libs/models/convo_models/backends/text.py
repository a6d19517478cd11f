"""Text that other systems can take: UTF-8 on the wire, Postgres in the store, one line in an error."""

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and each lone surrogate replaced by U+FFFD; all else untouched."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def storable(text: str) -> str:
    """Well-formed text whose NUL characters are replaced too, since Postgres takes none."""
    return well_formed(text.replace("\x00", REPLACEMENT) if "\x00" in text else text)


def one_line(text: str, limit: int) -> str:
    r"""The first ``limit`` characters on one line; what cannot be seen is written as ``\u202e``."""
    seen = " ".join(storable(text[: limit * 4]).split())
    shown = "".join(
        char if char.isprintable() else f"\\u{ord(char):04x}" for char in seen[: limit + 1]
    )
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"
