"""The one serial point of a run: candidates are accepted one after another, each far enough from all before it.

The filters looked at the accepted conversations of a moment ago; here the look is repeated against the folded index and
against what this process accepted and the fold has not seen yet. So no two accepted conversations of a run are nearer
than the limit, however many were in flight together.
"""

from dataclasses import dataclass, field

from convo_events import ids
from convo_events.conversations import Hit
from convo_events.overlap import near_duplicate_hit
from convo_events.similarity import (
    Shingles,
    decode_signature,
    nearest,
    shingles,
    template_mask,
)
from convo_events.snapshot import Snapshot
from convo_events.store import Pool
from convo_events.threads import ThreadState


@dataclass(slots=True)
class _Unfolded:
    """Accepted by this process, not yet in the index."""

    bands: frozenset[int]
    seq: int


@dataclass(slots=True)
class Accepted:
    """What one run accepted lately."""

    unfolded: dict[str, _Unfolded] = field(default_factory=dict)

    def forget_folded(self, position: int) -> None:
        """Drop what the index has by now."""
        self.unfolded = {k: v for k, v in self.unfolded.items() if v.seq > position}


class Settling:
    """Finds near neighbours of candidates, in order."""

    def __init__(self, pool: Pool) -> None:
        """Take the database that the index is in."""
        self._pool = pool
        self._runs: dict[str, Accepted] = {}
        self._masks: dict[str, Shingles] = {}

    def folded(self, run: str, position: int) -> None:
        """Tell how far the index of a run reaches."""
        if run in self._runs:
            self._runs[run].forget_folded(position)

    def accepted(self, state: ThreadState, seq: int) -> None:
        """Remember a conversation whose acceptance is on its way into the log at ``seq``."""
        name = ids.conversation_id(state.run, state.thread, state.conversation)
        bands = frozenset(decode_signature(state.signature))
        self._runs.setdefault(state.run, Accepted()).unfolded[name] = _Unfolded(bands, seq)

    def forget(self, run: str) -> None:
        """Drop a run that has ended."""
        self._runs.pop(run, None)

    async def neighbours(
        self, candidates: list[ThreadState], snapshot: Snapshot, snapshot_hash: str
    ) -> dict[str, Hit]:
        """Conversation id of each candidate that is too near, with the neighbour. Earlier candidates go first."""
        limit = snapshot.config.diversity.near_duplicate
        bands = {
            ids.conversation_id(s.run, s.thread, s.conversation): frozenset(
                decode_signature(s.signature)
            )
            for s in candidates
        }
        if limit is None or not any(bands.values()):
            return {}
        run = candidates[0].run
        looked_at = min(state.looked_at for state in candidates)
        index = await self._index(run, looked_at, frozenset().union(*bands.values()))
        proposals = _proposals(bands, index)
        turns = await self._turns(proposals)
        mask = self._mask(snapshot, snapshot_hash)
        sets = {name: shingles(bodies, mask) for name, bodies in turns.items()}
        too_near: dict[str, Hit] = {}
        for name, others in proposals.items():
            alive = [(o, sets[o]) for o in others if o not in too_near and o in sets]
            found = nearest(sets[name], alive, limit) if name in sets else None
            if found is not None:
                too_near[name] = near_duplicate_hit(found, turns[name], turns[found.conversation])
        return too_near

    async def _index(
        self, run: str, looked_at: int, bands: frozenset[int]
    ) -> dict[str, frozenset[int]]:
        """What was accepted since the filters looked and shares a band with any candidate."""
        rows = await self._pool.fetch(
            "select conversation, bands from accepted_signature where run = $1 and position > $2",
            run,
            looked_at,
        )
        recent = ((row["conversation"], frozenset(row["bands"])) for row in rows)
        found = {name: theirs for name, theirs in recent if theirs & bands}
        for name, item in self._runs.setdefault(run, Accepted()).unfolded.items():
            if item.bands & bands:
                found[name] = item.bands
        return found

    async def _turns(self, proposals: dict[str, list[str]]) -> dict[str, list[str]]:
        """What is said in every conversation that is compared."""
        wanted = sorted({*proposals, *(other for others in proposals.values() for other in others)})
        if not wanted:
            return {}
        rows = await self._pool.fetch(
            "select conversation, body from turn where conversation = any($1) order by conversation, number",
            wanted,
        )
        turns: dict[str, list[str]] = {}
        for row in rows:
            turns.setdefault(row["conversation"], []).append(row["body"])
        return turns

    def _mask(self, snapshot: Snapshot, snapshot_hash: str) -> Shingles:
        if snapshot_hash not in self._masks:
            self._masks = {snapshot_hash: template_mask(snapshot.prompt_set, snapshot.pools)}
        return self._masks[snapshot_hash]


def _proposals(
    candidates: dict[str, frozenset[int]], index: dict[str, frozenset[int]]
) -> dict[str, list[str]]:
    """For each candidate that shares a band with something before it: those, accepted ones and earlier candidates."""
    proposals: dict[str, list[str]] = {}
    before = dict(index)
    for name, bands in candidates.items():
        others = [other for other, theirs in before.items() if other != name and theirs & bands]
        if others:
            proposals[name] = others
        before[name] = bands
    return proposals
