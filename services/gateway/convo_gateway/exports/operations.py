"""Table ``export_operation``: who makes which export, and how far it is. The only writer of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson

from convo_events.store import Connection
from convo_gateway.shapes.exports import ExportShown

LEASE = timedelta(seconds=30)
"""How long a holder that says nothing keeps an export."""
LISTED_FILES = 50
"""Files of each export that a list names."""
MOST_HOLDERS = 5
"""After so many holders that went away it has failed."""
_SHOWN = "id, name, wish, status, looked_at, total, bytes, made, problem, created_at, started_at, ended_at"


@dataclass(frozen=True, slots=True)
class Held:
    """An export that this process makes now."""

    id: str
    name: str
    wish: str
    """JSON of what is wanted."""
    fence: int


async def add(c: Connection, export: str, name: str, wish: str) -> None:
    """Queue an export; the same id again changes nothing."""
    await c.execute(
        "insert into export_operation (id, name, wish, status) values ($1, $2, $3, 'queued') on conflict do nothing",
        export,
        name,
        wish,
    )


async def take(c: Connection, owner: str) -> Held | None:
    """The oldest export that nobody makes; None where there is none."""
    row = await c.fetchrow(
        """
        update export_operation set status = 'running', owner = $1, fence = fence + 1,
          tries = tries + 1, looked_at = 0, bytes = 0,
          lease_until = clock_timestamp() + $2, started_at = coalesce(started_at, clock_timestamp())
        where id = (
          select id from export_operation
          where (status = 'queued' or status = 'running' and lease_until < clock_timestamp()) and tries < $3
          order by created_at limit 1 for update skip locked)
        returning id, name, wish, fence
        """,
        owner,
        LEASE,
        MOST_HOLDERS,
    )
    return Held(**row) if row else None


async def give_up(c: Connection) -> None:
    """Fail what was taken up too often: it ends every process that makes it."""
    await c.execute(
        """
        update export_operation set status = 'failed', ended_at = clock_timestamp(), problem = $2
        where status = 'running' and lease_until < clock_timestamp() and tries >= $1
        """,
        MOST_HOLDERS,
        f"{MOST_HOLDERS} gateways began it and none of them came to an end; their logs may say why.",
    )


async def hold(
    c: Connection,
    held: Held,
    *,
    looked_at: int | None = None,
    total: int | None = None,
    size: int | None = None,
) -> bool:
    """Renew the lease and tell how far it is; False where it is not ours any more, or is not wanted any more."""
    said = await c.execute(
        """
        update export_operation set lease_until = clock_timestamp() + $3, looked_at = coalesce($4, looked_at),
          total = coalesce($5, total), bytes = coalesce($6, bytes)
        where id = $1 and fence = $2 and status = 'running'
        """,
        held.id,
        held.fence,
        LEASE,
        looked_at,
        total,
        size,
    )
    return said == "UPDATE 1"


async def finish(c: Connection, held: Held, made: str, size: int) -> bool:
    """Note that it is done; False where somebody else has it now or it was cancelled."""
    said = await c.execute(
        """
        update export_operation set status = 'done', made = $3, bytes = $4, ended_at = clock_timestamp(),
          lease_until = null, looked_at = coalesce(total, looked_at)
        where id = $1 and fence = $2 and status = 'running'
        """,
        held.id,
        held.fence,
        made,
        size,
    )
    return said == "UPDATE 1"


async def fail(c: Connection, held: Held, problem: str) -> None:
    """Note why it could not be made."""
    await c.execute(
        """
        update export_operation set status = 'failed', problem = $3, bytes = 0, ended_at = clock_timestamp(),
          lease_until = null
        where id = $1 and fence = $2 and status = 'running'
        """,
        held.id,
        held.fence,
        problem,
    )


async def let_go(c: Connection, held: Held) -> None:
    """Give it back, so that another gateway takes it up at once; this does not count as a failure of it."""
    await c.execute(
        """
        update export_operation set status = 'queued', tries = tries - 1, lease_until = null
        where id = $1 and fence = $2 and status = 'running'
        """,
        held.id,
        held.fence,
    )


async def cancel(c: Connection, export: str) -> str | None:
    """Cancel what is not done; the status it has now, None where there is no such export."""
    await c.execute(
        """
        update export_operation set status = 'cancelled', ended_at = clock_timestamp(), lease_until = null, bytes = 0
        where id = $1 and status in ('queued', 'running')
        """,
        export,
    )
    status: str | None = await c.fetchval(
        "select status from export_operation where id = $1", export
    )
    return status


async def remove(c: Connection, export: str) -> bool:
    """Forget an export; whether there was one."""
    return await c.execute("delete from export_operation where id = $1", export) == "DELETE 1"


async def expire(c: Connection, kept: timedelta) -> list[str]:
    """Mark the exports whose files are old; their ids."""
    rows = await c.fetch(
        """
        update export_operation set status = 'expired', bytes = 0
        where status = 'done' and ended_at < clock_timestamp() - $1::interval returning id
        """,
        kept,
    )
    return [row["id"] for row in rows]


async def bytes_kept(c: Connection, but: str) -> int:
    """Bytes on disk of all exports but one."""
    size = await c.fetchval(
        "select coalesce(sum(bytes), 0)::bigint from export_operation where id <> $1", but
    )
    return int(size)


async def known(c: Connection, exports: Sequence[str]) -> set[str]:
    """Those of the ids whose files are wanted: done, or in the making."""
    rows = await c.fetch(
        "select id from export_operation where id = any($1) and status in ('running', 'done')",
        list(exports),
    )
    return {row["id"] for row in rows}


async def one(c: Connection, export: str) -> ExportShown | None:
    """An export as pages show it; None where there is none."""
    row = await c.fetchrow(f"select {_SHOWN} from export_operation where id = $1", export)
    return _shown(dict(row)) if row else None


async def newest(
    c: Connection, *, run: str | None, limit: int, after: tuple[datetime, str] | None
) -> list[ExportShown]:
    """Exports, newest first; ``after`` is when the last one of the page before was asked for, and its id."""
    rows = await c.fetch(
        f"""
        select {_SHOWN} from export_operation
        where ($1::text is null or wish #>> '{{source,run}}' = $1)
          and ($2::timestamptz is null or (created_at, id) < ($2, $3::text))
        order by created_at desc, id desc limit $4
        """,
        run,
        after[0] if after else None,
        after[1] if after else None,
        limit,
    )
    return [_shown(dict(row), most_files=LISTED_FILES) for row in rows]


def _shown(row: dict[str, object], most_files: int | None = None) -> ExportShown:
    wish = orjson.loads(str(row.pop("wish")))
    made = orjson.loads(str(row["made"])) if row["made"] else None
    if made and most_files is not None:
        # An export of very many runs has a snapshot of each.
        made["more_files"] = max(0, len(made["files"]) - most_files)
        made["files"] = made["files"][:most_files]
    return ExportShown.model_validate(row | wish | {"name": row["name"], "made": made})
