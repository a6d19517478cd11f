"""Which phrases are most frequent, in fixed memory: the Space-Saving sketch. Pure.

Exact while there are no more different phrases than places. After that a count is known between two bounds, and every
phrase that was seen more often than once in ``places`` times is among them.

Source: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams" (2005).
"""

from collections.abc import Iterable
from dataclasses import dataclass

PLACES = 128


@dataclass(frozen=True, slots=True)
class Seen:
    """How often a phrase was seen."""

    phrase: str
    at_least: int
    at_most: int


class Frequent:
    """Phrases and their counts."""

    __slots__ = ("_counts", "_places")

    def __init__(self, entries: Iterable[Seen] = (), places: int = PLACES) -> None:
        """Nothing seen yet, or what was stored."""
        self._places = places
        self._counts = {one.phrase: (one.at_most, one.at_most - one.at_least) for one in entries}

    def add(self, phrase: str) -> None:
        """See a phrase once more. Where no place is left it takes that of the one seen least, and its count."""
        counts = self._counts
        if phrase in counts:
            most, unsure = counts[phrase]
        elif len(counts) < self._places:
            most, unsure = 0, 0
        else:
            gone = min(counts, key=lambda known: (counts[known][0], known))
            most, _ = counts.pop(gone)
            unsure = most
        counts[phrase] = (most + 1, unsure)

    def top(self, most: int | None = None) -> list[Seen]:
        """The phrases that were surely seen most often, those first; ties by what they may be, then by name."""
        found = [
            Seen(phrase, count - unsure, count) for phrase, (count, unsure) in self._counts.items()
        ]
        found.sort(key=lambda one: (-one.at_least, -one.at_most, one.phrase))
        return found[:most]
