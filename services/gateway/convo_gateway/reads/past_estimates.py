"""Estimates of ended runs beside what these spent."""

from convo_events.store import Connection
from convo_gateway.estimate import deviation
from convo_gateway.shapes.counts import known_micro
from convo_gateway.shapes.past_estimates import PastEstimate

_MOST = 100


async def past_estimates(c: Connection, config: str) -> list[PastEstimate]:
    """Ended runs of the config of that name, newest first; no samples."""
    rows = await c.fetch(
        """
        select r.*, coalesce(s.calls, 0) as calls, coalesce(s.unpriced, 0) as unpriced,
               coalesce(s.cost, 0) as cost, coalesce(s.unknown, 0) as unknown
        from run_view r left join lateral (
            select sum(calls)::bigint as calls, sum(unpriced_calls)::bigint as unpriced,
                   sum(cost_micro)::bigint as cost, sum(unknown_micro)::bigint as unknown
            from run_cost where run = r.run
        ) s on true
        where r.config = $1 and r.kind = 'generation' and r.status in ('completed', 'cancelled', 'failed')
        order by r.planned_at desc, r.run desc limit $2
        """,
        config,
        _MOST,
    )
    found = []
    for row in rows:
        spent = known_micro(row["cost"], row["calls"], row["unpriced"])
        completed = row["status"] == "completed"
        found.append(
            PastEstimate(
                run=row["run"],
                name=row["name"],
                config_version=row["config_version"],
                status=row["status"],
                planned_at=row["planned_at"],
                ended_at=row["ended_at"],
                target=row["target"],
                made=row["accepted"] + row["rejected"] + row["failed"],
                accepted=row["accepted"],
                expected_accepted=row["expected_accepted"],
                estimate_micro=row["estimate_micro"],
                spent_micro=spent,
                unknown_micro=row["unknown"],
                error=deviation(row["estimate_micro"], spent) if completed else None,
            )
        )
    return found
