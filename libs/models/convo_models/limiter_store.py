"""Where the workers' shares of each model's limit are kept: one short transaction a round, on the database's clock."""

import asyncio
import math
from dataclasses import dataclass

import asyncpg

from convo_events.errors import Misconfigured
from convo_events.store import Connection, Pool, outage_named
from convo_models.limits import LEASE_S, Limit, Share, decreased, grant, increased, with_most

ROUND_S = 2.0
"""A round that takes longer is given up, well inside the lease."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a worker says of itself in a round."""

    backend: str
    model: str
    worker: str
    most: int
    """Configured limit of the model, over all workers."""
    held: int
    """It will have no more than this in flight until it hears the answer."""
    in_use: int
    want: int
    """Most calls in flight or waiting since its last round; 0 with nothing held gives the share back."""
    pushed_back_s: float | None = None
    """Cooldown the provider asked for since the last round; None where it did not push back."""
    clean: bool = False
    """Whether there were good results since the last round."""


@dataclass(frozen=True, slots=True)
class Granted:
    """What the worker hears."""

    granted: int
    """May be in flight."""
    fair: int
    """Where this is less than ``granted``: let go down to it."""
    cooldown_s: float
    """Seconds in which no call may start; 0 for none."""


async def sync(pool: Pool, ask: Ask) -> Granted:
    """One round: renew the worker's share, free the shares of the dead, and settle the limit.

    Raises:
        Unavailable: when Postgres is away.
        Misconfigured: when it has no such tables.
    """
    try:
        async with (
            outage_named(),
            asyncio.timeout(ROUND_S),
            pool.acquire() as connection,
            connection.transaction(),
        ):
            return await _round(connection, ask)
    except asyncpg.UndefinedTableError as error:
        raise Misconfigured(f"{error}: run python -m convo_events.migrate") from None


async def leave(pool: Pool, worker: str) -> None:
    """Give back all shares of a worker that ends.

    Raises:
        Unavailable: when Postgres is away; the shares then run out by themselves.
    """
    async with outage_named(), asyncio.timeout(ROUND_S):
        await pool.execute("delete from model_share where worker = $1", worker)


async def _round(connection: Connection, ask: Ask) -> Granted:
    before = await _locked_limit(connection, ask)
    now = await _renew(connection, ask)
    shares, most = await _live_shares(connection, ask, now)
    limit = with_most(before, most)
    if ask.pushed_back_s is not None:
        limit = decreased(limit, ask.pushed_back_s, now)
    elif ask.clean:
        limit = increased(limit, sum(share.want for share in shares.values()), now)
    granted, fair = grant(limit, shares, ask.worker, now)
    if limit != before:
        await _write_limit(connection, ask, limit)
    if ask.want == 0 and ask.held == 0:
        await connection.execute(
            "delete from model_share where backend = $1 and model = $2 and worker = $3",
            ask.backend,
            ask.model,
            ask.worker,
        )
    elif granted != ask.held:
        await connection.execute(
            "update model_share set granted = $4 where backend = $1 and model = $2 and worker = $3",
            ask.backend,
            ask.model,
            ask.worker,
            granted,
        )
    return Granted(granted, fair, max(0.0, limit.cooldown_until - now))


async def _locked_limit(connection: Connection, ask: Ask) -> Limit:
    query = (
        "select max_limit, current_limit, extract(epoch from cooldown_until)::float8 as cooldown,"
        " extract(epoch from last_decrease_at)::float8 as decreased,"
        " extract(epoch from last_increase_at)::float8 as increased"
        " from model_limit where backend = $1 and model = $2 for update"
    )
    row = await connection.fetchrow(query, ask.backend, ask.model)
    while row is None:
        await connection.execute(
            "insert into model_limit (backend, model, max_limit, current_limit) values ($1, $2, $3, $3)"
            " on conflict do nothing",
            ask.backend,
            ask.model,
            ask.most,
        )
        row = await connection.fetchrow(query, ask.backend, ask.model)
    times = (row["cooldown"], row["decreased"], row["increased"])
    cooldown, lowered, raised = (-math.inf if at is None else float(at) for at in times)
    return Limit(row["max_limit"], row["current_limit"], cooldown, lowered, raised)


async def _renew(connection: Connection, ask: Ask) -> float:
    """Write what the worker said of itself; the time, as seconds of the database's clock."""
    now: float = await connection.fetchval(
        "insert into model_share (backend, model, worker, granted, in_use, want, max_limit, renewed_at)"
        " values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())"
        " on conflict (backend, model, worker) do update set granted = excluded.granted,"
        " in_use = excluded.in_use, want = excluded.want, max_limit = excluded.max_limit,"
        " renewed_at = excluded.renewed_at returning extract(epoch from renewed_at)::float8",
        ask.backend,
        ask.model,
        ask.worker,
        ask.held,
        ask.in_use,
        ask.want,
        ask.most,
    )
    return now


async def _live_shares(
    connection: Connection, ask: Ask, now: float
) -> tuple[dict[str, Share], int]:
    """Shares by worker once those whose lease ran out are gone, and the strictest configured limit among them."""
    await connection.execute(
        "delete from model_share where backend = $1 and model = $2"
        " and renewed_at < to_timestamp($3) - make_interval(secs => $4)",
        ask.backend,
        ask.model,
        now,
        LEASE_S,
    )
    rows = await connection.fetch(
        "select worker, granted, want, max_limit from model_share where backend = $1 and model = $2",
        ask.backend,
        ask.model,
    )
    shares = {row["worker"]: Share(row["granted"], row["want"]) for row in rows}
    return shares, min(row["max_limit"] for row in rows)


async def _write_limit(connection: Connection, ask: Ask, limit: Limit) -> None:
    times = (limit.cooldown_until, limit.decreased_at, limit.increased_at)
    await connection.execute(
        "update model_limit set max_limit = $3, current_limit = $4, cooldown_until = to_timestamp($5),"
        " last_decrease_at = to_timestamp($6), last_increase_at = to_timestamp($7)"
        " where backend = $1 and model = $2",
        ask.backend,
        ask.model,
        limit.most,
        limit.current,
        *(at if math.isfinite(at) else None for at in times),
    )
