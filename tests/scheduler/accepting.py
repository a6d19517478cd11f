"""Candidates of several runs on a real database, and the fold of what was accepted."""

from dataclasses import dataclass, field

from convo_events import ids
from convo_events.catalog import Diversity
from convo_events.fingerprints import Fingerprint
from convo_events.masking import Mask
from convo_events.similarity import band_hashes, encode_signature, minhash, shingles, unmasked
from convo_events.snapshot import Snapshot
from convo_events.store import Pool
from convo_events.threads import ThreadState
from convo_scheduler.settling import Settling
from tests.gateway.read_model import ReadModel
from tests.journeys.configs import snapshot

LIMIT = 0.7


def frozen(scope: str = "run", config: str = "one", *, sample: bool = False) -> Snapshot:
    """The snapshot of a run of a config with that scope."""
    made = snapshot(9, threads=9, near_duplicate=LIMIT)
    limits = Diversity.model_validate({"near_duplicate": LIMIT, "scope": scope})
    changed = made.config.model_copy(update={"name": config, "diversity": limits})
    return made.model_copy(update={"config": changed, "only": 0 if sample else None})


class PooledRows(ReadModel):
    """Rows of the read model, written over a pool."""

    def __init__(self, pool: Pool) -> None:
        super().__init__("")
        self._pool = pool

    async def execute(self, sql: str, *arguments: object) -> None:
        await self._pool.execute(sql, *arguments)


@dataclass
class Runs:
    """What is known of runs, and the serial point they share."""

    pool: Pool
    settling: Settling
    snapshots: dict[str, Snapshot] = field(default_factory=dict)

    async def plan(self, run: str, of: Snapshot) -> None:
        """A run that is folded."""
        self.snapshots[run] = of
        kind = "sample" if of.only is not None else "generation"
        await PooledRows(self.pool).run(run, kind=kind, config=of.config.name)

    async def candidate(
        self, run: str, thread: int, text: str, *, looked_at: int = 0
    ) -> ThreadState:
        """A candidate whose turns are folded."""
        name = ids.conversation_id(run, thread, 0)
        await self.pool.execute("insert into turn values ($1, 0, 'user', $2, 'stop')", name, text)
        own, left = self._marks(run, text)
        return ThreadState(
            run=run,
            thread=thread,
            conversation=0,
            step=4,
            kind="judge",
            turn=2,
            emit=1,
            epoch=1,
            phase="due",
            signature=encode_signature(own),
            fingerprint=left.encode(),
            looked_at=looked_at,
        )

    async def fold(self, run: str, thread: int, text: str) -> None:
        """It was accepted, and the fold has seen it."""
        own, left = self._marks(run, text)
        await self.pool.execute(
            "insert into accepted_signature (conversation, run, bands, corpus, sample)"
            " values ($1, $2, $3, $4, $5) on conflict do nothing",
            ids.conversation_id(run, thread, 0),
            run,
            list(own),
            list(left.bands),
            list(left.sample),
        )

    async def near(self, *candidates: ThreadState) -> dict[str, str]:
        """Candidate to the neighbour that it is too near to."""
        of = self.snapshots[candidates[0].run]
        found = await self.settling.neighbours(list(candidates), of, of.hash())
        assert all(LIMIT < (hit.similarity or 0) <= 1 for hit in found.values())
        assert all(hit.excerpt and hit.overlaps for hit in found.values()), "D05: words are shown"
        return {who: hit.neighbour or "" for who, hit in found.items()}

    def accepted(self, state: ThreadState, seq: int) -> None:
        """Its acceptance is on its way into the log."""
        self.settling.accepted(state, self.snapshots[state.run], seq)

    def _marks(self, run: str, text: str) -> tuple[tuple[int, ...], Fingerprint]:
        whole = shingles([text])
        minima = minhash(unmasked(whole, Mask.of(self.snapshots[run]).shingles))
        return band_hashes(minima, LIMIT, run), Fingerprint.of(whole, minima)
