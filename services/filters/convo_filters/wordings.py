"""Wordings to look for in a turn, written as people say them and matched word by word. Pure.

A wording is words with spaces between them, in any script. Case and punctuation do not count, but a wording never
reaches over the end of a sentence.

* ``can|may`` one of these words
* ``?please`` may be there; ``?a|the`` likewise
* ``help*`` any word that begins so
* ``..`` up to three words of any kind, ``..20`` up to twenty; at most two of them in a wording

Words of scripts without spaces are single characters, so there only ``..`` and plain text are of use. Each wording has
a rare word, its anchor: a text without any of the anchors is not looked at further.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import compress, count

from convo_events.words import fold, words
from convo_filters.small_words import SMALL_WORDS

_GAP, _LONGEST_GAP = 3, 30
_GAP_MARK = re.compile(r"\.\.(\d{0,2})")
# Where words are single characters these say little of a text.
_COMMON_CHARACTERS = (
    "的一是不了在有我你您他她们这那个上来到说要就会可也对能出得里以下过家天好小么去为看起还事没用时然什都想开手些样和地"
    "多大国人中年生成作发面前道学心方現動同工部社當這個們來說會對為過後還沒時樣开请讓请把被给从向但因所以如果已经最更"
    "あいうえおかがきくけげこさしじすせそただちつってでとどなにのはばひふへべほまみむめもやゆよらりるれろわをんー"
    "アイウエオカキクコサシスセソタチツテトナニノハヒフホマミムメモヤユヨラリルレロワンッャュョ"
)
_COMMON = frozenset(_COMMON_CHARACTERS).union(*SMALL_WORDS.values())
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


@dataclass(frozen=True, slots=True, eq=False)
class _Wording:
    """The first word of a wording, and what follows it."""

    firsts: frozenset[str]
    rest: tuple[_Word, ...]
    needs: frozenset[str]
    """Words that have to be there, the anchor among them where it has no choice."""


Starts = Mapping[str, Sequence[tuple[_Word, ...]]]
"""First words, and what may follow each."""


@dataclass(frozen=True, eq=False)
class Wordings:
    """Wordings ready to be looked for."""

    by_anchor: Mapping[str, tuple[_Wording, ...]]
    anchors: frozenset[str]

    @classmethod
    def of(cls, listed: str) -> "Wordings":
        """Wordings from one text, with commas or line ends between them."""
        by_anchor: dict[str, list[_Wording]] = {}
        for line in filter(None, map(str.strip, listed.replace("\n", ",").split(","))):
            for pattern in map(tuple, map(_parsed, _alternatives(line))):
                if not pattern[0].sure:
                    raise ValueError(f"the first word of {line!r} has to be a plain one")
                sure = [word.exact for word in pattern if word.sure]
                needs = frozenset().union(*(exact for exact in sure if len(exact) == 1))
                wording = _Wording(pattern[0].exact, pattern[1:], needs)
                for anchor in _rarest(sure):
                    by_anchor.setdefault(anchor, []).append(wording)
        return cls(
            {anchor: tuple(wordings) for anchor, wordings in by_anchor.items()},
            frozenset(by_anchor),
        )

    def among(self, vocabulary: Set[str]) -> "Wordings | None":
        """Those with an anchor in these words, for texts that are parts of them; None where there are none."""
        found = self.anchors & vocabulary
        return Wordings(self.by_anchor, found) if found else None

    def starts(self, vocabulary: Set[str]) -> Starts:
        """The wordings that the words may hold, by first word; nothing where no first word is among them."""
        by_first: dict[str, list[tuple[_Word, ...]]] = {}
        if self.anchors.isdisjoint(vocabulary):
            return by_first
        for anchor in self.anchors & vocabulary:
            for wording in self.by_anchor[anchor]:
                if wording.needs <= vocabulary:
                    for first in wording.firsts & vocabulary:
                        by_first.setdefault(first, []).append(wording.rest)
        return by_first

    def spans(self, spoken: Sequence[str], vocabulary: Set[str]) -> list[tuple[int, int]]:
        """First and last word (both included, from 0) of every wording found, in order; the longest of several.

        Args:
            spoken: The words.
            vocabulary: The different words, of these or of a longer text around them.
        """
        return spans_from(self.starts(vocabulary), spoken)


def spans_from(by_first: Starts, spoken: Sequence[str]) -> list[tuple[int, int]]:
    """First and last word (both included, from 0) of every wording found, in order; the longest of several."""
    found = []
    if by_first:
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


def _rarest(places: Sequence[frozenset[str]]) -> frozenset[str]:
    """The place whose words are rarest, to judge by what is common and by their length."""
    return max(places, key=lambda exact: (not exact & _COMMON, min(map(len, exact))))


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
