"""The one serial point: candidates are accepted one after another, each far enough from all before it in its scope.

The filters looked at the accepted conversations of a moment ago; here the look is repeated against the folded index
and against what this process accepted and the fold has not seen yet, of whichever run. So no two accepted conversations
of a scope are nearer than the limit, however many were in flight together. Of two near ones the first settled stays.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from convo_events import ids
from convo_events.conversations import Hit
from convo_events.fingerprints import UNKNOWN, Fingerprint, Sketch, estimate
from convo_events.layouts import Layout, fewest_shared
from convo_events.masking import Mask
from convo_events.near_index import Looker, NearIndex, Probe
from convo_events.overlap import near_duplicate_hit
from convo_events.similarity import Shingles, decode_signature, nearest, shingles, too_near
from convo_events.snapshot import Snapshot
from convo_events.store import Pool
from convo_events.threads import ThreadState

RECENT = 2_000
"""Newest accepted conversations that candidates are compared with all at once. The filters' look at a candidate is
seldom older; where it is, as after a long wait for the judge, the candidate is looked up again by itself."""
KEPT = 32
"""Masks that are kept."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A conversation that passed every layer."""

    name: str
    own: tuple[int, ...]
    """Bands for the index of its run."""
    fingerprint: Fingerprint
    looked_at: int

    @classmethod
    def of(cls, state: ThreadState) -> "_Candidate":
        return cls(
            ids.conversation_id(state.run, state.thread, state.conversation),
            decode_signature(state.signature),
            Fingerprint.decode(state.fingerprint),
            state.looked_at,
        )

    def bands(self, scope: str) -> tuple[int, ...]:
        return self.own if scope == "run" else self.fingerprint.bands


@dataclass(frozen=True, slots=True)
class _Unfolded:
    """Accepted by this process, not yet in the index."""

    candidate: _Candidate
    run: str
    config: str
    kind: str
    seq: int


class Settling:
    """Finds near neighbours of candidates, in order. Whoever decides holds ``turn`` until what it accepted is noted."""

    def __init__(self, pool: Pool, recent: int = RECENT) -> None:
        """Take the database that the index is in.

        Args:
            pool: The database.
            recent: Newest accepted conversations that are read for all candidates together.
        """
        self._pool = pool
        self._most = recent
        self._index = NearIndex(pool)
        self._unfolded: dict[str, _Unfolded] = {}
        self._masks: dict[str, Mask] = {}
        self.turn = asyncio.Lock()

    @property
    def unfolded(self) -> frozenset[str]:
        """Ids of what was accepted here and may not be folded yet."""
        return frozenset(self._unfolded)

    def folded(self, position: int) -> None:
        """Tell how far the log is folded: what was accepted up to there is in the index."""
        self._unfolded = {k: v for k, v in self._unfolded.items() if v.seq > position}

    def accepted(self, state: ThreadState, snapshot: Snapshot, seq: int) -> None:
        """Remember a conversation whose acceptance is on its way into the log at ``seq``."""
        candidate = _Candidate.of(state)
        kind = "sample" if snapshot.only is not None else "generation"
        self._unfolded[candidate.name] = _Unfolded(
            candidate, state.run, snapshot.config.name, kind, seq
        )

    async def neighbours(
        self, candidates: Sequence[ThreadState], snapshot: Snapshot, snapshot_hash: str
    ) -> dict[str, Hit]:
        """Conversation id of each candidate that is too near, with the neighbour. Earlier candidates go first.

        Args:
            candidates: Of one run.
            snapshot: What that run froze.
            snapshot_hash: Its hash.

        Raises:
            Unavailable: when Postgres is away.
        """
        limits = snapshot.config.diversity
        limit, scope = limits.near_duplicate, limits.scope
        wanted = [c for c in map(_Candidate.of, candidates) if c.bands(scope)]
        if limit is None or not wanted:
            return {}
        looker = Looker(candidates[0].run, snapshot.config.name, scope)
        layout = Layout.of_run(limit) if scope == "run" else Layout.of_corpus(limit)
        proposed = await self._proposed(wanted, looker, layout)
        mask = self._mask(snapshot, snapshot_hash)
        plausible = await self._plausible(wanted, proposed, mask, limit)
        turns = await self._turns({*plausible, *(o for found in plausible.values() for o in found)})
        return _settled(plausible, turns, mask.shingles, limit)

    async def _proposed(
        self, wanted: Sequence[_Candidate], looker: Looker, layout: Layout
    ) -> dict[str, set[str]]:
        """For each candidate whatever shares enough bands with it: accepted since its look, or before it in the row."""
        scope = looker.scope
        oldest = min(candidate.looked_at for candidate in wanted)
        recent = await self._index.recent(looker, oldest, self._most + 1)
        known: dict[str, Iterable[int]] = {e.conversation: e.bands for e in recent if e.bands}
        known |= {
            name: found.candidate.bands(scope)
            for name, found in self._unfolded.items()
            if looker.sees(found.run, found.config, found.kind)
        }
        proposed = _sharing(wanted, known, scope, fewest_shared(layout) or 1)
        if len(recent) > self._most:
            seen_from = recent[-1].position - 1
            old = [candidate for candidate in wanted if candidate.looked_at < seen_from]
            probes = [Probe(looker, candidate.bands(scope), layout) for candidate in old]
            for candidate, found in zip(old, await self._index.sharing(probes), strict=True):
                proposed[candidate.name] |= {entry.conversation for entry in found}
        return {c.name: proposed[c.name] - {c.name} for c in wanted}

    async def _plausible(
        self,
        wanted: Sequence[_Candidate],
        proposed: Mapping[str, set[str]],
        mask: Mask,
        limit: float,
    ) -> dict[str, list[str]]:
        """What may be above the limit by the samples that are kept, for each candidate that has any."""
        if not any(proposed.values()):
            return {}
        samples = await self._index.samples({name for found in proposed.values() for name in found})
        unfolded = {name: found.candidate for name, found in self._unfolded.items()}
        for candidate in (*unfolded.values(), *wanted):
            if candidate.fingerprint.sample:
                samples[candidate.name] = Sketch.stored(candidate.fingerprint.sample)
        plausible: dict[str, list[str]] = {}
        for candidate in wanted:
            mine = samples.get(candidate.name)
            for name in sorted(proposed[candidate.name]):
                theirs = samples.get(name)
                found = estimate(mine, theirs, mask.short, limit) if mine and theirs else UNKNOWN
                if too_near(found.most, limit):
                    plausible.setdefault(candidate.name, []).append(name)
        return plausible

    async def _turns(self, names: set[str]) -> dict[str, list[str]]:
        """What is said in every conversation that is compared."""
        if not names:
            return {}
        rows = await self._pool.fetch(
            "select conversation, body from turn where conversation = any($1) order by conversation, number",
            sorted(names),
        )
        turns: dict[str, list[str]] = {}
        for row in rows:
            turns.setdefault(row["conversation"], []).append(row["body"])
        return turns

    def _mask(self, snapshot: Snapshot, snapshot_hash: str) -> Mask:
        if snapshot_hash not in self._masks:
            if len(self._masks) >= KEPT:
                self._masks.clear()
            self._masks[snapshot_hash] = Mask.of(snapshot)
        return self._masks[snapshot_hash]


def _sharing(
    wanted: Sequence[_Candidate], known: Mapping[str, Iterable[int]], scope: str, fewest: int
) -> dict[str, set[str]]:
    """For each candidate those known, and candidates before it, that share ``fewest`` bands with it."""
    having: defaultdict[int, list[str]] = defaultdict(list)
    for name, bands in known.items():
        for band in bands:
            having[band].append(name)
    proposed: dict[str, set[str]] = {}
    for candidate in wanted:
        mine = set(candidate.bands(scope))
        counts = Counter(name for band in mine for name in having.get(band, ()))
        proposed[candidate.name] = {name for name, n in counts.items() if n >= fewest}
        for band in mine:
            having[band].append(candidate.name)
    return proposed


def _settled(
    plausible: Mapping[str, Sequence[str]],
    turns: Mapping[str, Sequence[str]],
    mask: Shingles,
    limit: float,
) -> dict[str, Hit]:
    """By the words: who is too near to an accepted one, or to a candidate before it that is not too near itself."""
    sets = {name: shingles(bodies, mask) for name, bodies in turns.items()}
    too: dict[str, Hit] = {}
    for name, others in plausible.items():
        alive = [(other, sets[other]) for other in others if other not in too and other in sets]
        found = nearest(sets[name], alive, limit) if name in sets else None
        if found is not None:
            too[name] = near_duplicate_hit(found, turns[name], turns[found.conversation], mask)
    return too
