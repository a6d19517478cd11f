"""Random draws that depend on nothing but a seed: the same request always gets the same reply."""

import hashlib
import math
import struct
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_BLOCK = struct.Struct("<64L")


class Draw:
    """An endless stream of 32-bit numbers from SHAKE-128 of a seed (cheaper to start than Mersenne)."""

    __slots__ = ("_block", "_left", "_numbers", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._left = 0
        self._numbers: tuple[int, ...] = ()

    def number(self) -> int:
        """The next number, 0 to 2**32 - 1."""
        if not self._left:
            block = self._seed + self._block.to_bytes(4, "little")
            self._numbers = _BLOCK.unpack(hashlib.shake_128(block).digest(_BLOCK.size))
            self._left = len(self._numbers)
            self._block += 1
        self._left -= 1
        return self._numbers[self._left]

    def numbers(self, count: int) -> Sequence[int]:
        """The next numbers, at most 64 of them; faster than one by one."""
        if self._left < count:
            return [self.number() for _ in range(count)]
        self._left -= count
        return self._numbers[self._left : self._left + count]

    def unit(self) -> float:
        """A number in [0, 1)."""
        return self.number() / 2**32

    def whole(self, low: int, high: int) -> int:
        """An integer from low to high, both possible."""
        return low + self.number() % (high - low + 1)

    def real(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + self.unit() * (high - low)

    def normal(self) -> float:
        """A standard normal number (Box-Muller)."""
        return math.sqrt(-2 * math.log(1 - self.unit())) * math.cos(2 * math.pi * self.unit())

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.number() % len(options)]
