"""Wordings to look for in a turn, written as people say them and matched word by word. Pure.

A wording is words with spaces between them, in any script. Case, punctuation and line ends between words do not count, but
a wording never reaches over the end of a sentence.

* ``can|may`` one of these words
* ``?please`` may be there; ``?a|the`` likewise
* ``help*`` any word that begins so
* ``..`` up to three words of any kind, ``..20`` up to twenty; at most two of them in a wording

Words of scripts without spaces are single characters, so there only ``..`` and plain text are of use. Matching takes one
look-up a word, however many wordings there are.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from convo_events.words import fold, words

_GAP, _LONGEST_GAP = 3, 30
_GAP_MARK = re.compile(r"\.\.(\d{0,2})")
_STOP = re.compile(r"[.!?。！？…؟।\n](?=[\s\"'”’)\]]|\Z|[\u3000-\u9fff])")


@dataclass(frozen=True, slots=True)
class _Word:
    """One place in a wording."""

    exact: frozenset[str]
    beginnings: tuple[str, ...]
    optional: bool = False
    gap: int = 0
    """How many words of any kind may stand here."""

    def fits(self, word: str) -> bool:
        return word in self.exact or (bool(self.beginnings) and word.startswith(self.beginnings))


@dataclass(frozen=True)
class Wordings:
    """Wordings ready to be looked for."""

    by_first: Mapping[str, tuple[tuple[_Word, ...], ...]]

    @classmethod
    def of(cls, listed: str | Iterable[str]) -> "Wordings":
        """Wordings from lines, or from one text with a comma between them."""
        lines = listed.replace("\n", ",").split(",") if isinstance(listed, str) else list(listed)
        by_first: dict[str, list[tuple[_Word, ...]]] = {}
        for line in filter(None, map(str.strip, lines)):
            for pattern in map(tuple, map(_parsed, _alternatives(line))):
                if pattern[0].optional or pattern[0].gap or pattern[0].beginnings:
                    raise ValueError(f"the first word of {line!r} has to be a plain one")
                for first in pattern[0].exact:
                    by_first.setdefault(first, []).append(pattern[1:])
        return cls({first: tuple(patterns) for first, patterns in by_first.items()})

    @cached_property
    def firsts(self) -> frozenset[str]:
        """The words that a wording can begin with."""
        return frozenset(self.by_first)

    def may_be_in(self, vocabulary: Set[str]) -> bool:
        """Whether any of these words begins a wording."""
        return not self.firsts.isdisjoint(vocabulary)

    def spans(self, spoken: Sequence[str]) -> list[tuple[int, int]]:
        """First and last word (both included, from 0) of every wording found, in order; one for each first word."""
        found = []
        for at, word in enumerate(spoken):
            for pattern in self.by_first.get(word, ()):
                end = _follow(pattern, 0, spoken, at + 1)
                if end:
                    found.append((at, end - 1))
                    break
        return found


def crosses_sentence(text: str) -> bool:
    """Whether a sentence ends inside the text."""
    return bool(_STOP.search(text.rstrip(" \t\n.!?。！？…؟।")))


def by_language(listed: Mapping[str, str]) -> dict[str, Wordings]:
    """Wordings for each two-letter language."""
    return {code: Wordings.of(text) for code, text in listed.items()}


def _follow(pattern: tuple[_Word, ...], place: int, spoken: Sequence[str], at: int) -> int:
    """One past the last word of the match, 0 for none. Patterns are short, so this is bounded."""
    if place == len(pattern):
        return at
    wanted = pattern[place]
    if wanted.gap:
        for jump in range(wanted.gap + 1):
            if end := _follow(pattern, place + 1, spoken, at + jump):
                return end
        return 0
    fits = at < len(spoken) and wanted.fits(spoken[at])
    if fits and (end := _follow(pattern, place + 1, spoken, at + 1)):
        return end
    return _follow(pattern, place + 1, spoken, at) if wanted.optional else 0


def _alternatives(line: str) -> list[str]:
    """The line once for each choice that is more than one word, such as role-play."""
    tokens = line.split()
    for at, token in enumerate(tokens):
        choices = token.lstrip("?").split("|")
        if len(choices) > 1 and any(len(words(choice)) > 1 for choice in choices):
            mark = "?" if token.startswith("?") else ""
            lines = (" ".join([*tokens[:at], mark + one, *tokens[at + 1 :]]) for one in choices)
            return [further for one in lines for further in _alternatives(one)]
    return [line]


def _parsed(line: str) -> Iterable[_Word]:
    for token in line.split():
        if mark := _GAP_MARK.fullmatch(token):
            yield _Word(frozenset(), (), gap=min(int(mark[1] or _GAP), _LONGEST_GAP))
            continue
        optional = token.startswith("?")
        choices = fold(token.lstrip("?")).split("|")
        if len(choices) == 1 and not token.endswith("*") and len(parts := words(token)) != 1:
            yield from (_Word(frozenset([part]), (), optional) for part in parts)
            continue
        yield _Word(
            frozenset(choice for choice in choices if not choice.endswith("*")),
            tuple(choice.rstrip("*") for choice in choices if choice.endswith("*")),
            optional,
        )
