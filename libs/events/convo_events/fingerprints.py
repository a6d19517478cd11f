"""What an accepted conversation leaves behind for all later runs: bands to find it by, and a sample to measure it by.

The bands have one layout for all runs and limits. The sample is the smallest of its shingles (by their low 32 bits,
which are as good as random), taken before anything is masked: whoever looks can leave out what it masks itself, on both
sides, and estimate the similarity without reading a word. Pure.

Source: Broder, "On the resemblance and containment of documents" (1997), for samples of the smallest.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from convo_events.layouts import CORPUS_THRESHOLD
from convo_events.similarity import (
    Shingles,
    band_hashes,
    bands,
    decode_signature,
    encode_signature,
)

SKETCH_SIZE = 192
"""Shingles in a sample; conversations with fewer are measured exactly."""
DEVIATIONS = 4.0
"""A pair is passed over where its estimate is this many standard deviations under the limit: one in 30,000 errs."""
_ROUNDING = 0.01
"""Shingles that agree in 32 bits and not in 64 are far rarer than this share."""
_HALF = 2**31
_BITS = 2**32 - 1
_BANDS = bands(CORPUS_THRESHOLD)[1]


@dataclass(frozen=True, slots=True)
class Sketch:
    """The smallest shingles of a conversation, or all of them."""

    values: tuple[int, ...]
    """Signed 32-bit numbers, ascending, each once."""
    whole: bool
    """Whether these are all it has."""

    @classmethod
    def of(cls, found: Shingles) -> "Sketch":
        """All of a conversation's shingles, none masked."""
        return cls(tuple(sorted(short(found))), True)

    @classmethod
    def stored(cls, values: Sequence[int]) -> "Sketch":
        """A sample as it is kept."""
        return cls(tuple(values), len(values) < SKETCH_SIZE)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is kept of a conversation."""

    bands: tuple[int, ...] = ()
    """Of its shingles that are not masked in its own run."""
    sample: tuple[int, ...] = ()
    """At most ``SKETCH_SIZE`` of its shingles, masked ones too; signed 32-bit numbers, ascending."""

    @classmethod
    def of(cls, whole: Shingles, minima: bytes) -> "Fingerprint":
        """The fingerprint of a conversation.

        Args:
            whole: All its shingles.
            minima: ``minhash`` of those that are not masked.
        """
        return cls(band_hashes(minima, CORPUS_THRESHOLD), tuple(sorted(short(whole))[:SKETCH_SIZE]))

    @classmethod
    def decode(cls, text: str) -> "Fingerprint":
        """The fingerprint in an event; an empty one where there is none.

        Raises:
            ValueError: if the text is not base 64 of whole 32-bit numbers.
        """
        numbers = decode_signature(text)
        return cls(numbers[:_BANDS], numbers[_BANDS:])

    def encode(self) -> str:
        """Base 64 of big-endian signed 32-bit numbers, bands first; empty for none."""
        return encode_signature((*self.bands, *self.sample))


def short(found: Shingles) -> frozenset[int]:
    """Shingles as samples have them: the low 32 bits, moved into the range of signed numbers."""
    return frozenset([(shingle & _BITS) - _HALF for shingle in found])


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known of a pair's similarity without its text."""

    similarity: float
    """Estimated, 0 to 1."""
    most: float
    """The true one is not above this, but for one pair in 30,000."""


UNKNOWN = Estimate(1.0, 1.0)


def estimate(one: Sketch, other: Sketch, mask: frozenset[int], limit: float) -> Estimate:
    """The similarity of two conversations without what is masked.

    Of both all shingles up to a value are known: they are a random sample of the union. Where a mask leaves nothing of
    one of them its similarity is unknown, for then nothing of it counts as masked.

    Args:
        one: A conversation.
        other: Another.
        mask: ``short`` of the mask.
        limit: The similarity at which the error is computed.
    """
    ends = [sketch.values[-1] for sketch in (one, other) if not sketch.whole]
    end = min(ends, default=_HALF)
    mine = frozenset(one.values[: bisect_right(one.values, end)]).difference(mask)
    theirs = frozenset(other.values[: bisect_right(other.values, end)]).difference(mask)
    if not mine or not theirs:
        return UNKNOWN
    shared = len(mine & theirs)
    union = len(mine) + len(theirs) - shared
    found = shared / union
    unseen = 1 - (end + _HALF) / _BITS if ends else 0.0
    error = sqrt(limit * (1 - limit) / union * unseen)
    return Estimate(found, min(1.0, found + DEVIATIONS * error + _ROUNDING))
