"""Wishes for replays, and what is kept of them. Sole writer of tables ``replay``, ``verdict_set`` and its flips."""

from collections.abc import Sequence

import asyncpg
import orjson

from convo_events.errors import NotFound, Refused
from convo_events.replays import ReplayCounts, VerdictSettings
from convo_events.store import Connection
from convo_gateway.reads.replays import existing_replay, verdict_set_named
from convo_gateway.shapes.replays import ReplayChanges, VerdictSet

KEPT = 10
"""Replays of a run that are kept; older ones are forgotten. Verdict sets stay."""
KEPT_DAYS = 7

_FORGET_OLD = """
delete from replay where created_at < now() - $2 * interval '1 day' or id in (
  select id from replay where run = $1 order by created_at desc, id desc offset $3)
"""
_KEEP = """
insert into verdict_set
  (id, run, name, changes, settings, settled, accepted, rejected, failed, unjudged, flips, counts)
select r.id, r.run, $2, r.changes, r.settings, $3, $4, $5, $6, $7, $8, w.counts
from replay r join replay_work w on w.replay = r.id where r.id = $1
"""
_KEEP_FLIPS = """
insert into verdict_set_flip (set, conversation, status, reason, layer, detail)
select replay, conversation, status, reason, layer, detail from replay_flip where replay = $1
"""
_TAKEN_BY = """
select id from export_operation where status in ('queued', 'running') and wish #>> '{verdict_set,id}' = $1 limit 1
"""


async def wish(
    c: Connection,
    replay: str,
    run: str,
    changes: ReplayChanges,
    settings: VerdictSettings,
    notes: Sequence[str],
) -> None:
    """Write down what is to be tried; the filters take it from there. A repeat changes nothing."""
    async with c.transaction():
        await c.execute(
            "insert into replay (id, run, changes, settings, notes) values ($1, $2, $3, $4, $5) on conflict do nothing",
            *(replay, run, changes_json(changes), settings.model_dump_json(), list(notes)),
        )
        await c.execute(_FORGET_OLD, run, KEPT_DAYS, KEPT)


def changes_json(changes: ReplayChanges) -> str:
    """Only what was named."""
    return orjson.dumps(changes.model_dump(mode="json", exclude_unset=True)).decode()


async def forget(c: Connection, run: str, replay: str) -> None:
    """Cancel a replay that is under way, and drop what it found.

    Raises:
        NotFound: there is no such replay.
    """
    sql = "delete from replay where run = $1 and id = $2 returning 1"
    if await c.fetchval(sql, run, replay) is None:
        raise NotFound(f"Run {run} has no replay {replay}.")


async def keep(c: Connection, run: str, replay: str, name: str) -> VerdictSet:
    """Keep a replay as a verdict set; a repeat gives the one that there is.

    Raises:
        NotFound: there is no such replay.
        Refused: it is not done, was kept under another name, or the name is taken.
    """
    async with c.transaction():
        row = await existing_replay(c, run, replay)
        if row["verdict_set"] is not None and row["verdict_set"] != name:
            raise Refused(f"This replay is kept already, as {row['verdict_set']}.", state="kept")
        if row["state"] != "done":
            raise Refused("Only a replay that is done can be kept.", state=row["state"])
        if row["verdict_set"] is None:
            await _copy(c, replay, name, ReplayCounts.model_validate_json(row["counts"]))
        return await verdict_set_named(c, run, name)


async def drop_set(c: Connection, run: str, name: str) -> None:
    """Let go of a verdict set and its flips. The run's record and the exports that were made with it stay.

    Raises:
        NotFound: there is none of that name.
        Refused: an export that counts by it is not made yet.
    """
    async with c.transaction():
        kept = await verdict_set_named(c, run, name)
        export = await c.fetchval(_TAKEN_BY, kept.id)
        if export is not None:
            raise Refused(
                f"Export {export} is being made with verdict set {name}: wait for it, or cancel it.",
                state="in_use",
            )
        await c.execute("delete from verdict_set where id = $1", kept.id)


async def _copy(c: Connection, replay: str, name: str, counts: ReplayCounts) -> None:
    after = counts.after
    settled = after.accepted + after.rejected + after.failed + after.unjudged
    numbers = (after.accepted, after.rejected, after.failed, after.unjudged)
    try:
        async with c.transaction():
            await c.execute(_KEEP, replay, name, settled, *numbers, counts.flipped)
    except asyncpg.UniqueViolationError:
        raise Refused(
            f"The run has a verdict set {name} already; take another name.", state="taken"
        ) from None
    await c.execute(_KEEP_FLIPS, replay)
