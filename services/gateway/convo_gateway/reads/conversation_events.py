"""The archived events of one conversation, found by their derived ids: no scan of the run's archive."""

from convo_events import ids
from convo_events.store import Connection
from convo_gateway.reads.events import events_named
from convo_gateway.shapes.runs import LoggedEvent

REPEATS = 16
"""Requests and attempts of one step that are looked for."""
_FREE_STEPS = 2
"""Steps without a call (the filters) that may stand after the last one with a call."""


async def events_of_conversation(
    c: Connection, run: str, thread: int, number: int
) -> list[LoggedEvent]:
    """Requests, outcomes and the verdict of a conversation, oldest first."""
    calls = await c.fetch(
        "select step, attempt, event_id from model_attempt where run = $1 and thread = $2 and conversation = $3",
        run,
        thread,
        number,
    )
    names = {ids.verdict_id(run, thread, number)}
    names |= {row["event_id"] for row in calls if row["event_id"]}
    steps = [row["step"] for row in calls]
    for step in range(min(steps), max(steps) + _FREE_STEPS + 1) if steps else ():
        for at in range(REPEATS):
            names.add(ids.step_event_id(run, thread, step, at + 1))
            names.add(ids.outcome_id(run, thread, step, at))
    found = await events_named(c, sorted(names))
    verdict = ids.verdict_id(run, thread, number)
    last = next((event.position for event in found if event.id == verdict), None)
    # Steps are numbered through a thread, so those after the verdict are of the next conversation.
    return [event for event in found if last is None or event.position <= last]
