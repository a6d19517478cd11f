"""When the models of a run are cheaper next. Pure.

Of several windows the one that opens first is taken: a run may wait for one of its models and not for all of them. Of
those that are open at that moment it is the first one of the first model, in the order of the roles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from convo_events.prices import OffPeak
from convo_events.snapshot import Snapshot

_LOOK_AHEAD_DAYS = 15
"""A window comes back within a week, or within two where its hour is left out in spring; one day more for the zones."""


@dataclass(frozen=True, slots=True)
class Window:
    """A time in which some model of a run has its off-peak price."""

    at: datetime
    """When it opens; the moment that was asked about, where it is open."""
    open_now: bool
    until: datetime | None
    """When it closes; None where it never does."""
    clock: time
    """When it opens by the clock of its zone."""
    zone: str
    model: str
    """``backend/model`` that is cheaper."""


def next_window(snapshot: Snapshot, now: datetime) -> Window | None:
    """The window that is open, or the one that opens first; None where no model of the run has any."""
    offers = list(_offers(snapshot))
    for model, window in offers:
        if window.contains(now):
            return _window(window, model, now, open_now=True)
    found = [
        (opens, at)
        for at, (_, window) in enumerate(offers)
        if (opens := _next_edge(window, now, opening=True)) is not None
    ]
    if not found:
        return None
    opens, at = min(found)
    return _window(offers[at][1], offers[at][0], opens, open_now=False)


def _window(window: OffPeak, model: str, at: datetime, *, open_now: bool) -> Window:
    closes = _next_edge(window, at, opening=False)
    return Window(at, open_now, closes, window.start, window.zone, model)


def _offers(snapshot: Snapshot) -> Iterator[tuple[str, OffPeak]]:
    """``backend/model`` and window, of every model that the run calls."""
    for chosen in snapshot.models():
        model = snapshot.backend(chosen.backend).model_named(chosen.model)
        if model is not None and model.prices is not None:
            for window in model.prices.off_peak:
                yield f"{chosen.backend}/{chosen.model}", window


def _next_edge(window: OffPeak, now: datetime, *, opening: bool) -> datetime | None:
    """When a window that is closed opens next, or one that is open closes; None where it does not."""
    return next((edge for edge in _edges(window, now) if window.contains(edge) is opening), None)


def _edges(window: OffPeak, now: datetime) -> list[datetime]:
    """Moments after ``now`` at which the window may open or close, in order: its own times, and changes of clocks."""
    zone = ZoneInfo(window.zone)
    today = now.astimezone(zone).date()
    days = [today + timedelta(days=n) for n in range(-1, _LOOK_AHEAD_DAYS)]
    edges = {
        moment
        for day in days
        for clock in (window.start, window.end)
        for moment in _moments(day, clock, zone)
    }
    noons = [datetime.combine(day, time(12), UTC) for day in days]
    edges |= {
        _change(before, after, zone)
        for before, after in pairwise(noons)
        if before.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset()
    }
    return sorted(edge for edge in edges if edge > now)


def _moments(day: date, clock: time, zone: ZoneInfo) -> Iterator[datetime]:
    """When the zone's clock says so on that day: once, twice where clocks go back, never where it is left out."""
    for fold in (0, 1):
        said = datetime.combine(day, clock.replace(fold=fold), zone)
        moment = said.astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None, fold=0) == said.replace(
            tzinfo=None, fold=0
        ):
            yield moment


def _change(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The second between two moments from which on the zone's clock goes by another offset."""
    offset = before.astimezone(zone).utcoffset()
    low, high = 0, int((after - before).total_seconds())
    while high - low > 1:
        middle = (low + high) // 2
        same = (before + timedelta(seconds=middle)).astimezone(zone).utcoffset() == offset
        low, high = (middle, high) if same else (low, middle)
    return before + timedelta(seconds=high)
