"""A run that reads an import, with its rows staged as the gateway stages them."""

import hashlib

import asyncpg
import orjson

from convo_events.snapshot import ImportSource, Snapshot
from tests.fake_provider.draw import Draw
from tests.fake_provider.replies import passage
from tests.journeys.configs import snapshot

SOURCE = "imp-staged"


def importing(count: int, *, threads: int = 64, judge: bool = False) -> Snapshot:
    """What a run over that many staged conversations freezes."""
    plain = snapshot(count, threads=threads, judge=judge)
    source = ImportSource(
        id=SOURCE, name="old.jsonl", sha256="0" * 64, count=count, turns=2 * count, characters=9
    )
    unused = {"personas": (), "voices": (), "pools": (), "length_mix": ()}
    roles = plain.config.roles.model_copy(update={"user": None, "assistant": None})
    config = plain.config.model_copy(update={"mode": "import", "roles": roles, **unused})
    made_from = {"personas": (), "voices": (), "pools": ()}
    return plain.model_copy(update={"config": config, "source": source, **made_from})


def said(number: int) -> list[tuple[str, str]]:
    """Role and text of each turn of a conversation that no other number has."""
    question, answer = (passage(Draw(b"%d.%d" % (number, turn)), 30) for turn in range(2))
    return [("user", question), ("assistant", answer)]


async def stage(pool: asyncpg.Pool, count: int) -> None:
    """Put the conversations where a run finds them."""
    await pool.execute(
        "insert into import_source (id, name, format, status, read, taken) values ($1, 'old', '', 'ready', $2, $2)",
        SOURCE,
        count,
    )
    await pool.executemany(
        "insert into import_row (source, position, row, content, turns, metadata) values ($1, $2, $3, $4, $5, '{}')",
        [(SOURCE, n, n + 1, hashlib.sha256(b"%d" % n).digest(), told(n)) for n in range(count)],
    )


def told(number: int) -> str:
    """The turns as they are stored."""
    return orjson.dumps(said(number)).decode()
