"""Conversations fenced off as data, for prompts that speak about them. Pure.

The fence carries a hash of what it encloses, so that no text can contain its own fence, and so cannot end it, nor forge
the heading of another turn. Marks that a model's own chat template would take for a change of speaker are broken up.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from convo_events.conversations import Turn

_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Turns the order of text around, or writes text that people cannot see."""
_GAP = "[\u00ad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]{0,9}"
"""What has no width, and some tokenizers drop."""
_NAMES = (
    *("s", "bos", "eos", "pad", "unk", "sep", "cls", "mask", "start_of_turn", "end_of_turn"),
    *("think", "thinking", "tool_call", "tool_response", "end_of_text", "endoftext"),
    *("system", "user", "assistant", "human", "instructions?"),
)
_BRACKETED = (
    *("INST", "SYS", "SYSTEM_PROMPT", "AVAILABLE_TOOLS", "TOOL_CALLS", "TOOL_RESULTS"),
    *("TOOL_CONTENT", "gMASK", "sMASK", "IMG", "BOS", "EOS", "PAD", "UNK", "CLS", "SEP", "MASK"),
)
_LESS, _BAR, _MORE = "[<＜\u2039\u27e8]", "[|｜\u01c0\u2502]", "[>＞\u203a\u27e9]"
_TEMPLATE = re.compile(
    f"{_LESS}(?={_GAP}{_BAR}[^<>\\n]{{1,64}}?{_BAR}{_GAP}{_MORE})"
    f"|{_LESS}(?={_GAP}{_LESS}{_GAP}/?{_GAP}SYS)"
    f"|{_LESS}(?={_GAP}/?{_GAP}(?:{'|'.join(_NAMES)}){_GAP}{_MORE})"
    rf"|[\[［](?={_GAP}/?{_GAP}(?:{'|'.join(_BRACKETED)}){_GAP}[\]］])",
    re.IGNORECASE,
)
"""The first sign of what chat templates use: ``<|...|>``, ``[INST]``, ``<<SYS>>``, ``</s>`` and the like."""


def fence(turns: Sequence[Turn]) -> str:
    """A mark that stands in none of the texts: 16 hexadecimal digits of their hash. Same turns, same mark.

    Neither does it stand there in capitals, in wide letters, or with signs of no width in between.
    """
    content = "\x1f".join(turn.text for turn in turns).encode("utf-8", "surrogatepass")
    bare = [_bare(turn.text) for turn in turns]
    salt = 0
    while True:
        mark = hashlib.blake2b(content, digest_size=8, salt=str(salt).encode()).hexdigest()
        if not any(mark in text for text in bare):
            return mark
        salt += 1


def _bare(text: str) -> str:
    """Only the letters and digits, in their plain form."""
    return "".join(
        sign for sign in unicodedata.normalize("NFKC", text).casefold() if sign.isalnum()
    )


def harmless(text: str) -> str:
    """The text without what hides or turns around words, and with a space in each mark of a chat template."""
    return _TEMPLATE.sub(r"\g<0> ", _HIDDEN.sub("", text))


def fenced(turns: Sequence[Turn], mark: str, name: str = "conversation") -> str:
    """The turns between the lines of their fence, each under its heading, numbered from 1.

    Args:
        turns: What is fenced off.
        mark: A mark that stands in none of the texts of the prompt.
        name: What it is called, where there are several.
    """
    said = (
        f"[{mark} turn {n}: {turn.role}]\n{harmless(turn.text)}" for n, turn in enumerate(turns, 1)
    )
    return "\n".join((f"[{mark} {name} begins]", *said, f"[{mark} {name} ends]"))
