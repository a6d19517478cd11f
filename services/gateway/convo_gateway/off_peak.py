"""When the models of a run are cheaper next. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from convo_events.prices import OffPeak
from convo_events.snapshot import Snapshot

_LOOK_AHEAD_DAYS = 8
"""A window comes back within a week; one day more covers the zones."""


@dataclass(frozen=True, slots=True)
class Window:
    """A time at which some model of a run has its off-peak price."""

    at: datetime
    open_now: bool


def next_window(snapshot: Snapshot, now: datetime) -> Window | None:
    """The window that is open, or the one that opens first; None where no model of the run has any."""
    windows = [window for prices in _prices(snapshot) for window in prices]
    if any(window.contains(now) for window in windows):
        return Window(now, open_now=True)
    starts = [start for window in windows for start in _starts(window, now)]
    return Window(min(starts), open_now=False) if starts else None


def _prices(snapshot: Snapshot) -> Iterator[tuple[OffPeak, ...]]:
    for role in snapshot.call_roles():
        chosen = snapshot.role(role)
        model = snapshot.backend(chosen.backend).model_named(chosen.model)
        if model is not None and model.prices is not None:
            yield model.prices.off_peak


def _starts(window: OffPeak, now: datetime) -> Iterator[datetime]:
    zone = ZoneInfo(window.zone)
    today = now.astimezone(zone).date()
    for days in range(_LOOK_AHEAD_DAYS + 1):
        day = today + timedelta(days=days)
        start = datetime.combine(day, window.start, zone).astimezone(UTC)
        if day.weekday() in window.weekdays and start > now:
            yield start
