"""Why conversations were rejected or failed."""

import orjson

from convo_events.store import Connection
from convo_gateway.shapes.runs import ReasonCount, Reject

LAST = 10
MOST_DETAIL = 300


async def reason_counts(c: Connection, run: str) -> list[ReasonCount]:
    """The reasons that a run hit, in precedence order: layer first."""
    rows = await c.fetch(
        "select reason, layer, precedence, n from reject_count where run = $1 order by layer, precedence, reason",
        run,
    )
    return [
        ReasonCount(
            reason=row["reason"],
            layer=row["layer"],
            precedence=row["precedence"],
            count=row["n"],
            counted_under="failed" if row["layer"] == 0 else "rejected",
        )
        for row in rows
    ]


async def last_rejects(c: Connection, run: str) -> list[Reject]:
    """The last 10 rejects, newest first."""
    rows = await c.fetch(
        """
        select id, reason, layer, hit, detail, persona, score, settled_at from conversation
        where run = $1 and status = 'rejected' order by settled_seq desc limit $2
        """,
        run,
        LAST,
    )
    return [
        Reject(
            id=row["id"],
            reason=row["reason"],
            layer=row["layer"],
            persona=row["persona"],
            score=row["score"],
            settled_at=row["settled_at"],
            turn=hit.get("turn"),
            excerpt=hit.get("excerpt", ""),
            detail=row["detail"][:MOST_DETAIL],
            neighbour=hit.get("neighbour"),
            similarity=hit.get("similarity"),
        )
        for row in rows
        for hit in [orjson.loads(row["hit"]) if row["hit"] else {}]
    ]
