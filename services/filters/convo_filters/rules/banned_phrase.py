"""Reject a turn that contains a phrase or a pattern of the config's filter lists."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from convo_events.catalog import FilterList
from convo_events.conversations import Conversation, Turn
from convo_events.errors import Invalid, Problem
from convo_events.snapshot import Snapshot
from convo_events.words import fold, words
from convo_filters.evidence import Found, found_at, word_span
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 110
DESCRIPTION = "A turn contains a phrase or a pattern of the filter lists."

_PATTERN_CHARACTERS = 100_000
_PATTERN_SECONDS = 0.25
_ORDINARY = regex.compile(r"[\w\s'’.,;:!?\-–—…\"“”]*", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class _Phrase:
    text: str
    words: tuple[str, ...]
    literal: str
    """Folded text that has to be there too, because words alone do not say it (C++); empty where they do."""


@dataclass(frozen=True, slots=True)
class Search:
    """One filter list, made ready: phrases by their first word, and compiled patterns."""

    name: str
    speaker: str
    phrases: dict[str, tuple[_Phrase, ...]]
    literals: tuple[_Phrase, ...]
    """Phrases without any word, such as a smile."""
    patterns: tuple[regex.Pattern[str], ...]

    def in_turn(self, turn: Turn, spoken: Sequence[str]) -> tuple[int, int, str] | None:
        """Start, end and explanation of the first phrase found in the turn, else of the first pattern."""
        for phrase, at in self._spoken_phrases(spoken):
            if not phrase.literal or phrase.literal in fold(turn.text):
                start, end = word_span(turn.text, at, at + len(phrase.words) - 1)
                return start, end, f"{phrase.text!r} is banned by the list {self.name}."
        for phrase in self.literals:
            if (place := turn.text.find(phrase.text)) >= 0:
                end = place + len(phrase.text)
                return place, end, f"{phrase.text!r} is banned by the list {self.name}."
        return self._pattern(turn.text)

    def _spoken_phrases(self, spoken: Sequence[str]) -> Iterator[tuple[_Phrase, int]]:
        if self.phrases.keys().isdisjoint(spoken):
            return
        for at, word in enumerate(spoken):
            for phrase in self.phrases.get(word, ()):
                if tuple(spoken[at : at + len(phrase.words)]) == phrase.words:
                    yield phrase, at

    def _pattern(self, text: str) -> tuple[int, int, str] | None:
        for pattern in self.patterns:
            try:
                match = pattern.search(
                    text, endpos=min(len(text), _PATTERN_CHARACTERS), timeout=_PATTERN_SECONDS
                )
            except TimeoutError:
                # Passing it would let banned words through unseen; a person has to mend the pattern.
                detail = f"The pattern {pattern.pattern!r} of the list {self.name} took too long here; simplify it."
                return 0, 0, detail
            if match and match.end() > match.start():
                detail = f"The pattern {pattern.pattern!r} of the list {self.name} matches."
                return match.start(), match.end(), detail
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
    for at, turn in enumerate(conversation.turns):
        for search in context.prepared:
            if search.speaker in ("any", turn.role) and (
                hit := search.in_turn(turn, context.reading.words[at])
            ):
                return found_at(at, turn.text, *hit)
    return None


def _search(listed: FilterList) -> Search:
    by_word: dict[str, list[_Phrase]] = defaultdict(list)
    literals: list[_Phrase] = []
    for text in listed.phrases:
        phrase = _Phrase(text, tuple(words(text)), "" if _ORDINARY.fullmatch(text) else fold(text))
        if phrase.words:
            by_word[phrase.words[0]].append(phrase)
        elif text.strip():
            literals.append(phrase)
    return Search(
        name=listed.name,
        speaker=listed.speaker,
        phrases={word: tuple(phrases) for word, phrases in by_word.items()},
        literals=tuple(literals),
        patterns=tuple(_compiled(listed.name, at, text) for at, text in enumerate(listed.patterns)),
    )


def _compiled(name: str, at: int, pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        message = f"{pattern!r} is no regular expression: {error}"
        raise Invalid(
            [Problem(message, pointer=f"/patterns/{at}")], source=f"filter list {name}"
        ) from error
