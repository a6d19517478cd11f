"""Near duplicates of a replay: decided in the order of settling, each against what the replay has accepted before it.

As at the run's own serial point, bands propose and the true similarity decides, and what is accepted is from then on a
neighbour for all that come later. Only what can differ is compared: what the run accepted is far enough from what it
accepted before, so as long as the limit is not stricter it meets only those that the replay alone accepts.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from convo_events.conversations import Hit
from convo_events.overlap import near_duplicate_hit
from convo_events.similarity import Shingles, nearest, shingles, signature
from convo_events.store import Pool
from convo_filters.replay.bands import Bands
from convo_filters.replay.beside import NOTHING, said_in, stored_bands
from convo_filters.replay.changes import Limit
from convo_filters.replay.crowd import Crowd
from convo_filters.replay.redecide import Standing, Verdict, settled_verdict

READ = 200
"""Conversations whose turns are in memory at once."""
KEPT = 2_000
"""Shingle sets kept at hand."""
SIGN = 5_000
"""Members between two signs of life."""

Tell = Callable[[int, int], Awaitable[None]]
"""Takes how many of how many members are through."""


@dataclass(slots=True)
class _Pass:
    """One way through the crowd."""

    lost: set[str]
    """Ids of conversations that the run accepted and the replay does not."""
    buckets: dict[int, list[int]] = field(default_factory=dict)
    """Shared hash to the members with it that are accepted so far."""
    newcomers: set[int] = field(default_factory=set)
    """Members that only the replay accepts."""
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    """Of the members that end otherwise than recorded."""
    unprepared: list[int] = field(default_factory=list)
    """Members that have to be compared and whose bands are not known yet."""


def looks(standing: Standing, lost: set[str]) -> bool:
    """Whether a conversation is to be compared with everybody: not one whose recorded neighbour stays."""
    stays = standing.near is not None and standing.near.neighbour not in lost
    return standing.look == "everybody" and not stays


class Comparison:
    """Decides about a crowd."""

    def __init__(self, pool: Pool, crowd: Crowd, limit: Limit, mask: Shingles) -> None:
        """Take the crowd, the limit as it was and is, and what is template text."""
        assert limit.now is not None
        self._pool, self._crowd, self._mask = pool, crowd, mask
        self._limit = limit.now
        # Bands of the lower limit propose for both; the index has those of the run's own.
        stored = limit.was is not None and not limit.is_stricter
        self._stored = stored
        self._banded_for = limit.was if stored and limit.was is not None else limit.now
        self._bands = Bands()
        self._sets: OrderedDict[int, Shingles] = OrderedDict()

    async def decide(self, lost: set[str], tell: Tell) -> dict[int, Verdict]:
        """The verdict of every member that ends otherwise than recorded.

        Args:
            lost: Ids of conversations outside of the crowd that the run accepted and the replay does not.
            tell: Hears how far it is.

        Raises:
            Unavailable: when Postgres is away.
        """
        if self._crowd.usual.look == "everybody":
            lookers = list(range(len(self._crowd)))
        else:
            special = self._crowd.special.items()
            lookers = [member for member, (standing, _) in special if looks(standing, lost)]
        while True:
            await self._prepare(lookers, tell)
            found = await self._through(set(lost), tell)
            if not found.unprepared:
                return found.verdicts
            lookers = [*lookers, *found.unprepared]

    async def _prepare(self, lookers: Sequence[int], tell: Tell) -> None:
        """Learn the bands of the lookers and, where there are any, of all whom they could meet."""
        computed = [member for member in lookers if member not in self._bands.rows]
        for start in range(0, len(computed), READ):
            part = computed[start : start + READ]
            said = await said_in(self._pool, [self._crowd.id(member) for member in part])
            for member in part:
                bodies = said.get(self._crowd.id(member), NOTHING).bodies
                found = shingles(bodies, self._mask)
                self._bands.add(member, signature(found, self._banded_for, self._crowd.run))
            await tell(start + len(part), len(computed))
        if lookers and self._stored:
            await self._read_stored()
        self._bands.find_shared(lookers)

    async def _read_stored(self) -> None:
        others = [m for m in range(len(self._crowd)) if m not in self._bands.rows]
        others = [m for m in others if self._crowd.of(m)[1].status == "accepted"]
        for start in range(0, len(others), SIGN):
            part = others[start : start + SIGN]
            names = {self._crowd.id(member): member for member in part}
            stored = await stored_bands(self._pool, list(names))
            for name, member in names.items():
                self._bands.add(member, stored.get(name, ()))

    async def _through(self, lost: set[str], tell: Tell) -> _Pass:
        now = _Pass(lost)
        for member in range(len(self._crowd)):
            if member % SIGN == 0:
                await tell(member, len(self._crowd))
            standing, was = self._crowd.of(member)
            verdict = settled_verdict(standing, await self._near(member, standing, now))
            if verdict.differs(was):
                now.verdicts[member] = verdict
            if verdict.status == "accepted":
                for key in self._bands.keys(member):
                    now.buckets.setdefault(key, []).append(member)
                if was.status != "accepted":
                    now.newcomers.add(member)
            elif was.status == "accepted":
                now.lost.add(self._crowd.id(member))
        return now

    async def _near(self, member: int, standing: Standing, now: _Pass) -> Hit | None:
        if standing.near is not None and standing.near.neighbour not in now.lost:
            return standing.near
        if standing.look == "nobody" or (standing.look == "newcomers" and not now.newcomers):
            return None
        if member not in self._bands.rows:
            now.unprepared.append(member)
            return None
        keys = self._bands.keys(member)
        met = {other for key in keys for other in now.buckets.get(key, ())}
        if standing.look == "newcomers":
            met &= now.newcomers
        if not met:
            return None
        sets = await self._shingles([member, *sorted(met)])
        others = ((self._crowd.id(other), sets[other]) for other in met)
        found = nearest(sets[member], others, self._limit)
        return near_duplicate_hit(found, (), ()) if found else None

    async def _shingles(self, members: Sequence[int]) -> dict[int, Shingles]:
        """The shingles of members, read where they are not at hand."""
        missing = [member for member in members if member not in self._sets]
        for start in range(0, len(missing), READ):
            part = missing[start : start + READ]
            said = await said_in(self._pool, [self._crowd.id(member) for member in part])
            for member in part:
                bodies = said.get(self._crowd.id(member), NOTHING).bodies
                self._sets[member] = shingles(bodies, self._mask)
        found = {member: self._sets[member] for member in members}
        for member in members:
            self._sets.move_to_end(member)
        while len(self._sets) > KEPT:
            self._sets.popitem(last=False)
        return found
