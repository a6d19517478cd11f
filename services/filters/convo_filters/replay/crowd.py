"""Conversations of a replay that neighbours can still decide about, a few bytes each, and their band hashes."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from convo_events import ids
from convo_filters.replay.pages import Settled
from convo_filters.replay.redecide import ACCEPTED, Standing, Verdict


@dataclass(slots=True)
class Crowd:
    """Members in the order of settling, numbered from 0."""

    run: str
    usual: Standing
    """Where most of them stand: accepted in the record, and still. Only others are kept one by one."""
    threads: "array[int]" = field(default_factory=lambda: array("i"))
    numbers: "array[int]" = field(default_factory=lambda: array("i"))
    seqs: "array[int]" = field(default_factory=lambda: array("q"))
    special: dict[int, tuple[Standing, Verdict]] = field(default_factory=dict)
    """Where a member stands, and its recorded verdict."""

    def __len__(self) -> int:
        """How many there are."""
        return len(self.seqs)

    def add(self, settled: Settled, standing: Standing) -> None:
        """Take the next one."""
        if standing != self.usual or settled.record.verdict.status != "accepted":
            self.special[len(self)] = (standing, settled.record.verdict)
        self.threads.append(settled.thread)
        self.numbers.append(settled.number)
        self.seqs.append(settled.settled_seq)

    def of(self, member: int) -> tuple[Standing, Verdict]:
        """Where a member stands, and its recorded verdict."""
        return self.special.get(member) or (self.usual, ACCEPTED)

    def id(self, member: int) -> str:
        """The id of its conversation."""
        return ids.conversation_id(self.run, self.threads[member], self.numbers[member])


@dataclass(slots=True)
class Bands:
    """Band hashes of members, in one flat table; finds those that share one."""

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
