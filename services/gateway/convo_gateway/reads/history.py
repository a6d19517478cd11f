"""What finished runs of a config used, for the estimate of the next one."""

from typing import cast

from convo_events.store import Connection
from convo_events.usage import CallRole
from convo_gateway.estimate import History, RoleHistory

_RUNS = 20
"""Finished runs that are looked at, the newest ones."""


async def history_of(c: Connection, config: str) -> History:
    """Finished runs of the config of that name; failed ones, samples, and those without a verdict tell nothing."""
    runs = await c.fetch(
        """
        select run, accepted, accepted + rejected + failed as made from run_view
        where config = $1 and kind = 'generation' and status in ('completed', 'cancelled')
          and accepted + rejected + failed > 0
        order by planned_at desc limit $2
        """,
        config,
        _RUNS,
    )
    names = [row["run"] for row in runs]
    turns = await c.fetchval(
        """
        select coalesce(sum(planned_turns), 0) from conversation
        where run = any($1) and status in ('accepted', 'rejected', 'failed')
        """,
        names,
    )
    roles = await c.fetch(
        """
        select role, sum(calls)::bigint as calls, sum(input_tokens)::bigint as input,
               sum(output_tokens)::bigint as output, sum(cached_tokens)::bigint as cached
        from run_cost where run = any($1) group by role
        """,
        names,
    )
    return History(
        runs=len(runs),
        made=sum(row["made"] for row in runs),
        accepted=sum(row["accepted"] for row in runs),
        turns=int(turns),
        roles={
            cast(CallRole, row["role"]): RoleHistory(
                calls=row["calls"],
                input_tokens=row["input"],
                output_tokens=row["output"],
                cached_tokens=row["cached"],
            )
            for row in roles
        },
    )
