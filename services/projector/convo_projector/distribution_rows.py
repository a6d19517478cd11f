"""What the count of texts reads and writes in Postgres: verdicts in their order, texts, and its own rows."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import asyncpg
import orjson

from convo_events import ids
from convo_events.accepted_text import AcceptedText
from convo_events.cardinality import packed, unpacked
from convo_events.conversations import Role
from convo_events.distinct import WINDOW
from convo_events.frequent import Frequent, Seen
from convo_events.store import Connection
from convo_events.turn_lengths import TurnLengths
from convo_projector.distributions import Distribution

_SAVE = """
insert into run_distribution
  (run, accepted, position, window_size, distinct3, grams, sketches, lengths, openings, sample)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (run) do update set accepted = excluded.accepted, position = excluded.position,
  window_size = excluded.window_size, distinct3 = excluded.distinct3, grams = excluded.grams,
  sketches = excluded.sketches, lengths = excluded.lengths, openings = excluded.openings, sample = excluded.sample
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An accepted conversation in the archive."""

    position: int
    run: str
    conversation: str
    """Its id."""


async def position_of(c: Connection) -> int:
    """Position of the last verdict that is counted; 0 for none."""
    return int(await c.fetchval("select coalesce(max(position), 0) from distribution_cursor"))


async def move(c: Connection, before: int, after: int) -> bool:
    """Move the position; False where somebody else has moved it."""
    moved = await c.execute(
        "insert into distribution_cursor (position) values ($2)"
        " on conflict (one) do update set position = $2 where distribution_cursor.position = $1",
        before,
        after,
    )
    return moved == "INSERT 0 1"


async def verdicts_after(
    c: Connection, position: int, most: int, until: int | None = None
) -> list[Verdict]:
    """The next accepted conversations behind a position, oldest first."""
    rows = await c.fetch(
        "select position, run, thread, body from event where type = 'conversation.accepted' and not late"
        " and position > $1 and ($3::bigint is null or position <= $3) order by position limit $2",
        position,
        most,
        until,
    )
    return [_verdict(row) for row in rows]


async def last_verdicts(c: Connection, run: str, until: int) -> list[Verdict]:
    """The last accepted conversations of a run up to a position, as many as a window has, oldest first."""
    rows = await c.fetch(
        "select position, run, thread, body from event where run = $1 and type = 'conversation.accepted'"
        " and not late and position <= $2 order by position desc limit $3",
        run,
        until,
        WINDOW,
    )
    return [_verdict(row) for row in reversed(rows)]


async def texts_of(c: Connection, verdicts: Sequence[Verdict]) -> list[AcceptedText]:
    """What is said in each of them, in their order."""
    rows = await c.fetch(
        "select conversation, role, body from turn where conversation = any($1) order by conversation, number",
        [one.conversation for one in verdicts],
    )
    turns: dict[str, list[tuple[Role, str]]] = {one.conversation: [] for one in verdicts}
    for row in rows:
        turns[row["conversation"]].append((row["role"], row["body"]))
    return [AcceptedText(one.conversation, turns[one.conversation]) for one in verdicts]


async def stored(c: Connection, run: str) -> tuple[Distribution, int]:
    """What is counted of a run, with its window, and the position of its last verdict; nothing yet for a new one."""
    row = await c.fetchrow("select * from run_distribution where run = $1", run)
    if row is None:
        return Distribution(run), 0
    found = Distribution(
        run,
        accepted=row["accepted"],
        grams=list(row["grams"]),
        sketches=unpacked(row["sketches"]),
        lengths={
            role: TurnLengths(**one) for role, one in sorted(orjson.loads(row["lengths"]).items())
        },
        openings={
            role: Frequent(Seen(*one) for one in entries)
            for role, entries in sorted(orjson.loads(row["openings"]).items())
        },
        sample=list(row["sample"]),
    )
    for text in await texts_of(c, await last_verdicts(c, run, row["position"])):
        found.remember(text)
    return found, row["position"]


async def save(c: Connection, counted: Distribution, position: int) -> None:
    """Store what is counted of a run up to the verdict at a position."""
    openings = {
        role: [(one.phrase, one.at_least, one.at_most) for one in found.top()]
        for role, found in counted.openings.items()
    }
    await c.execute(
        _SAVE,
        counted.run,
        counted.accepted,
        position,
        len(counted.window),
        counted.distinct3(),
        counted.grams,
        packed(counted.sketches),
        orjson.dumps({role: asdict(one) for role, one in counted.lengths.items()}).decode(),
        orjson.dumps(openings).decode(),
        counted.sample,
    )


def _verdict(row: asyncpg.Record) -> Verdict:
    number = orjson.loads(row["body"])["event"]["conversation"]
    return Verdict(
        row["position"], row["run"], ids.conversation_id(row["run"], row["thread"], number)
    )
