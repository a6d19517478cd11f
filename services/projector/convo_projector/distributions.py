"""What the text of accepted conversations adds up to, one after another, in memory that does not grow. Pure.

Counted in the order of the verdicts, so that counting the same log again comes to the same row.
"""

import hashlib
from array import array
from collections import deque
from dataclasses import dataclass, field

from convo_events.accepted_text import AcceptedText
from convo_events.cardinality import Cardinality
from convo_events.distinct import WINDOW, gram_hashes
from convo_events.frequent import Frequent
from convo_events.turn_lengths import TurnLengths
from convo_events.words import words

SAMPLE = 100
"""Conversations kept by name, drawn from all of them."""
GRAMS = (1, 2, 3)


@dataclass(slots=True)
class Distribution:
    """What is counted of one run."""

    run: str
    accepted: int = 0
    grams: list[int] = field(default_factory=lambda: [0] * len(GRAMS))
    """Word n-grams of all conversations, for each n."""
    sketches: tuple[Cardinality, ...] = field(
        default_factory=lambda: tuple(Cardinality() for _ in GRAMS)
    )
    """The different ones, for each n."""
    lengths: dict[str, TurnLengths] = field(default_factory=dict)
    """Role to words a turn."""
    openings: dict[str, Frequent] = field(default_factory=dict)
    """Role to how its first turn begins."""
    sample: list[str] = field(default_factory=list)
    """Ids, each conversation as likely as any other."""
    window: deque[tuple["array[int]", int]] = field(default_factory=lambda: deque(maxlen=WINDOW))
    """Of the last conversations: hashes of the different word 3-grams, and how many 3-grams there are. Not stored."""

    def add(self, text: AcceptedText) -> None:
        """Count one more conversation."""
        tokens = [words(body) for _, body in text.turns]
        for at, n in enumerate(GRAMS):
            hashes = gram_hashes(tokens, n)
            different = set(hashes)
            self.grams[at] += len(hashes)
            self.sketches[at].add(different)
            if n == GRAMS[-1]:
                self.window.append((array("Q", different), len(hashes)))
        for role, phrase in text.openings().items():
            self.openings.setdefault(role, Frequent()).add(phrase)
        for (role, _), found in zip(text.turns, tokens, strict=True):
            self.lengths.setdefault(role, TurnLengths()).add(len(found))
        self._draw(text.conversation)
        self.accepted += 1

    def remember(self, text: AcceptedText) -> None:
        """Put a conversation that is counted already back into the window; oldest first."""
        hashes = gram_hashes([words(body) for _, body in text.turns], GRAMS[-1])
        self.window.append((array("Q", set(hashes)), len(hashes)))

    def distinct3(self) -> float | None:
        """Different over all word 3-grams of the window; None where there are none."""
        total = sum(count for _, count in self.window)
        return len(set().union(*(found for found, _ in self.window))) / total if total else None

    @property
    def held(self) -> int:
        """Hashes that the window holds."""
        return sum(len(found) for found, _ in self.window)

    def _draw(self, conversation: str) -> None:
        """Reservoir sampling (Vitter's algorithm R); the draw is a hash of run and number, so a rebuild draws alike."""
        if len(self.sample) < SAMPLE:
            self.sample.append(conversation)
            return
        seed = f"{self.run}:{self.accepted}".encode()
        drawn = int.from_bytes(hashlib.blake2b(seed, digest_size=8).digest(), "big")
        place = drawn % (self.accepted + 1)
        if place < SAMPLE:
            self.sample[place] = conversation
