"""Fold a batch of the log into the read model: archive, rows and position in one transaction.

The rows last used are kept in memory, so that a busy run is folded without reading them back.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import ModuleType
from typing import Any

from convo_events.codec import Event, Undecodable, decode
from convo_events.envelope import Envelope
from convo_events.runs import RunCancelled, RunFailed
from convo_events.steps import LeaderElected, ThreadFact
from convo_events.store import Connection, Pool, outage_named
from convo_projector.gate import is_late
from convo_projector.listing import Listing, cancel_open, follow_up
from convo_projector.projections import (
    announced_rules,
    comparisons,
    conversations,
    corpus,
    cost,
    judge_health,
    judgements,
    memories,
    minutes,
    origins,
    reject_reasons,
    reviews,
    run_view,
    signatures,
    threads,
    turns,
    verdict_cache,
)
from convo_projector.rows import Table, amend_turns, describe, load, save
from convo_projector.stamp import Key, Stamp

FOLDED: tuple[ModuleType, ...] = (
    run_view,
    threads,
    conversations,
    cost,
    reject_reasons,
    minutes,
    announced_rules,
    judge_health,
    judgements,
    verdict_cache,
    comparisons,
)
"""Projections with a row that evolves. The first two also decide what counts."""
WRITTEN: tuple[ModuleType, ...] = (turns, signatures, memories, reviews, origins)
"""Projections whose rows are written once."""
CURSOR = "fold"
KEPT_ROWS = 6_000
"""Rows of one table kept in memory between batches."""


class Overtaken(Exception):
    """Another projector moved the position: this one must stop folding and start again."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A message of the log, as it was read from NATS or from the archive."""

    seq: int
    body: bytes


@dataclass(frozen=True, slots=True)
class _Read:
    """A message that is an event."""

    seq: int
    envelope: Envelope
    event: Event
    body: bytes
    at: datetime
    keys: tuple[tuple[ModuleType, Key], ...]
    """Projections with a row that the event belongs to, and the row's key in each."""

    @classmethod
    def of(cls, item: Recorded) -> "_Read":
        """Read a message.

        Raises:
            Undecodable: when it is no event.
        """
        envelope, event = decode(item.body)
        stamp = Stamp(item.seq, datetime.fromisoformat(envelope.at), late=False)
        keys = tuple((p, key) for p in FOLDED if (key := p.key(event, stamp)) is not None)
        return cls(item.seq, envelope, event, item.body, stamp.at, keys)


@dataclass(slots=True)
class Folded:
    """What one batch changed."""

    seq: int
    runs: set[str] = field(default_factory=set)
    events: list[tuple[Event, bool]] = field(default_factory=list)
    """Events with whether they were late, in order."""
    undecodable: list[tuple[int, str]] = field(default_factory=list)
    duplicates: int = 0


class Fold:
    """The fold of one log into one database. Only one may be at work at a time."""

    def __init__(self, pool: Pool, log_created: str) -> None:
        """Take the database and the identity of the log."""
        self._pool = pool
        self._log_created = log_created
        self._tables: dict[str, Table] = {}
        self._rows: dict[str, OrderedDict[Key, Any]] = {p.TABLE: OrderedDict() for p in FOLDED}
        self._fence = 0
        self.position = 0

    async def open(self) -> int:
        """Read where the fold stands; the position it has folded up to.

        Raises:
            Unavailable: when Postgres is away.
        """
        async with outage_named(), self._pool.acquire() as c, c.transaction():
            for projection in (*FOLDED, *WRITTEN, corpus):
                self._tables[projection.TABLE] = await describe(
                    c, projection.TABLE, projection.KEY, projection.Row
                )
            await c.execute(
                "insert into fold_cursor (name, stream_created, seq) values ($1, $2, 0) on conflict do nothing",
                CURSOR,
                self._log_created,
            )
            cursor = await c.fetchrow(
                "select stream_created, seq from fold_cursor where name = $1", CURSOR
            )
            assert cursor is not None
            if cursor["stream_created"] != self._log_created:
                # Another log: it counts from 1 again, and what it repeats is known by its ids.
                await c.execute(
                    "update fold_cursor set stream_created = $2, seq = 0 where name = $1",
                    CURSOR,
                    self._log_created,
                )
            self.position = cursor["seq"] if cursor["stream_created"] == self._log_created else 0
            self._fence = int(await c.fetchval("select coalesce(max(leader), 0) from fence"))
        self.forget()
        return self.position

    def forget(self) -> None:
        """Drop the rows kept in memory, as after a transaction that failed."""
        for rows in self._rows.values():
            rows.clear()

    async def fold(self, batch: Sequence[Recorded]) -> Folded:
        """Fold a batch that follows the position.

        Raises:
            Overtaken: when another projector was faster; nothing was changed.
            Unavailable: when Postgres is away; nothing was changed.
        """
        fence = self._fence
        try:
            async with outage_named(), self._pool.acquire() as c, c.transaction():
                folded = await self._fold_in(c, batch)
        except BaseException:
            self._fence = fence
            self.forget()
            raise
        self.position = folded.seq
        for projection in FOLDED:
            self._trim(self._rows[projection.TABLE])
        return folded

    async def _fold_in(self, c: Connection, batch: Sequence[Recorded]) -> Folded:
        folded = Folded(seq=batch[-1].seq)
        moved = await c.execute(
            "update fold_cursor set seq = $2 where name = $1 and seq = $3 and stream_created = $4",
            CURSOR,
            folded.seq,
            self.position,
            self._log_created,
        )
        if moved != "UPDATE 1":
            raise Overtaken(f"the fold is no longer at {self.position}")
        decoded = self._decode(batch, folded)
        late_by_id = await self._archived(c, decoded)
        fresh = [item for item in decoded if late_by_id.get(item.envelope.id) is not False]
        await self._load(c, fresh)
        listing = Listing()
        changed: dict[str, dict[Key, Any]] = {p.TABLE: {} for p in (*FOLDED, *WRITTEN)}
        changed[corpus.TABLE] = listing.rows
        amended: list[turns.Amendment] = []
        fence = self._fence
        archive: list[tuple[Any, ...]] = []
        for item in fresh:
            event, event_id = item.event, item.envelope.id
            again = event_id in late_by_id
            late = self._is_late(event)
            if again and (late or not late_by_id[event_id]):
                continue
            stamp = Stamp(item.seq, item.at, late, charged=again)
            self._apply(item, stamp, changed, listing)
            amended += turns.amendments(event, stamp)
            late_by_id[event_id] = late
            folded.events.append((event, late))
            run, thread = getattr(event, "run", None), getattr(event, "thread", None)
            name = f"{event_id}~{item.seq}" if again else event_id
            archive.append((item.seq, name, run, thread, event.type, late, item.body.decode()))
            if run:
                folded.runs.add(run)
        folded.duplicates = len(decoded) - len(archive)
        await self._write(c, changed, archive)
        await amend_turns(c, amended)
        await follow_up(c, listing)
        if self._fence != fence:
            await c.execute(
                "insert into fence (one, leader) values (true, $1) on conflict (one) do update set leader = $1",
                self._fence,
            )
        await self._sweep(c, archive, folded.events)
        return folded

    def _decode(self, batch: Sequence[Recorded], folded: Folded) -> list[_Read]:
        decoded = []
        for item in batch:
            try:
                decoded.append(_Read.of(item))
            except Undecodable as error:
                folded.undecodable.append((item.seq, str(error)))
        return decoded

    async def _archived(self, c: Connection, decoded: list[_Read]) -> dict[str, bool]:
        """Ids that are archived, with whether they were late.

        What counted is known for ever. What was late may come again when its time has come, such as the answer to a
        request that a deposed leader made first and the new one makes too: then it counts, but is not charged twice.
        """
        found = await c.fetch(
            "select id, late from event where id = any($1)",
            [item.envelope.id for item in decoded],
        )
        return {row["id"]: row["late"] for row in found}

    async def _load(self, c: Connection, fresh: list[_Read]) -> None:
        wanted: dict[str, set[Key]] = {p.TABLE: set() for p in FOLDED}
        for item in fresh:
            for projection, key in item.keys:
                wanted[projection.TABLE].add(key)
        for table, keys in wanted.items():
            kept = self._rows[table]
            missing = [key for key in keys if key not in kept]
            for key in keys.difference(missing):
                kept.move_to_end(key)
            if missing:
                kept.update(await load(c, self._tables[table], missing))

    def _is_late(self, event: Event) -> bool:
        run = self._rows[run_view.TABLE].get((getattr(event, "run", ""),))
        thread = (
            self._rows[threads.TABLE].get((event.run, event.thread))
            if isinstance(event, ThreadFact)
            else None
        )
        return is_late(event, self._fence, run, thread)

    def _apply(
        self, item: _Read, stamp: Stamp, changed: dict[str, dict[Key, Any]], listing: Listing
    ) -> None:
        """Evolve every row that the event belongs to."""
        event = item.event
        if isinstance(event, LeaderElected):
            self._fence = max(self._fence, event.leader)
            return
        for projection, key in item.keys:
            kept = self._rows[projection.TABLE]
            before = kept.get(key)
            after = projection.evolve(before, event, stamp)
            if after is not None and after is not before:
                kept[key] = changed[projection.TABLE][key] = after
                if projection is conversations:
                    listing.follow(before, after, self._rows[run_view.TABLE][(after.run,)])
        for written in WRITTEN:
            changed[written.TABLE].update(written.rows(event, stamp))

    async def _write(
        self, c: Connection, changed: dict[str, dict[Key, Any]], archive: list[tuple[Any, ...]]
    ) -> None:
        await save(c, [(self._tables[name], list(rows.values())) for name, rows in changed.items()])
        if archive:
            await c.copy_records_to_table(
                "event",
                records=archive,
                columns=["seq", "id", "run", "thread", "type", "late", "body"],
            )

    async def _sweep(
        self, c: Connection, archive: list[tuple[Any, ...]], events: Iterable[tuple[Event, bool]]
    ) -> None:
        """Close what a cancelled or failed run leaves open."""
        ended = {
            event.run: row[0]
            for row, (event, late) in zip(archive, events, strict=True)
            if isinstance(event, RunCancelled | RunFailed) and not late
        }
        if not ended:
            return
        await c.execute(
            "update conversation c set status = 'cancelled', seq = x.seq"
            " from unnest($1::text[], $2::bigint[]) as x (run, seq)"
            " where c.run = x.run and c.status = 'open'",
            list(ended),
            list(ended.values()),
        )
        await cancel_open(c, list(ended))
        await c.execute(
            "update thread set phase = 'closed', state = jsonb_set(state, '{phase}', '\"closed\"')"
            " where run = any($1) and phase <> 'closed'",
            list(ended),
        )
        self.forget()

    def _trim(self, rows: OrderedDict[Key, Any]) -> None:
        while len(rows) > KEPT_ROWS:
            rows.popitem(last=False)
