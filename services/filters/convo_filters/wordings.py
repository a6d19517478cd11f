"""Wordings to look for in a turn, written as people say them and matched word by word. Pure.

A wording is words with spaces between them, in any script. Case and punctuation do not count, but a wording never
reaches over the end of a sentence.

* ``can|may`` one of these words
* ``?please`` may be there; ``?a|the`` likewise
* ``help*`` any word that begins so
* ``..`` up to three words of any kind, ``..20`` up to twenty; at most two of them in a wording

Words of scripts without spaces are single characters, so there only ``..`` and plain text are of use. Each wording has
a rare word or pair of words, its anchor: a text without any of the anchors is not looked at further.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import compress, count, pairwise, product

from convo_events.words import fold, words
from convo_filters.small_words import SMALL_WORDS

_GAP, _LONGEST_GAP = 3, 30
_GAP_MARK = re.compile(r"\.\.(\d{0,2})")
_COMMON = frozenset().union(*SMALL_WORDS.values())
_STOP = re.compile(r"[.!?。！？…؟।\n](?=[\s\"'”’)\]]|\Z|[\u3000-\u9fff])")


@dataclass(frozen=True, slots=True)
class _Word:
    """One place in a wording."""

    exact: frozenset[str]
    beginnings: tuple[str, ...]
    optional: bool = False
    gap: int = 0
    """How many words of any kind may stand here."""

    @property
    def sure(self) -> bool:
        """Whether one of the exact words has to be there."""
        return not (self.optional or self.gap or self.beginnings)

    def fits(self, word: str) -> bool:
        return word in self.exact or (bool(self.beginnings) and word.startswith(self.beginnings))


_Anchor = str | tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class _Wording:
    """The first word of a wording, and what follows it."""

    firsts: frozenset[str]
    rest: tuple[_Word, ...]


@dataclass(frozen=True)
class Wordings:
    """Wordings ready to be looked for."""

    by_anchor: Mapping[_Anchor, tuple[_Wording, ...]]
    words: frozenset[str]
    """Anchors that are one word."""
    pairs: frozenset[tuple[str, str]]
    """Anchors that are two neighbours."""

    @classmethod
    def of(cls, listed: str) -> "Wordings":
        """Wordings from one text, with commas or line ends between them."""
        by_anchor: dict[_Anchor, list[_Wording]] = {}
        for line in filter(None, map(str.strip, listed.replace("\n", ",").split(","))):
            for pattern in map(tuple, map(_parsed, _alternatives(line))):
                if not pattern[0].sure:
                    raise ValueError(f"the first word of {line!r} has to be a plain one")
                wording = _Wording(pattern[0].exact, pattern[1:])
                for anchor in _anchors(pattern):
                    by_anchor.setdefault(anchor, []).append(wording)
        return cls(
            {anchor: tuple(wordings) for anchor, wordings in by_anchor.items()},
            frozenset(anchor for anchor in by_anchor if isinstance(anchor, str)),
            frozenset(anchor for anchor in by_anchor if isinstance(anchor, tuple)),
        )

    def spans(
        self,
        spoken: Sequence[str],
        vocabulary: Set[str],
        neighbours: Callable[[], Set[tuple[str, str]]],
    ) -> list[tuple[int, int]]:
        """First and last word (both included, from 0) of every wording found, in order; the longest of several.

        Args:
            spoken: The words.
            vocabulary: The different words, of these or of a longer text around them.
            neighbours: The different pairs of neighbouring words; only asked for where a wording needs it.
        """
        anchors: Set[_Anchor] = frozenset()
        if not self.words.isdisjoint(vocabulary):
            anchors |= self.words & vocabulary
        if self.pairs:
            anchors |= self.pairs & neighbours()
        if not anchors:
            return []
        by_first: dict[str, list[tuple[_Word, ...]]] = {}
        for wording in {one for anchor in anchors for one in self.by_anchor[anchor]}:
            for first in wording.firsts:
                by_first.setdefault(first, []).append(wording.rest)
        if by_first.keys().isdisjoint(vocabulary):
            return []
        found = []
        for at in compress(count(), map(by_first.__contains__, spoken)):
            end = max(_follow(rest, 0, spoken, at + 1) for rest in by_first[spoken[at]])
            found += [(at, end - 1)] if end else []
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


def _anchors(pattern: Sequence[_Word]) -> Iterable[_Anchor]:
    """The place whose words are rarest, to judge by their length; two neighbours where all are single characters."""
    sure = [word.exact for word in pattern if word.sure]
    best = max(sure, key=lambda exact: (not exact & _COMMON, min(map(len, exact))))
    if min(map(len, best)) == 1:
        for one, two in pairwise(pattern):
            if one.sure and two.sure:
                return product(one.exact, two.exact)
    return best


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
