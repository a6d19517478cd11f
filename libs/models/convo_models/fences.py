"""Conversations fenced off as data, for prompts that speak about them. Pure.

The fence carries a hash of what it encloses, so that no text can contain its own fence, and so cannot end it, nor forge
the heading of another turn.
"""

import hashlib
from collections.abc import Sequence

from convo_events.conversations import Turn


def fence(turns: Sequence[Turn]) -> str:
    """A mark that stands in none of the texts: 16 hexadecimal digits of their hash. Same turns, same mark."""
    content = "\x1f".join(turn.text for turn in turns).encode("utf-8", "surrogatepass")
    salt = 0
    while True:
        mark = hashlib.blake2b(content, digest_size=8, salt=str(salt).encode()).hexdigest()
        if not any(mark in turn.text for turn in turns):
            return mark
        salt += 1


def fenced(turns: Sequence[Turn], mark: str) -> str:
    """The turns between the lines of their fence, each under its heading, numbered from 1."""
    said = (f"[{mark} turn {n}: {turn.role}]\n{turn.text}" for n, turn in enumerate(turns, 1))
    return "\n".join((f"[{mark} conversation begins]", *said, f"[{mark} conversation ends]"))
