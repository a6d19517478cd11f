"""The archive of a run's events, without the text of conversations."""

import orjson

from convo_events.store import Connection
from convo_gateway.shapes.runs import LoggedEvent

_WHOLE = ("run.", "conversation.")
"""Events that are shown whole: they carry no turns."""


async def events_of(
    c: Connection, run: str, *, after: int, limit: int, life_only: bool
) -> list[LoggedEvent]:
    """Events after a position, oldest first.

    Args:
        c: a connection.
        run: the run.
        after: position in the archive; 0 for the beginning.
        limit: most events.
        life_only: only events of the run's own life, such as pauses.
    """
    rows = await c.fetch(
        """
        select position, seq, id, type, thread, late, body from event
        where run = $1 and position > $2 and (not $3 or thread is null) order by position limit $4
        """,
        run,
        after,
        life_only,
        limit,
    )
    return [_event(dict(row)) for row in rows]


def _event(row: dict[str, object]) -> LoggedEvent:
    body = orjson.loads(str(row.pop("body")))
    whole = str(row["type"]).startswith(_WHOLE)
    return LoggedEvent.model_validate(
        row
        | {
            "at": body.get("at", ""),
            "producer": body.get("producer", ""),
            "event": body.get("event") if whole else None,
        }
    )
