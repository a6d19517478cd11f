"""One replay from its claim to its counts: read what is recorded, look again where needed, decide, write what flips."""

import logging
from dataclasses import replace

from convo_events.conversations import Conversation, Hit
from convo_events.errors import Invalid, NotFound
from convo_events.masking import mask_of
from convo_events.replays import VerdictSettings
from convo_events.snapshot import Snapshot
from convo_events.snapshots import Snapshots
from convo_events.spoken import Spoken
from convo_events.store import Pool, outage_named
from convo_filters.diversity import example_copy
from convo_filters.layers import RuleSet
from convo_filters.replay import claims
from convo_filters.replay.beside import NOTHING, Said, said_in, samples_of
from convo_filters.replay.changes import Changes
from convo_filters.replay.claims import Claim, Flip, Progress, Superseded
from convo_filters.replay.crowd import Crowd, Waiting
from convo_filters.replay.neighbours import Comparison, looks
from convo_filters.replay.pages import PAGE, Run, Settled
from convo_filters.replay.redecide import (
    ACCEPTED,
    COPY,
    Samples,
    Standing,
    redecide,
    settled_verdict,
)
from convo_filters.replay.tally import Tally

log = logging.getLogger(__name__)

PART = 200
"""Conversations whose turns are in memory at once."""


async def do(pool: Pool, claim: Claim) -> bool:
    """Work on a claimed replay until it is done; False where it was cancelled or taken over meanwhile.

    Raises:
        Unavailable: when Postgres is away; whoever takes the replay next starts it again.
    """
    try:
        try:
            run, wanted = await claims.wish(pool, claim)
            snapshot = await _frozen(pool, run)
            await Job(pool, claim, run, snapshot, wanted).run()
        except (Invalid, NotFound) as error:
            await claims.fail(pool, claim, str(error))
    except Superseded:
        log.info("replay let go", extra={"action": "replay", "replay": claim.replay})
        return False
    return True


async def _frozen(pool: Pool, run: str) -> Snapshot:
    async with outage_named():
        content = await pool.fetchval("select snapshot from run_view where run = $1", run)
    if content is None:
        raise NotFound(f"there is no run {run}")
    try:
        return await Snapshots(pool).get(content)
    except ValueError:
        raise NotFound(f"what run {run} froze cannot be read by this version of convo") from None


class Job:
    """A replay that is under way."""

    def __init__(
        self, pool: Pool, claim: Claim, run: str, snapshot: Snapshot, wanted: VerdictSettings
    ) -> None:
        """Prepare the rules that look again.

        Raises:
            Invalid: if the wanted settings cannot be had.
        """
        self._pool, self._claim, self._run, self._snapshot = pool, claim, run, snapshot
        own, judging = VerdictSettings.of(snapshot), snapshot.config.judge
        self._changes = changes = Changes.between(own, wanted, judging)
        self._rules = changes.rule_set(snapshot) if changes.again else RuleSet(())
        strict = changes.near.is_stricter
        self._usual = Standing(ACCEPTED, None, "everybody" if strict else "newcomers")
        self._waiting: list[Waiting] = []
        self._lost: set[str] = set()

    async def run(self) -> None:
        """Do all of it.

        Raises:
            Superseded: when it was cancelled or taken over.
            Unavailable: when Postgres is away.
        """
        settled = await Run.read(self._pool, self._run)
        tally = Tally(settled.endings)
        await self._read(settled, tally)
        await self._compare(settled, tally)
        await claims.finish(self._pool, self._claim, tally.counts())

    async def _read(self, settled: Run, tally: Tally) -> None:
        """Decide what needs no neighbours; the rest waits."""
        total, through = await settled.count(self._changes), 0
        async for page in settled.pages(self._changes):
            at_once = PART if self._changes.reads_turns else len(page)
            for start in range(0, len(page), at_once):
                part = page[start : start + at_once]
                stand = await self._stand(part)
                flips = [flip for one, where in stand if (flip := self._decide(one, where))]
                through += len(part)
                await self._write(tally, flips, Progress("reading", through, total))

    async def _stand(self, part: list[Settled]) -> list[tuple[Settled, Standing]]:
        changes, said, samples = self._changes, dict[str, Said](), dict[str, Samples]()
        if changes.reads_turns:
            seen = [one.id for one in part if one.record.was_filtered]
            said = await said_in(self._pool, seen)
        if changes.reads_samples and changes.judging is not None:
            judged = [one.id for one in part if one.record.score is not None]
            samples = await samples_of(self._pool, judged, changes.judging)
        stand = []
        for one in part:
            record = one.record
            if one.id in samples:
                record = replace(record, samples=samples[one.id])
            fresh = self._look(one, said.get(one.id, NOTHING))
            stand.append((one, redecide(record, changes, fresh)))
        return stand

    def _look(self, one: Settled, said: Said) -> dict[str, Hit | None]:
        """What is found now by what looks again."""
        changes, fresh = self._changes, dict[str, Hit | None]()
        if not changes.reads_turns or not one.record.was_filtered:
            return fresh
        spoken = Spoken()
        if changes.again:
            conversation = _conversation(one, said, self._snapshot)
            fresh |= {hit.reason: hit for hit in self._rules.check(conversation, None, spoken)}
        limit = changes.copies.now
        if changes.copies.is_stricter and limit is not None:
            fresh[COPY] = example_copy(said.bodies, self._snapshot.prompt_set, limit, spoken)
        return fresh

    def _decide(self, one: Settled, standing: Standing) -> Flip | None:
        """The flip, where it is one; what neighbours decide waits."""
        was, now = one.record.verdict, standing.otherwise
        if self._changes.near.now is not None and not standing.is_final:
            if standing != self._usual or was.status != "accepted":
                self._waiting.append(Waiting(one, standing))
            return None
        if was.status == "accepted" and now.status != "accepted":
            self._lost.add(one.id)
        return Flip(one.settled_seq, one.id, was, now) if now.differs(was) else None

    async def _compare(self, settled: Run, tally: Tally) -> None:
        """Decide about those that wait, and about all whom they could meet."""
        waiting, self._waiting = self._waiting, []
        everybody = self._usual.look == "everybody"
        if everybody or any(looks(one.standing, self._lost) for one in waiting):
            crowd = await Crowd.gather(self._run, settled, self._usual, waiting, self._lost)
            flips = await self._meet(crowd)
        else:
            flips = [flip for one in waiting if (flip := self._unmet(one))]
        for start in range(0, len(flips), PAGE):
            part = flips[start : start + PAGE]
            await self._write(tally, part, Progress("comparing", start + len(part), len(flips)))

    def _unmet(self, one: Waiting) -> Flip | None:
        """The flip of one that nobody new can be near to: the recorded neighbour counts, where it stays."""
        near = one.standing.near
        if near is not None and near.neighbour in self._lost:
            near = None
        was, now = one.settled.record.verdict, settled_verdict(one.standing, near)
        return Flip(one.settled.settled_seq, one.settled.id, was, now) if now.differs(was) else None

    async def _meet(self, crowd: Crowd) -> list[Flip]:
        comparison = Comparison(self._pool, crowd, self._changes.near, mask_of(self._snapshot))

        async def tell(through: int, total: int) -> None:
            await claims.write(self._pool, self._claim, Progress("comparing", through, total))

        verdicts = await comparison.decide(self._lost, tell)
        return [
            Flip(crowd.seqs[member], crowd.id(member), crowd.of(member)[1], now)
            for member, now in sorted(verdicts.items())
        ]

    async def _write(self, tally: Tally, flips: list[Flip], progress: Progress) -> None:
        for flip in flips:
            tally.add(flip.was, flip.now)
        await claims.write(self._pool, self._claim, progress, flips)


def _conversation(one: Settled, said: Said, snapshot: Snapshot) -> Conversation:
    """What the rules look at, as they looked at it in the run."""
    cut = "length" in said.finishes and not snapshot.takes_cut
    return Conversation.model_construct(
        turns=said.turns,
        finish="length" if cut else "stop",
        planned_turns=one.planned_turns,
        language=snapshot.config.language,
    )
