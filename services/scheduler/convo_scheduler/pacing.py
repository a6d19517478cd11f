"""How much of a run may be open at once: the credit window. Pure."""

from convo_events.snapshot import Snapshot

WINDOW_FACTOR = 2
"""A window of twice the allowed concurrency keeps every slot full while outcomes travel."""


def concurrency(snapshot: Snapshot) -> int:
    """Calls that the run's models allow in flight together, each (backend, model) counted once."""
    chosen = {(r.backend, r.model) for r in snapshot.models()}
    allowed = [
        model.max_concurrency
        for backend, name in chosen
        if (model := snapshot.backend(backend).model_named(name)) is not None
    ]
    return sum(allowed)


def window(snapshot: Snapshot, most_open: int, live_runs: int) -> int:
    """Threads that may have an open step, at least one; the overall limit is shared evenly between live runs.

    A run that calls no model has only that limit.
    """
    share = most_open // max(1, live_runs)
    allowed = WINDOW_FACTOR * concurrency(snapshot) if snapshot.models() else share
    return max(1, min(allowed, share))


def threads_to_open(lanes: int, opened: int, closed: int, window_size: int) -> range:
    """Numbers of the threads to open now."""
    room = window_size - (opened - closed)
    return range(opened, min(lanes, opened + max(0, room)))
