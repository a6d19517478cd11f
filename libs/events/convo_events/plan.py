"""The plan: who talks about what and for how long, as a pure function of the frozen inputs.

Draws are stratified and not left to chance: for each dimension the conversations are put in a seeded order of their own
(a bijection on 0 .. target-1), and the weights cut that order into strata. So over a whole run every share comes out
within one conversation of the mix, on every machine and Python version; only integer arithmetic and BLAKE2b are used.

Source: the bijection is a balanced Feistel network with cycle walking (Black and Rogaway, "Ciphers with Arbitrary
Finite Domains", 2002).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.catalog import Persona, Voice
from convo_events.snapshot import Snapshot

_ROUNDS = 4
_WEIGHT_SCALE = 1_000_000


@dataclass(frozen=True, slots=True)
class Draw:
    """What the plan says of one conversation."""

    index: int
    """Number of the conversation in the whole run, from 0."""
    persona: Persona
    voice: Voice
    pools: dict[str, str]
    """Pool name to the value drawn."""
    turns: int
    """Planned number of turns, user and assistant together."""
    seed: int
    """Seed of this conversation, 0 to 2**31 - 1; calls derive theirs from it."""

    def call_seed(self, step: int) -> int:
        """Seed of the call of one step (from 1), 0 to 2**31 - 1."""
        return _hash(self.seed, "call", step) % 2**31


def draw(snapshot: Snapshot, thread: int, conversation: int) -> Draw:
    """The plan of conversation ``conversation`` (from 0) of a thread (from 0)."""
    config = snapshot.config
    index = thread + conversation * snapshot.lanes
    place = _Places(config.seed, index, config.target_count)
    pools = {
        pool.name: pool.values[place.stratum(f"pool:{pool.name}", [1] * len(pool.values))]
        for pool in snapshot.pools
    }
    return Draw(
        index=index,
        persona=snapshot.personas[place.stratum("persona", _weights(config.personas))],
        voice=snapshot.voices[place.stratum("voice", _weights(config.voices))],
        pools=pools,
        turns=_turns(snapshot, place),
        seed=_hash(config.seed, "conversation", index) % 2**31,
    )


def _turns(snapshot: Snapshot, place: "_Places") -> int:
    mix = snapshot.config.length_mix
    scaled = [round(part.share * _WEIGHT_SCALE) for part in mix]
    low, high = mix[place.stratum("length", scaled)].turns
    step = 2 if snapshot.config.mode == "dialogue" else 1
    # A dialogue ends with the assistant: odd lengths are not offered where an even one is in the range.
    choices = [n for n in range(low, high + 1) if step == 1 or n % 2 == 0] or [
        max(2, high + high % 2)
    ]
    return choices[place.stratum("turns", [1] * len(choices))]


def _weights(entries: Sequence[object]) -> list[int]:
    return [round(float(getattr(entry, "weight", 1)) * _WEIGHT_SCALE) for entry in entries]


@dataclass(frozen=True, slots=True)
class _Places:
    """Where one conversation stands in the seeded order of each dimension."""

    seed: int
    index: int
    size: int

    def stratum(self, dimension: str, weights: Sequence[int]) -> int:
        """The index of the weight whose stratum this conversation falls into."""
        place = permute(self.index, self.size, self.seed, dimension)
        total = sum(weights)
        # The middle of the place's own cell, scaled to the weights; integers only.
        target = (2 * place + 1) * total
        passed = 0
        for at, weight in enumerate(weights):
            passed += weight
            if target < 2 * passed * self.size:
                return at
        return len(weights) - 1


def permute(index: int, size: int, seed: int, dimension: str) -> int:
    """The place of ``index`` in a seeded order of ``range(size)``: a bijection on 0 .. size-1."""
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    value = index
    while True:
        left, right = value >> half, value & mask
        for turn in range(_ROUNDS):
            left, right = right, left ^ (_hash(seed, dimension, turn, right) & mask)
        value = left << half | right
        if value < size:
            return value


def _hash(*parts: int | str) -> int:
    text = "\x1f".join(str(part) for part in parts).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
