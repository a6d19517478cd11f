"""What most conversations of a prompt set have in common, and with it everything that a run masks. Pure.

It is found once, before a run starts, in conversations of earlier runs, and frozen with the run: a pair's similarity
must not drift while the run goes on.
"""

import base64
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.fingerprints import short
from convo_events.similarity import Shingles, shingles, template_mask
from convo_events.snapshot import Snapshot

SAMPLE = 200
"""Conversations that are looked at, at most."""
FEWEST = 50
"""Conversations under which nothing is said to be common."""
MOST_COMMON = 1_000
"""Shingles that are kept, the most frequent first."""


def common_text(conversations: Sequence[Sequence[str]]) -> str:
    """Shingles that more than half of the conversations have, as a snapshot keeps them; empty for none or too few.

    Args:
        conversations: Turns of each, at most ``SAMPLE``.
    """
    if len(conversations) < FEWEST:
        return ""
    counts = Counter(shingle for turns in conversations for shingle in shingles(turns))
    common = [(-n, shingle) for shingle, n in counts.items() if 2 * n > len(conversations)]
    kept = sorted(shingle for _, shingle in sorted(common)[:MOST_COMMON])
    return base64.b64encode(struct.pack(f">{len(kept)}Q", *kept)).decode()


@dataclass(frozen=True, slots=True)
class Mask:
    """What a run leaves out of every comparison."""

    shingles: Shingles = frozenset()
    short: frozenset[int] = frozenset()
    """The same as samples have them."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Mask":
        """The segments' own words, the pools' values, and what was common before the run."""
        packed = base64.b64decode(snapshot.common)
        common = struct.unpack(f">{len(packed) // 8}Q", packed)
        masked = template_mask(snapshot.prompt_set, snapshot.pools).union(common)
        return cls(masked, short(masked))


def mask_of(snapshot: Snapshot) -> Shingles:
    """Everything a run masks."""
    return Mask.of(snapshot).shingles
