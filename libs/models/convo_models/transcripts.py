"""What was said so far: the turns of conversations, read for many steps at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.coalesce import Coalescer
from convo_events.conversations import Turn
from convo_events.store import Pool, outage_named


@dataclass(frozen=True, slots=True)
class Transcript:
    """The stored turns of a conversation."""

    turns: tuple[Turn, ...] = ()
    """Oldest first, as filters, judge and exports see them."""
    finishes: tuple[str, ...] = ()
    """Why the model stopped, for each turn."""
    generated: tuple[Turn, ...] = ()
    """The same before anything was roughened: what the models of the conversation itself were told."""


class Transcripts:
    """Reads transcripts; concurrent reads of a process share a query."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._reads: Coalescer[str, Transcript] = Coalescer(self._read, most=200, linger_s=0.002)

    async def get(self, conversation: str) -> Transcript:
        """The turns of a conversation; none where it has none yet.

        Raises:
            Unavailable: when Postgres is away.
        """
        return await self._reads.ask(conversation)

    async def _read(self, conversations: Sequence[str]) -> list[Transcript]:
        async with outage_named():
            rows = await self._pool.fetch(
                "select conversation, role, body, raw, finish from turn where conversation = any($1)"
                " order by conversation, number",
                list(set(conversations)),
            )
        turns: dict[str, list[Turn]] = {}
        generated: dict[str, list[Turn]] = {}
        finishes: dict[str, list[str]] = {}
        for row in rows:
            turn = Turn.model_construct(role=row["role"], text=row["body"])
            raw = row["raw"]
            first = turn if raw is None else Turn.model_construct(role=row["role"], text=raw)
            turns.setdefault(row["conversation"], []).append(turn)
            generated.setdefault(row["conversation"], []).append(first)
            finishes.setdefault(row["conversation"], []).append(row["finish"])
        return [
            Transcript(
                tuple(turns.get(c, ())), tuple(finishes.get(c, ())), tuple(generated.get(c, ()))
            )
            for c in conversations
        ]
