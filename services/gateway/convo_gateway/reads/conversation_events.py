"""The archived events of one conversation, found by their derived ids: no scan of the run's archive."""

from convo_events import ids
from convo_events.store import Connection
from convo_gateway.reads.events import events_named
from convo_gateway.shapes.runs import LoggedEvent

REPEATS = 16
"""Requests and attempts of one step that are looked for."""
_FREE_STEPS = 2
"""Steps without a call (the filters) that may stand after the last one that is known."""


async def events_of_conversation(
    c: Connection, run: str, thread: int, number: int
) -> list[LoggedEvent]:
    """Requests, outcomes and the verdict of a conversation, and its memory after it, oldest first."""
    calls = await c.fetch(
        "select step, attempt, event_id from model_attempt where run = $1 and thread = $2 and conversation = $3",
        run,
        thread,
        number,
    )
    names = {ids.verdict_id(run, thread, number)}
    names |= {row["event_id"] for row in calls if row["event_id"]}
    names.add(ids.imported_id(run, thread, number))
    steps = [row["step"] for row in calls]
    steps += await _read_at(c, ids.imported_id(run, thread, number))
    paid = {name for step in steps for name in _names(run, thread, step)}
    for step in range(min(steps), max(steps) + _FREE_STEPS + 1) if steps else ():
        names |= _names(run, thread, step)
    found = await events_named(c, sorted(names))
    verdict = ids.verdict_id(run, thread, number)
    last = next((event.position for event in found if event.id == verdict), None)
    # Steps are numbered through a thread: after the verdict, those that this conversation paid for are its memory's,
    # and the others are of the next one.
    return [e for e in found if last is None or e.position <= last or e.id in paid]


async def _read_at(c: Connection, name: str) -> list[int]:
    """The step that brought the conversation in, where it was made elsewhere."""
    rows = await c.fetch(
        "select (body::json #>> '{event,step}')::int as step from event where id = $1", name
    )
    return [row["step"] for row in rows]


def _names(run: str, thread: int, step: int) -> set[str]:
    """The ids that requests and outcomes of a step can have."""
    asked = {ids.step_event_id(run, thread, step, at + 1) for at in range(REPEATS)}
    return asked | {ids.outcome_id(run, thread, step, at) for at in range(REPEATS)}
