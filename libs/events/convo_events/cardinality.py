"""How many different things there were, in fixed memory: a HyperLogLog sketch. Pure.

Only ever adds, in any order and any number of times, so a count made again from the same text is the same count.

Source: Flajolet, Fusy, Gandouet and Meunier, "HyperLogLog" (2007), for the registers and the error; Ertl, "New
cardinality estimation algorithms for HyperLogLog sketches" (2017), algorithm 6, for an estimate that needs no table of
corrections and holds from none to billions.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

_PLACE_BITS = 12
REGISTERS = 1 << _PLACE_BITS
"""Bytes of a sketch."""
STANDARD_ERROR = 1.04 / math.sqrt(REGISTERS)
"""Relative: about two of three estimates are nearer than this to the truth, and 19 of 20 than twice of it."""
_HASH_BITS = 64 - _PLACE_BITS
_ALPHA = 0.5 / math.log(2)


class Cardinality:
    """A sketch of a set of 64-bit hashes."""

    __slots__ = ("registers",)

    def __init__(self, registers: bytes = bytes(REGISTERS)) -> None:
        """An empty set, or the one that was stored.

        Raises:
            ValueError: if the stored sketch has another size.
        """
        if len(registers) != REGISTERS:
            raise ValueError(f"a sketch has {REGISTERS} bytes, not {len(registers)}")
        self.registers = bytearray(registers)

    def add(self, hashes: Iterable[int]) -> None:
        """Put hashes in; unsigned, and as good as random in all of their 64 bits."""
        registers, places, width = self.registers, REGISTERS - 1, _HASH_BITS + 1
        for found in hashes:
            rank = width - (found >> _PLACE_BITS).bit_length()
            if rank > registers[found & places]:
                registers[found & places] = rank

    def estimate(self) -> float:
        """About how many different hashes were put in; exactly 0 for none."""
        counts = Counter(self.registers)
        z = REGISTERS * _tau(1 - counts[_HASH_BITS + 1] / REGISTERS)
        for rank in range(_HASH_BITS, 0, -1):
            z = 0.5 * (z + counts[rank])
        z += REGISTERS * _sigma(counts[0] / REGISTERS)
        return _ALPHA * REGISTERS * REGISTERS / z


def packed(sketches: Sequence[Cardinality]) -> bytes:
    """Sketches one behind the other."""
    return b"".join(bytes(one.registers) for one in sketches)


def unpacked(stored: bytes) -> tuple[Cardinality, ...]:
    """What ``packed`` made.

    Raises:
        ValueError: if it is no whole number of sketches.
    """
    starts = range(0, len(stored), REGISTERS)
    return tuple(Cardinality(stored[at : at + REGISTERS]) for at in starts)


def _sigma(x: float) -> float:
    """What the empty registers say."""
    if x == 1:
        return math.inf
    total, power = x, 1.0
    while True:
        x *= x
        before, total = total, total + x * power
        power += power
        if total == before:
            return total


def _tau(x: float) -> float:
    """What the full registers say."""
    if x in (0, 1):
        return 0.0
    total, power = 1 - x, 1.0
    while True:
        x = math.sqrt(x)
        power *= 0.5
        before, total = total, total - (1 - x) ** 2 * power
        if total == before:
            return total / 3
