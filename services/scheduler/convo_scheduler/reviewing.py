"""Reviews of people: decided against the latest one, written there, then said in the log, then answered."""

import asyncio

from convo_events import ids
from convo_events.commands import Reply, ReviewRun
from convo_events.log import stored_letter
from convo_events.service import Parts
from convo_events.store import Connection, outage_named
from convo_scheduler import rows
from convo_scheduler.review import Decided, Head, Made, decide_reviews


class Reviewing:
    """Takes reviews, one command at a time. It alone writes ``review_head``."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts."""
        self._parts = parts
        self._lock = asyncio.Lock()

    async def handle(self, command: ReviewRun, leader: int) -> Reply:
        """Take the reviews of a command; the answer has one for each, in their order.

        Raises:
            Unavailable: when Postgres or NATS is away, or another scheduler leads. What was taken is said later.
        """
        async with self._lock:
            async with outage_named(), self._parts.pool.acquire() as c, c.transaction():
                await rows.check_lead(c, leader)
                decided = await self._decided(c, command)
                await self._save(c, decided)
            seq = await self._say()
        return Reply(run=command.run, seq=seq, reviews=tuple(one.reply for one in decided))

    async def say_pending(self) -> None:
        """Publish what an earlier leader took but perhaps did not get into the log.

        Raises:
            Unavailable: when a part is away.
        """
        async with self._lock:
            await self._say()

    async def _decided(self, c: Connection, command: ReviewRun) -> list[Decided]:
        names = [
            ids.conversation_id(command.run, review.thread, review.conversation)
            for review in command.reviews
        ]
        found = await c.fetch(
            "select id, turns, status = 'open' as open from conversation where id = any($1)", names
        )
        heads = await c.fetch(
            "select conversation, version, said from review_head where conversation = any($1)",
            names,
        )
        return decide_reviews(
            command,
            {row["id"]: Made(row["turns"], row["open"]) for row in found},
            {row["conversation"]: Head(row["version"], row["said"]) for row in heads},
        )

    async def _save(self, c: Connection, decided: list[Decided]) -> None:
        taken = []
        for one in decided:
            if one.event is not None:
                letter = self._parts.letter(
                    ids.review_id(one.reply.conversation, one.event.version), one.event
                )
                taken.append(
                    (one.reply.conversation, one.event.version, one.said, letter.body.decode())
                )
        await c.executemany(
            "insert into review_head (conversation, version, said, pending) values ($1, $2, $3, array[$4])"
            " on conflict (conversation) do update"
            " set version = $2, said = $3, pending = review_head.pending || $4",
            taken,
        )

    async def _say(self) -> int:
        """Append what is written and not said yet, also what NATS did not take before; the position of the last."""
        async with outage_named():
            waiting = await self._parts.pool.fetch(
                "select conversation, pending from review_head where pending <> '{}'"
            )
        bodies = [body for row in waiting for body in row["pending"]]
        if not bodies:
            return 0
        seq = await self._parts.publisher.append([stored_letter(body) for body in bodies])
        async with outage_named():
            await self._parts.pool.execute(
                "update review_head set pending = '{}' where conversation = any($1)",
                [row["conversation"] for row in waiting],
            )
        return seq
