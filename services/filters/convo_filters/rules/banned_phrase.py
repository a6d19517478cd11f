"""Reject a turn that contains a phrase or a pattern of the config's filter lists."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import regex

from convo_events.catalog import FilterList
from convo_events.conversations import Conversation
from convo_events.errors import Invalid, Problem
from convo_events.snapshot import Snapshot
from convo_events.words import words
from convo_filters.evidence import Found, found_at
from convo_filters.plain_text import plain
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 110
DESCRIPTION = "A turn contains a phrase or a pattern of the filter lists."

_PATTERN_CHARACTERS = 100_000
_PATTERN_SECONDS = 0.25
_ORDINARY = regex.compile(r"[\w\s'’.,;:!?\-–—…\"“”]*", regex.VERSION1)


@dataclass(frozen=True)
class Search:
    """One filter list, made ready: phrases of words by their first word, other phrases, and compiled patterns."""

    name: str
    speaker: str
    phrases: dict[str, tuple[tuple[str, tuple[str, ...]], ...]]
    """First word to phrases: as written, and as words."""
    literals: tuple[tuple[str, re.Pattern[str]], ...]
    """Phrases that words alone do not say, such as C++ or a smile: as written, and what finds them."""
    patterns: tuple[regex.Pattern[str], ...]

    @cached_property
    def firsts(self) -> frozenset[str]:
        """The words that a phrase can begin with."""
        return frozenset(self.phrases)

    def in_turn(self, said: Said) -> Found | None:
        """The first phrase found in the turn, else what the first pattern matches."""
        for phrase, at, length in self._spoken_phrases(said):
            return said.found_words(at, at + length - 1, self._banned(phrase))
        for phrase, pattern in self.literals:
            if match := pattern.search(said.plain):
                return said.found(*match.span(), self._banned(phrase))
        return self._pattern(said)

    def _banned(self, phrase: str) -> str:
        return f"{phrase!r} is banned by the list {self.name}."

    def _spoken_phrases(self, said: Said) -> Iterator[tuple[str, int, int]]:
        if self.firsts.isdisjoint(said.vocabulary):
            return
        spoken = said.words
        for at, word in enumerate(spoken):
            for text, phrase in self.phrases.get(word, ()):
                if tuple(spoken[at : at + len(phrase)]) == phrase:
                    yield text, at, len(phrase)

    def _pattern(self, said: Said) -> Found | None:
        text = said.text
        for pattern in self.patterns:
            try:
                match = pattern.search(
                    text, endpos=min(len(text), _PATTERN_CHARACTERS), timeout=_PATTERN_SECONDS
                )
            except TimeoutError:
                # Passing it would let banned words through unseen; a person has to mend the pattern.
                detail = f"The pattern {pattern.pattern!r} of the list {self.name} took too long here; simplify it."
                return said.found_whole(detail)
            if match and match.end() > match.start():
                detail = f"The pattern {pattern.pattern!r} of the list {self.name} matches."
                return found_at(said.at, text, match.start(), match.end(), detail)
        return None


def prepare(snapshot: Snapshot, parameters: RuleParameters) -> tuple[Search, ...]:
    """The snapshot's filter lists, in the config's order.

    Raises:
        Invalid: if a pattern is no regular expression.
    """
    return tuple(_search(listed) for listed in snapshot.filter_lists)


def check(
    conversation: Conversation, context: Context[RuleParameters, tuple[Search, ...]]
) -> Found | None:
    """The first turn with something banned. Phrases are whole words; case, spacing and punctuation do not count."""
    for said in context.reading.turns:
        for search in context.prepared:
            if search.speaker in ("any", said.role) and (found := search.in_turn(said)):
                return found
    return None


def _search(listed: FilterList) -> Search:
    by_word: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    literals: list[tuple[str, re.Pattern[str]]] = []
    for text in filter(str.strip, listed.phrases):
        spoken = tuple(words(plain(text).text))
        if spoken and _ORDINARY.fullmatch(text):
            by_word[spoken[0]].append((text, spoken))
        else:
            literals.append((text, _literal(plain(text).text)))
    return Search(
        name=listed.name,
        speaker=listed.speaker,
        phrases={word: tuple(phrases) for word, phrases in by_word.items()},
        literals=tuple(literals),
        patterns=tuple(_compiled(listed.name, at, text) for at, text in enumerate(listed.patterns)),
    )


def _literal(text: str) -> re.Pattern[str]:
    """The text itself, in any case, and not inside a longer word where its own edge is a word's."""
    left = r"(?<!\w)" if text[:1].isalnum() else ""
    right = r"(?!\w)"
    inner = r"\s+".join(map(re.escape, text.split()))
    return re.compile(f"{left}{inner}{right if text[-1:].isalnum() else ''}", re.IGNORECASE)


def _compiled(name: str, at: int, pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        message = f"{pattern!r} is no regular expression: {error}"
        raise Invalid(
            [Problem(message, pointer=f"/patterns/{at}")], source=f"filter list {name}"
        ) from error
