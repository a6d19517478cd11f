"""Band hashes of the members of a crowd, in one flat table; finds those that share one. Pure."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Bands:
    """A row of hashes for each member that has any."""

    width: int = 0
    """Hashes of one member; 0 before there are any."""
    hashes: "array[int]" = field(default_factory=lambda: array("i"))
    rows: dict[int, int] = field(default_factory=dict)
    """Member to its row; -1 where it has no hashes, as nothing was said."""
    shared: frozenset[int] = frozenset()
    touched: bytearray = field(default_factory=bytearray)

    def add(self, member: int, bands: Sequence[int]) -> None:
        """Take the hashes of a member; all members have equally many, or none."""
        if not bands or (self.width and len(bands) != self.width):
            self.rows[member] = -1
            return
        self.width = len(bands)
        self.rows[member] = len(self.hashes) // self.width
        self.hashes.extend(bands)

    def find_shared(self, lookers: Sequence[int]) -> None:
        """Find the hashes that one of the lookers has together with any other member."""
        rows = [row for member in lookers if (row := self.rows.get(member, -1)) >= 0]
        shared: set[int] = set()
        self.touched = bytearray(len(self.hashes) // self.width if self.width else 0)
        for band in range(self.width):
            column = self.hashes[band :: self.width]
            holders: dict[int, list[int]] = {column[row]: [] for row in rows}
            for row, found in enumerate(column):
                if found in holders:
                    holders[found].append(row)
            for found, those in holders.items():
                if len(those) > 1:
                    shared.add(_key(band, found))
                    for row in those:
                        self.touched[row] = 1
        self.shared = frozenset(shared)

    def keys(self, member: int) -> list[int]:
        """The shared hashes of a member, each with its band."""
        row = self.rows.get(member, -1)
        if row < 0 or not self.touched[row]:
            return []
        start = row * self.width
        keys = (_key(band, self.hashes[start + band]) for band in range(self.width))
        return [key for key in keys if key in self.shared]


def _key(band: int, found: int) -> int:
    return band << 32 | found & 0xFFFFFFFF
