"""The archive of a run's events, without the text of conversations."""

from collections.abc import Sequence

import orjson

from convo_events.store import Connection
from convo_gateway.shapes.runs import LoggedEvent

_COLUMNS = "position, seq, id, type, thread, late, body"
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
        f"""
        select {_COLUMNS} from event
        where run = $1 and position > $2 {"and thread is null" if life_only else ""} order by position limit $3
        """,
        run,
        after,
        limit,
    )
    return [_event(dict(row)) for row in rows]


async def events_named(c: Connection, names: Sequence[str]) -> list[LoggedEvent]:
    """The events that there are of these ids, oldest first."""
    rows = await c.fetch(
        f"select {_COLUMNS} from event where id = any($1) order by position", list(names)
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
