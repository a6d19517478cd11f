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
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm

from convo_events.catalog import LengthShare, Persona, RunConfig, Voice
from convo_events.snapshot import Snapshot

_ROUNDS = 4
IMPORTED = "imported"
_SOMEBODY = Persona(name=IMPORTED, summary="Somebody of whom only the conversation is known.")
_AS_WRITTEN = Voice(name=IMPORTED, style="As it was written.")


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
    """Planned number of turns, user and assistant together; 0 where none is planned (mode ``import``)."""
    seed: int
    """Seed of this conversation, 0 to 2**31 - 1; calls derive theirs from it."""
    visit: int = 1
    """Mode ``sessions``: which conversation of its persona's thread it is, from 1; else 1."""
    roughen: bool = False
    """Whether its user turns are roughened."""
    recheck: bool = False
    """Whether it is judged once more, to see whether the judge agrees with itself."""

    def call_seed(self, step: int) -> int:
        """Seed of the call of one step (from 1), 0 to 2**31 - 1."""
        return _hash(self.seed, "call", step) % 2**31

    def judge_seed(self, seat: int, retry: int) -> int:
        """Seed of a judge's first sample, whatever the steps before it; the same in every run with these inputs."""
        return _hash(self.seed, "judge", seat, retry) % 2**31

    def criteria_order(self, count: int, sample: int) -> tuple[int, ...]:
        """The order in which a sample (from 0) asks ``count`` criteria; the first one has the rubric's own."""
        if sample == 0:
            return tuple(range(count))
        return tuple(sorted(range(count), key=lambda at: _hash(self.seed, "criteria", sample, at)))


def draw(snapshot: Snapshot, thread: int, conversation: int) -> Draw:
    """The plan of conversation ``conversation`` (from 0) of a thread (from 0).

    Raises:
        IndexError: where the run has no such conversation.
    """
    if not 0 <= thread < snapshot.lanes or not 0 <= conversation < snapshot.quota(thread):
        raise IndexError(f"thread {thread} of this run has no conversation {conversation}")
    index = thread + conversation * snapshot.lanes if snapshot.only is None else snapshot.only
    return draw_at(snapshot, index)


def draw_at(snapshot: Snapshot, index: int) -> Draw:
    """The plan of a conversation by its number in the whole run, from 0.

    Raises:
        IndexError: where the plan has no such conversation.
    """
    config = snapshot.config
    if not 0 <= index < config.target_count:
        raise IndexError(f"this plan has no conversation {index}")
    conversation, thread = divmod(index, snapshot.planned_lanes)
    place = _Places(config.seed, index, config.target_count)
    if not config.generates:
        return _imported(config, place)
    # Who comes back is the same person, who writes in the same way.
    sessions = config.mode == "sessions"
    who = _Places(config.seed, thread, snapshot.planned_lanes) if sessions else place
    pools = {
        pool.name: pool.values[place.cell(f"pool:{pool.name}", len(pool.values))]
        for pool in snapshot.pools
    }
    return Draw(
        index=index,
        persona=snapshot.personas[who.stratum("persona", [p.weight for p in config.personas])],
        voice=snapshot.voices[who.stratum("voice", [v.weight for v in config.voices])],
        pools=pools,
        turns=_turns(snapshot, place),
        seed=_hash(config.seed, "conversation", index) % 2**31,
        visit=conversation + 1 if sessions else 1,
        roughen=config.roughen is not None and place.within("roughen", config.roughen.share),
        recheck=_rechecked(config, place),
    )


def _imported(config: RunConfig, place: "_Places") -> Draw:
    """Nothing is drawn for what was made elsewhere; the conversation is the one in that place of the import."""
    return Draw(
        index=place.index,
        persona=_SOMEBODY,
        voice=_AS_WRITTEN,
        pools={},
        turns=0,
        seed=_hash(config.seed, "conversation", place.index) % 2**31,
        recheck=_rechecked(config, place),
    )


def _rechecked(config: RunConfig, place: "_Places") -> bool:
    share = config.judge.recheck_share if config.judge else 0
    return share > 0 and place.within("recheck", share)


def _turns(snapshot: Snapshot, place: "_Places") -> int:
    mix = snapshot.config.length_mix
    part = mix[place.stratum("length", [part.share for part in mix])]
    choices = lengths(part, in_pairs=snapshot.config.speaks_in_turn)
    return choices[place.cell("turns", len(choices))]


def lengths(part: LengthShare, *, in_pairs: bool) -> list[int]:
    """The numbers of turns that an entry of the length mix stands for, each equally often.

    Args:
        part: The entry.
        in_pairs: Whether each turn is a call: then a conversation ends with the assistant, and odd lengths are not
            offered where an even one is in the range.
    """
    low, high = part.turns
    if not in_pairs:
        return list(range(low, high + 1))
    return [n for n in range(low, high + 1) if n % 2 == 0] or [max(2, high + high % 2)]


@lru_cache(maxsize=256)
def _whole(weights: tuple[float, ...]) -> tuple[int, ...]:
    """Whole numbers in the proportions of the weights as they are written, however small these are."""
    exact = [Fraction(repr(weight)) for weight in weights]
    scale = lcm(*(part.denominator for part in exact))
    return tuple(int(part * scale) for part in exact)


def stratum_sizes(size: int, weights: Sequence[float]) -> tuple[int, ...]:
    """How many of ``size`` conversations fall into the stratum of each weight: exact, and without drawing any."""
    shares = _whole(tuple(weights))
    return _sizes(size, list(accumulate(shares)), sum(shares))


def cell_sizes(size: int, count: int) -> tuple[int, ...]:
    """How many of ``size`` conversations fall into each of so many equal strata."""
    return _sizes(size, range(1, count + 1), count)


def share_sizes(size: int, share: float) -> int:
    """How many of ``size`` conversations are in the stratum of that share (0 to 1)."""
    return stratum_sizes(size, _with_rest(share))[0]


def _sizes(size: int, ends: Sequence[int], whole: int) -> tuple[int, ...]:
    # Places p with (2p + 1) * whole < 2 * end * size come before an end.
    passed = [-((whole - 2 * end * size) // (2 * whole)) for end in ends]
    return tuple(end - start for start, end in zip([0, *passed], passed, strict=False))


def _with_rest(share: float) -> tuple[float, float]:
    return share, float(1 - Fraction(repr(share)))


@dataclass(frozen=True, slots=True)
class _Places:
    """Where one conversation stands in the seeded order of each dimension."""

    seed: int
    index: int
    size: int

    def cell(self, dimension: str, count: int) -> int:
        """The index of the stratum that this conversation falls into, of so many equal ones."""
        place = permute(self.index, self.size, self.seed, dimension)
        return (2 * place + 1) * count // (2 * self.size)

    def within(self, dimension: str, share: float) -> bool:
        """Whether this conversation is in the stratum of that share (0 to 1)."""
        return self.stratum(dimension, _with_rest(share)) == 0

    def stratum(self, dimension: str, weights: Sequence[float]) -> int:
        """The index of the weight whose stratum this conversation falls into."""
        place = permute(self.index, self.size, self.seed, dimension)
        shares = _whole(tuple(weights))
        # The middle of the place's own cell, scaled to the weights; integers only.
        target = (2 * place + 1) * sum(shares)
        passed = 0
        for at, weight in enumerate(shares):
            passed += weight
            if target < 2 * passed * self.size:
                return at
        raise AssertionError("the strata cover every place")


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


@lru_cache(maxsize=65_536)
def _hash(*parts: int | str) -> int:
    text = "\x1f".join(str(part) for part in parts).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
