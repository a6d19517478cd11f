"""One replay from its claim to its counts: read what is recorded, look again where needed, decide, write what flips."""

import logging

from convo_events.conversations import Conversation, Hit
from convo_events.errors import Invalid, NotFound
from convo_events.plan import draw
from convo_events.replays import VerdictSettings
from convo_events.similarity import template_mask
from convo_events.snapshot import Snapshot
from convo_events.snapshots import Snapshots
from convo_events.store import Pool, outage_named
from convo_filters.diversity import example_copy
from convo_filters.layers import RuleSet
from convo_filters.replay import claims
from convo_filters.replay.changes import Changes
from convo_filters.replay.claims import Claim, Flip, Progress, Superseded
from convo_filters.replay.crowd import Crowd
from convo_filters.replay.neighbours import Comparison
from convo_filters.replay.pages import NOTHING, Said, Settled, count_settled, said_in, settled_pages
from convo_filters.replay.redecide import ACCEPTED, COPY, Standing, redecide
from convo_filters.replay.tally import Tally

log = logging.getLogger(__name__)

PART = 200
"""Conversations whose turns are in memory at once."""
FLIPS = 1_000
"""Flips written in one go."""


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
        self._changes = changes = Changes.between(VerdictSettings.of(snapshot), wanted)
        self._rules = changes.rule_set(snapshot) if changes.again else RuleSet(())
        usual = Standing(ACCEPTED, None, "everybody" if changes.near.is_stricter else "newcomers")
        self._crowd = Crowd(run, usual)
        self._lost: set[str] = set()
        self._tally = Tally()

    async def run(self) -> None:
        """Do all of it.

        Raises:
            Superseded: when it was cancelled or taken over.
            Unavailable: when Postgres is away.
        """
        await self._read()
        if len(self._crowd):
            await self._compare()
        await claims.finish(self._pool, self._claim, self._tally.counts())

    async def _read(self) -> None:
        """Decide what needs no neighbours; the rest joins the crowd."""
        total, through = await count_settled(self._pool, self._run), 0
        async for page in settled_pages(self._pool, self._run):
            for start in range(0, len(page), PART if self._changes.reads_turns else len(page)):
                part = page[start : start + PART] if self._changes.reads_turns else page
                flips = [flip for one in await self._stand(part) if (flip := self._book(*one))]
                through += len(part)
                progress = Progress("reading", through, max(total, through))
                await claims.write(self._pool, self._claim, progress, flips)

    async def _stand(self, part: list[Settled]) -> list[tuple[Settled, Standing]]:
        said: dict[str, Said] = {}
        if self._changes.reads_turns:
            seen = [one.id for one in part if one.record.was_filtered]
            said = await said_in(self._pool, seen)
        return [
            (one, redecide(one.record, self._changes, self._look(one, said.get(one.id, NOTHING))))
            for one in part
        ]

    def _look(self, one: Settled, said: Said) -> dict[str, Hit | None]:
        """What is found now by what looks again."""
        changes, fresh = self._changes, dict[str, Hit | None]()
        if not changes.reads_turns or not one.record.was_filtered:
            return fresh
        if changes.again:
            conversation = _conversation(one, said, self._snapshot)
            drawn = draw(self._snapshot, one.thread, one.number)
            fresh |= {hit.reason: hit for hit in self._rules.check(conversation, drawn)}
        if changes.copies.is_stricter and changes.copies.now is not None:
            fresh[COPY] = example_copy(said.bodies, self._snapshot.prompt_set, changes.copies.now)
        return fresh

    def _book(self, one: Settled, standing: Standing) -> Flip | None:
        """Count what is decided; what neighbours decide waits."""
        if self._changes.near.now is not None and not standing.is_final:
            self._crowd.add(one, standing)
            return None
        was, now = one.record.verdict, standing.otherwise
        if was.status == "accepted" and now.status != "accepted":
            self._lost.add(one.id)
        flips = self._tally.add(was, now)
        return Flip(one.settled_seq, one.id, was, now) if flips else None

    async def _compare(self) -> None:
        """Decide about the crowd."""
        crowd = self._crowd
        mask = template_mask(self._snapshot.prompt_set, self._snapshot.pools)
        comparison = Comparison(self._pool, crowd, self._changes.near, mask)

        async def tell(through: int, total: int) -> None:
            await claims.write(self._pool, self._claim, Progress("comparing", through, total))

        verdicts = await comparison.decide(self._lost, tell)
        flips: list[Flip] = []
        for member in range(len(crowd)):
            _, was = crowd.of(member)
            now = verdicts.get(member, was)
            if self._tally.add(was, now):
                flips.append(Flip(crowd.seqs[member], crowd.id(member), was, now))
            if len(flips) == FLIPS or member + 1 == len(crowd):
                progress = Progress("comparing", member + 1, len(crowd))
                await claims.write(self._pool, self._claim, progress, flips)
                flips = []


def _conversation(one: Settled, said: Said, snapshot: Snapshot) -> Conversation:
    """What the rules look at, as they looked at it in the run."""
    takes_cut = "length" in snapshot.config.roles.assistant.accept_finish
    cut = "length" in said.finishes and not takes_cut
    return Conversation.model_construct(
        turns=said.turns,
        finish="length" if cut else "stop",
        planned_turns=one.planned_turns,
        language=snapshot.config.language,
    )
