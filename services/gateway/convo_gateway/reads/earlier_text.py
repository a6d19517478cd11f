"""What was accepted with a prompt set before, for what its conversations have in common."""

import asyncio

from convo_events.masking import SAMPLE, common_text
from convo_events.snapshot import Snapshot
from convo_events.store import Connection

RUNS = 20
"""Newest runs of the prompt set that are looked at."""
TURNS, CHARACTERS = 40, 4_000
"""Of each conversation the first turns, and of each turn the first characters, are read."""


async def with_common_text(c: Connection, snapshot: Snapshot) -> Snapshot:
    """The snapshot with what most of the newest accepted conversations of its prompt set have in common.

    Samples do not count, nor does what was made elsewhere, and with too few conversations nothing is common: then the
    snapshot stays as it is.
    """
    if not snapshot.config.generates:
        return snapshot
    told = await accepted_with(c, snapshot.prompt_set.name)
    common = await asyncio.to_thread(common_text, told)
    return snapshot.model_copy(update={"common": common}) if common else snapshot


async def accepted_with(c: Connection, prompt_set: str) -> list[list[str]]:
    """Turns of the newest accepted conversations of a prompt set, whatever its version; at most ``SAMPLE``."""
    rows = await c.fetch(
        """
        with latest as (
          select r.run from run_view r
          join catalog_version v on v.kind = 'run-configs' and v.name = r.config and v.version = r.config_version
          where v.body ->> 'prompt_set' = $1 and r.kind = 'generation' and r.mode <> 'import' and r.accepted > 0
          order by r.planned_at desc, r.run desc limit $2
        ), chosen as (
          select made.id from latest
          cross join lateral (
            select id, settled_seq from conversation
            where run = latest.run and status = 'accepted' order by settled_seq desc limit $3
          ) made
          order by made.settled_seq desc limit $3
        )
        select conversation, left(body, $4) as body from turn
        where conversation in (select id from chosen) and number < $5 order by conversation, number
        """,
        prompt_set,
        RUNS,
        SAMPLE,
        CHARACTERS,
        TURNS,
    )
    told: dict[str, list[str]] = {}
    for row in rows:
        told.setdefault(row["conversation"], []).append(row["body"])
    return list(told.values())
