"""When models are cheaper next: weekdays, midnight, and clocks that change."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from convo_events.prices import OffPeak, Prices, Rates
from convo_gateway.off_peak import next_window
from tests.journeys.configs import snapshot

RATES = Rates(input=Decimal(1), output=Decimal(1))
EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)


def window(
    start: str, end: str, weekdays: tuple[int, ...] = EVERY_DAY, zone: str = "Europe/Berlin"
) -> OffPeak:
    return OffPeak(
        start=time.fromisoformat(start),
        end=time.fromisoformat(end),
        weekdays=weekdays,
        zone=zone,
        rates=RATES,
    )


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def opens(at: str, *windows: OffPeak) -> tuple[str, str | None]:
    """(opens, closes) of the window that a run would start in, in UTC."""
    priced = snapshot(1, prices=Prices(rates=RATES, off_peak=windows))
    found = next_window(priced, utc(at))
    assert found is not None
    assert found.open_now == (found.at == utc(at))
    until = f"{found.until:%m-%dT%H:%M}" if found.until else None
    return f"{found.at:%m-%dT%H:%M}", until


def test_no_window_is_none() -> None:
    assert next_window(snapshot(1), utc("2026-03-01T12:00")) is None


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("2026-03-04T12:00", ("03-04T21:00", "03-05T05:00")),  # Wednesday
        ("2026-03-04T21:00", ("03-04T21:00", "03-05T05:00")),
        ("2026-03-05T04:59", ("03-05T04:59", "03-05T05:00")),
        ("2026-03-05T05:00", ("03-05T21:00", "03-06T05:00")),
        (
            "2026-03-28T23:30",
            ("03-28T23:30", "03-29T04:00"),
        ),  # clocks go forward: 06:00 is 04:00 UTC
        ("2026-10-24T12:00", ("10-24T20:00", "10-25T05:00")),  # clocks go back
    ],
)
def test_a_night_opens_and_closes_by_the_clock_of_its_zone(at: str, found: tuple[str, str]) -> None:
    assert opens(at, window("22:00", "06:00")) == found


def test_weekdays_are_those_on_which_the_window_starts() -> None:
    weekend = window("22:00", "06:00", (4, 5))  # Friday and Saturday night
    assert opens("2026-03-04T12:00", weekend) == ("03-06T21:00", "03-07T05:00")
    assert opens("2026-03-08T03:00", weekend) == ("03-08T03:00", "03-08T05:00")
    assert opens("2026-03-08T06:00", weekend)[0] == "03-13T21:00"


def test_equal_ends_are_whole_days_and_never_close_where_every_day_has_one() -> None:
    assert opens("2026-03-04T12:00", window("06:00", "06:00")) == ("03-04T12:00", None)
    sunday = window("00:00", "00:00", (6,))
    assert opens("2026-03-04T12:00", sunday) == ("03-07T23:00", "03-08T23:00")


def test_an_hour_left_out_opens_the_window_with_the_next_hour() -> None:
    """Started by the old offset, the run began when the window had closed."""
    assert opens("2026-03-28T23:30", window("02:30", "03:30")) == ("03-29T01:00", "03-29T01:30")


def test_a_window_that_is_left_out_comes_a_day_or_a_week_later() -> None:
    assert opens("2026-03-28T23:30", window("02:10", "02:50"))[0] == "03-30T00:10"
    assert opens("2026-03-28T23:30", window("02:10", "02:50", (6,)))[0] == "04-05T00:10"


def test_an_hour_that_comes_twice_may_open_the_window_twice() -> None:
    half = window("02:30", "04:00")
    assert opens("2026-10-24T23:00", half) == ("10-25T00:30", "10-25T01:00")
    assert opens("2026-10-25T01:10", half) == ("10-25T01:30", "10-25T03:00")


def test_of_several_windows_the_first_to_open_is_taken() -> None:
    late, early = window("23:00", "05:00"), window("21:00", "22:00", zone="UTC")
    assert opens("2026-03-04T12:00", late, early) == ("03-04T21:00", "03-04T22:00")
    assert opens("2026-03-04T22:30", late, early) == ("03-04T22:30", "03-05T04:00")


ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Shanghai",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Asia/Kathmandu",
)
QUARTERS = st.integers(0, 95).map(lambda n: time(n // 4, n % 4 * 15))
MOMENTS = st.sampled_from(
    [
        "2026-03-28",
        "2026-10-24",
        "2026-03-07",
        "2026-10-31",
        "2026-04-04",
        "2026-04-23",
        "2026-07-01",
    ]
)


@given(QUARTERS, QUARTERS, st.sets(st.integers(0, 6), min_size=1), st.sampled_from(ZONES), MOMENTS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_it_opens_and_closes_when_looking_at_every_minute_says_so(
    start: time, end: time, weekdays: set[int], zone: str, day: str
) -> None:
    offer = OffPeak(start=start, end=end, weekdays=tuple(sorted(weekdays)), zone=zone, rates=RATES)
    now = utc(f"{day}T10:07")
    found = next_window(snapshot(1, prices=Prices(rates=RATES, off_peak=(offer,))), now)
    assert found is not None
    minutes = [now + timedelta(minutes=n) for n in range(3 * 24 * 60)]
    states = [offer.contains(minute) for minute in minutes]
    if True in states:
        first = states.index(True)
        at = minutes[first].replace(second=0)
        assert abs(found.at - at) < timedelta(minutes=1)
        assert found.open_now == states[0]
        if False in states[first:]:
            assert found.until is not None
            closed = minutes[states.index(False, first)]
            assert timedelta(0) <= closed - found.until < timedelta(minutes=1)
    else:
        assert found.at > minutes[-1] - timedelta(minutes=1)
