"""How often comparing a conversation with its reference came to what, one a conversation."""

from dataclasses import dataclass, replace

from convo_events.codec import Event
from convo_events.steps import Verdict
from convo_projector.stamp import Key, Stamp

TABLE = "run_comparison"
KEY = ("run", "outcome")


@dataclass(frozen=True, slots=True)
class Row:
    """One outcome of one run."""

    run: str
    outcome: str
    n: int


def key(event: Event, stamp: Stamp) -> Key | None:
    """The run and the outcome; None where nothing was compared."""
    if not isinstance(event, Verdict) or event.tally is None or not event.tally.compared:
        return None
    return (event.run, event.tally.compared)


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The count with this verdict added."""
    found = key(event, stamp)
    if stamp.late or found is None:
        return row
    if row is not None:
        return replace(row, n=row.n + 1)
    run, outcome = found
    return Row(str(run), str(outcome), 1)
