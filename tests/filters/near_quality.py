"""How much of what is truly near layer 2 finds: ``python -m tests.filters.near_quality``.

Every conversation is looked up among all others as the filters do it, bands, samples and words, in memory. Beside it
stands brute force. ``--count`` says how many conversations.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from convo_events.fingerprints import Fingerprint, Sketch
from convo_events.layouts import Layout, fewest_shared
from convo_events.masking import Mask
from convo_events.near_index import Entry, Looker, Scope
from convo_events.similarity import (
    Shingles,
    band_hashes,
    jaccard,
    minhash_many,
    shingles,
    too_near,
)
from convo_filters.neighbours import Subject, plausible
from tests.filters.planted import near_pairs, talks

SCOPES: tuple[Scope, ...] = ("run", "everything")
LIMITS = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Found:
    """What a look at every conversation came to."""

    near: int
    """Pairs truly above the limit."""
    missed: int
    """Of them, those that were never read."""
    false: int
    """Pairs said to be near that are not."""
    read: float
    """Conversations whose words were read, for each that was looked at."""

    @property
    def recall(self) -> float:
        """Share of the near pairs that were found."""
        return 1 - self.missed / self.near if self.near else 1.0

    @property
    def precision(self) -> float:
        """Share of what was said to be near that is."""
        said = self.near - self.missed + self.false
        return 1 - self.false / said if said else 1.0


@dataclass(frozen=True, slots=True)
class Crowd:
    """Conversations, with what is worked out once for all looks."""

    sets: Sequence[Shingles]
    minima: Sequence[bytes]
    left: Sequence[Fingerprint]
    near: Mapping[tuple[int, int], float]
    """Every pair above the lowest limit, with its similarity: brute force."""

    @classmethod
    def of(cls, count: int) -> "Crowd":
        """So many conversations with planted copies."""
        sets = [shingles(turns) for turns, _ in talks(count)]
        minima = minhash_many(sets)
        left = list(map(Fingerprint.of, sets, minima))
        return cls(sets, minima, left, near_pairs(sets, LIMITS[0]))

    def subjects(self, scope: Scope, limit: float) -> list[Subject]:
        """Them as the filters look at them."""
        looker = Looker("run-a", "config-a", scope)
        return [
            Subject(looker, found, Mask(), limit, band_hashes(minima, limit, "run-a"), left)
            for found, minima, left in zip(self.sets, self.minima, self.left, strict=True)
        ]


def look_at_all(crowd: Crowd, scope: Scope, limit: float) -> Found:
    """Look every conversation up among all."""
    sets, subjects = crowd.sets, crowd.subjects(scope, limit)
    layout = Layout.of_run(limit) if scope == "run" else Layout.of_corpus(limit)
    bands = [s.own_bands if scope == "run" else s.fingerprint.bands for s in subjects]
    having: defaultdict[int, list[int]] = defaultdict(list)
    for at, own in enumerate(bands):
        for band in own:
            having[band].append(at)
    samples = [Sketch.stored(subject.fingerprint.sample) for subject in subjects]
    read: set[tuple[int, int]] = set()
    for at, own in enumerate(bands):
        counts = Counter(other for band in own for other in having[band] if other != at)
        enough = [n for n, shared in counts.items() if shared >= (fewest_shared(layout) or 1)]
        entries = [Entry(str(other), other, sample=samples[other]) for other in enough]
        read |= {(at, int(name)) for _, name in plausible(subjects[at], limit, entries)}
    said = {
        (min(pair), max(pair))
        for pair in read
        if too_near(jaccard(sets[pair[0]], sets[pair[1]]), limit)
    }
    near = {pair for pair, similarity in crowd.near.items() if similarity > limit}
    both_ways = {pair for pair in near if pair in read and pair[::-1] in read}
    return Found(len(near), len(near - both_ways), len(said - near), len(read) / len(sets))


def table(count: int) -> str:
    """Recall and precision of each scope and limit."""
    crowd = Crowd.of(count)
    lines = [
        f"{count:,} conversations",
        "scope       limit  near pairs  recall  precision  read each",
    ]
    for scope in SCOPES:
        for limit in LIMITS:
            found = look_at_all(crowd, scope, limit)
            lines.append(
                f"{scope:<12}{limit:>5}{found.near:>12,}{found.recall:>8.4f}{found.precision:>11.4f}"
                f"{found.read:>11.1f}"
            )
    return "\n".join(lines)


def main() -> int:
    """Print; exit code 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.filters.near_quality")
    parser.add_argument("--count", type=int, default=20_000)
    sys.stdout.write(table(parser.parse_args().count) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
