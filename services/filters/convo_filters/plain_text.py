"""A turn as rules read it: one kind of apostrophe, of space and of line end, nothing invisible, composed letters. Pure.

Every place in it leads back to the turn as it was given, so that a span always names the turn's own characters.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from convo_events.words import WIDE

# Full-width forms are plain ones somewhere else; each of these changes one character for one.
_SAME_LENGTH = {chr(0xFF01 + at): chr(0x21 + at) for at in range(94)}
_SAME_LENGTH |= dict.fromkeys("‘’ʼ′´＇", "'")
_SAME_LENGTH |= dict.fromkeys(map(chr, (0xA0, 0x202F, 0x3000, *range(0x2000, 0x200B))), " ")
# Turkish: small letters of İ are two characters otherwise.
_SAME_LENGTH |= {"İ": "I"}
_SAME_LENGTH |= dict.fromkeys("\u2028\u2029", "\n")
_OTHERWISE = re.compile(f"[{''.join(map(re.escape, _SAME_LENGTH))}]")
# Folding does the same to the others, or they are in no word.
_OTHER_WORDS = re.compile("[‘ʼ′´İ]")
# Zero-width, joining, direction and hyphenation marks: a reader does not see them, a pattern stumbles over them.
_UNSEEN_MARKS = r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_UNSEEN = re.compile(f"[{_UNSEEN_MARKS}]")
_SPECIAL = re.compile(f"[{''.join(map(re.escape, _SAME_LENGTH))}{_UNSEEN_MARKS}]")
_CLUSTER = regex.compile(r"\X")
_AROUND = 64


@dataclass(frozen=True, slots=True)
class PlainText:
    """The text, and where its characters stood."""

    text: str
    starts: Sequence[int] | None = None
    """For each character its first place in the turn; None where nothing moved."""
    ends: Sequence[int] | None = None
    """For each character one past its last place in the turn."""
    same_words: bool = True
    """Whether the turn itself has the same folded words; if not, it may have them all the same."""

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of this text stands in the turn, from 0."""
        if self.starts is None or self.ends is None:
            return start, end
        if start >= len(self.starts):
            return (self.ends[-1], self.ends[-1]) if self.ends else (0, 0)
        first = self.starts[start]
        return first, max(first, self.ends[end - 1]) if end > start else first


def plain(text: str) -> PlainText:
    """The text as rules read it; case and punctuation stay."""
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    if text.isascii():
        return PlainText(text)
    for wide, narrow in WIDE:
        text = text.replace(wide, narrow)
    same_words = True
    if _SPECIAL.search(text):
        same_words = not _OTHER_WORDS.search(text)
        text = _OTHERWISE.sub(_same_length, text)
        if _UNSEEN.search(text):
            return _moved(text)
    return PlainText(text, same_words=same_words) if _is_composed(text) else _moved(text)


def _is_composed(text: str) -> bool:
    return unicodedata.is_normalized("NFC", text)


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """The span widened so that it cuts no user-perceived character; a stack of over 64 marks is cut after all."""
    if text.isascii() and "\r" not in text:
        return start, end
    return _edge(text, start, up=False), _edge(text, end, up=True)


def _same_length(character: re.Match[str]) -> str:
    return _SAME_LENGTH[character[0]]


def _edge(text: str, at: int, up: bool) -> int:
    if not 0 < at < len(text):
        return at
    left = max(0, at - _AROUND)
    for cluster in _CLUSTER.finditer(text[left : at + _AROUND]):
        start, end = left + cluster.start(), left + cluster.end()
        if start < at < end:
            return end if up else start
        if end >= at:
            break
    return at


def _moved(text: str) -> PlainText:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece, start, end in _composed(text):
        pieces.append(piece)
        starts += [start] * len(piece)
        ends += [end] * len(piece)
    return PlainText("".join(pieces), starts, ends, same_words=False)


def _composed(text: str) -> Iterator[tuple[str, int, int]]:
    composed = unicodedata.is_normalized("NFC", text)
    pattern = _UNSEEN if composed else _CLUSTER
    at = 0
    for found in pattern.finditer(text):
        if composed:
            yield from ((text[place], place, place + 1) for place in range(at, found.start()))
        else:
            seen = _UNSEEN.sub("", found[0])
            yield unicodedata.normalize("NFC", seen), found.start(), found.end()
        at = found.end()
    yield from ((text[place], place, place + 1) for place in range(at, len(text)))
