"""Words and shingles of turns, each worked out once for all that look at the same conversation. Pure."""

from collections.abc import Iterable

from convo_events.similarity import Shingles, turn_shingles
from convo_events.words import words


class Spoken:
    """Make one for a conversation and let it go with it: it keeps every text it was asked for."""

    def __init__(self) -> None:
        """Nothing is worked out yet."""
        self._words: dict[str, tuple[str, ...]] = {}
        self._shingles: dict[str, Shingles] = {}

    def words(self, text: str) -> tuple[str, ...]:
        """The folded words of a text, in order."""
        if text not in self._words:
            self._words[text] = tuple(words(text))
        return self._words[text]

    def turn_shingles(self, text: str) -> Shingles:
        """The shingles of one turn."""
        if text not in self._shingles:
            self._shingles[text] = turn_shingles(text, self.words(text))
        return self._shingles[text]

    def shingles(self, turns: Iterable[str]) -> Shingles:
        """What ``similarity.shingles`` makes of the turns where nothing is masked."""
        return frozenset().union(*map(self.turn_shingles, turns))
