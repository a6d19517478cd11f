"""Which conversations are near siblings, and which split each of them is in. Pure.

A seed group is what the plan drew alike: the prompt set, the persona, the voice and the values of all pools. In mode
``sessions`` a persona comes back and remembers, so pools do not separate its conversations. What was made elsewhere has
no siblings that are known: each conversation is a group. Groups reach over runs, so
that two runs of one config never put siblings on both sides of a split.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from convo_events import ids
from convo_events.plan import draw
from convo_events.snapshot import Snapshot

_WHOLE = 2**64


def seed_group(snapshot: Snapshot | None, thread: int, number: int, otherwise: str) -> str:
    """The group of a conversation by its place in the plan.

    Args:
        snapshot: what its run froze; None where it is not kept.
        thread: from 0.
        number: inside the thread, from 0.
        otherwise: what makes a group where there is no plan.
    """
    if snapshot is None:
        return _group("unplanned", otherwise)
    try:
        drawn = draw(snapshot, thread, number)
    except IndexError:
        return _group("unplanned", otherwise)
    if not snapshot.config.generates:
        return _group("imported", otherwise)
    apart = {} if snapshot.config.mode == "sessions" else drawn.pools
    pools = [f"{name}={value}" for name, value in sorted(apart.items())]
    return _group(snapshot.prompt_set.name, drawn.persona.name, drawn.voice.name, *pools)


def _group(*parts: str) -> str:
    return ids.digest("seed-group", *parts)


@lru_cache(maxsize=4_096)
def _place(key: str, seed: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{key}".encode()).digest()[:8], "big")


def split_of(key: str, shares: Mapping[str, float], seed: int) -> str:
    """The split of a key: by its hash alone, so that it stays where it is however many others come.

    Args:
        key: a seed group or a conversation.
        shares: split to its share; they add up to 1, and their order counts.
        seed: other seeds make other splits.
    """
    place, passed = _place(key, seed), 0.0
    for name, share in shares.items():
        passed += share
        if place < passed * _WHOLE:
            return name
    return list(shares)[-1]
