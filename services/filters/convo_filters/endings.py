"""How a turn ends: in the middle of a sentence, or inside a block of code. Pure."""

import re
from collections.abc import Iterator

_OPEN_ENDS = frozenset(",;:“«„、「([{")
_DASHES = frozenset("–—-")
# A bracket after a colon or a semicolon is a sad face.
_SAD = re.compile(r"[:;=]['-]?[(\[{]\Z")
_TAIL, _SHOWN = 200, 60
# Words that cannot end a sentence, where the writer forgets the full stop either. A capital letter makes them names.
_DANGLING = {
    "en": "the a an and or but because your my our their than if which into every very",
    "de": "ein eine einen einem und oder weil dass für sehr zum zur",
    "fr": "le la les un une des du de et ou mais que qui dans pour avec très au aux votre",
    "es": "el la los las un una de del y o pero que en con por para muy tu su al",
    "pt": "o a os as um uma de do da dos das e ou mas que em com por para muito seu sua",
    "it": "il lo la gli le un una di del della e o ma che in con per molto",
    "nl": "de een en of maar mijn jouw hun",
    "pl": "i oraz ale lub że żeby w z na dla od przez który która które bardzo",
    "tr": "ve veya ile çok",
    "ru": "и или но что чтобы в на с для от потому очень как",
    "uk": "і й та або але що щоб в у на з для від через який яка дуже",
    "el": "και ή αλλά το τα τον την των του της με για που στο στη στην σε",
    "ar": "في من على إلى أن التي الذي أو لكن لأن",
    "he": "של את על עם או אבל כי כדי",
    "hi": "और या लेकिन क्योंकि कि का की के",
    "bn": "এবং কিন্তু অথবা কারণ আর",
    "vi": "và hoặc nhưng của với các những một để vì",
    "ko": "그리고 또는 하지만 및",
}
_DANGLING_WORDS = {language: frozenset(words.split()) for language, words in _DANGLING.items()}
# Scripts without spaces: what the text as a whole ends in.
_DANGLING_ENDS = {
    "zh": ("因为", "但是", "而且", "以及", "或者", "如果", "例如", "和", "因為", "並且"),
    "ja": ("そして", "または", "しかし", "例えば", "および", "なぜなら"),
    "th": ("และ", "หรือ", "เพราะ", "แต่", "เช่น", "ของ"),
}
_FENCE_LINE = re.compile(r"^[ \t]{0,12}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)


def broken_end(plain: str, language: str) -> tuple[int, int] | None:
    """The last words (start, end) of a text that breaks off; None where it ends as sentences do.

    Only the tail is looked at, so that a huge turn costs nothing.
    """
    left = max(0, len(plain) - _TAIL)
    tail = plain[left:].rstrip()
    if not tail or not (_is_open(tail) or _dangles(tail, language)):
        return None
    return left + max(0, len(tail) - _SHOWN), left + len(tail)


def open_fence(plain: str) -> int | None:
    """Where the block of code starts that is never closed; None where all are closed.

    A closing line has the opening one's mark, as long or longer, and nothing else.
    Source: CommonMark 0.31, section 4.5.
    """
    if "```" not in plain and "~~~" not in plain:
        return None
    opened: tuple[int, str] | None = None
    for at, mark, rest in _fence_lines(plain):
        if opened is None:
            opened = (at, mark)
        elif mark.startswith(opened[1]) and not rest:
            opened = None
    return opened[0] if opened else None


def _fence_lines(plain: str) -> Iterator[tuple[int, str, str]]:
    for line in _FENCE_LINE.finditer(plain):
        rest = line[2].strip()
        # An info string has no backticks: ```like this``` is code inside a line.
        if "`" not in rest:
            yield line.start(1), line[1], rest


def _is_open(tail: str) -> bool:
    last, before = tail[-1], tail[-2:-1]
    if last in _DASHES:
        return before.isspace() or (last == "-" and before.isalnum())
    if last == '"' and before.isspace():
        return True
    return last in _OPEN_ENDS and not _SAD.search(tail[-3:])


def _dangles(tail: str, language: str) -> bool:
    if ends := _DANGLING_ENDS.get(language):
        return tail.endswith(ends)
    words = _DANGLING_WORDS.get(language, frozenset())
    return tail.rsplit(None, 1)[-1].lstrip("(,") in words
