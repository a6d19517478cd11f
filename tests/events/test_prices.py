"""Prices: bands, off-peak windows across midnight and zones, cached tokens, rounding, and the worst case."""

from datetime import UTC, datetime, time, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from convo_events.prices import Band, OffPeak, Prices, Rates, cost_micro, usd, worst_case_micro
from convo_events.usage import Usage

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday


def rates(input: float | str, output: float | str, **more: float | str) -> Rates:
    fields = {"input": input, "output": output, **more}
    return Rates(**{name: Decimal(str(value)) for name, value in fields.items()})


def cost(prices: Prices, at: datetime = NOON, **tokens: int) -> int:
    usage = Usage.model_validate({"input_tokens": 0, "output_tokens": 0, **tokens})
    found = cost_micro(prices, usage, at)
    assert found is not None
    return found


def test_c14_input_and_output_have_their_own_price() -> None:
    prices = Prices(rates=rates(1, 1000))
    assert cost(prices, input_tokens=1_000_000) == 1_000_000
    assert cost(prices, output_tokens=1_000_000) == 1_000_000_000
    assert cost(prices, input_tokens=7, output_tokens=3) == 3_007


def test_c01_cached_tokens_are_part_of_the_input() -> None:
    prices = Prices(rates=rates(10, 0, cached_input=1))
    assert cost(prices, input_tokens=1000, cached_tokens=400) == 600 * 10 + 400
    assert cost(Prices(rates=rates(10, 0)), input_tokens=1000, cached_tokens=400) == 10_000


def test_tokens_written_to_the_cache_have_their_price_or_that_of_the_input() -> None:
    used = {"input_tokens": 1000, "cached_tokens": 400, "cache_write_tokens": 500}
    dear = Prices(rates=rates(10, 0, cached_input=1, cache_write="12.5"))
    assert cost(dear, **used) == 100 * 10 + 400 * 1 + 500 * 12.5
    assert cost(Prices(rates=rates(10, 0, cached_input=1)), **used) == 600 * 10 + 400
    assert cost(dear, input_tokens=5, cached_tokens=3, cache_write_tokens=9) == 3 + 25


def test_more_cached_than_input_is_not_paid_back() -> None:
    assert cost(Prices(rates=rates(10, 0, cached_input=1)), input_tokens=5, cached_tokens=9) == 5


def test_c13_reasoning_is_part_of_the_output() -> None:
    assert cost(Prices(rates=rates(0, 2)), output_tokens=100, reasoning_tokens=80) == 200


def test_c09_no_price_is_unknown_and_not_free() -> None:
    assert cost_micro(None, Usage(input_tokens=1, output_tokens=1), NOON) is None
    assert worst_case_micro(None, 100, 100) is None
    assert cost(Prices(rates=rates(0, 0)), input_tokens=10) == 0


def test_each_request_costs_and_halves_round_up() -> None:
    assert cost(Prices(rates=rates(0, 0, per_request="0.01"))) == 10_000
    assert cost(Prices(rates=rates("0.5", 0)), input_tokens=1) == 1
    assert cost(Prices(rates=rates("0.49", 0)), input_tokens=1) == 0


def test_the_highest_band_that_is_exceeded_counts_for_all_tokens() -> None:
    bands = (
        Band(above_input_tokens=200, rates=rates(3, 0)),
        Band(above_input_tokens=100, rates=rates(2, 0)),
    )
    prices = Prices(rates=rates(1, 0), bands=bands)
    spent = {size: cost(prices, input_tokens=size) for size in (100, 101, 200, 201)}
    assert spent == {100: 100, 101: 202, 200: 400, 201: 603}


class TestOffPeak:
    def window(self, start: str, end: str, **more: object) -> OffPeak:
        return OffPeak.model_validate(
            {"start": start, "end": end, "rates": {"input": 0, "output": 0}, **more}
        )

    def open_at(self, window: OffPeak, *clocks: str) -> list[bool]:
        day = NOON.date()
        moments = [datetime.combine(day, time.fromisoformat(c), tzinfo=UTC) for c in clocks]
        return [window.contains(moment) for moment in moments]

    def test_start_is_inside_and_end_is_not(self) -> None:
        window = self.window("09:00", "17:00")
        assert self.open_at(window, "08:59", "09:00", "16:59", "17:00") == [0, 1, 1, 0]

    def test_a_window_wraps_midnight(self) -> None:
        window = self.window("22:00", "06:00")
        clocks = ("21:59", "22:00", "23:59", "00:00", "05:59", "06:00")
        assert self.open_at(window, *clocks) == [0, 1, 1, 1, 1, 0]

    def test_a_wrapped_window_belongs_to_the_day_it_starts_on(self) -> None:
        friday_night = self.window("22:00", "06:00", weekdays=[4])
        friday = datetime(2026, 3, 6, 23, tzinfo=UTC)
        assert friday_night.contains(friday)
        assert friday_night.contains(friday + timedelta(hours=6))
        assert not friday_night.contains(friday - timedelta(hours=20))
        assert not friday_night.contains(friday + timedelta(hours=24))

    def test_equal_ends_are_the_whole_day_from_there(self) -> None:
        wednesday = self.window("06:00", "06:00", weekdays=[2])
        assert self.open_at(wednesday, "05:59", "06:00", "23:00") == [0, 1, 1]
        assert wednesday.contains(NOON + timedelta(hours=17, minutes=59))
        assert not wednesday.contains(NOON + timedelta(hours=18))

    def test_the_clock_is_the_one_of_the_zone_in_summer_too(self) -> None:
        night = self.window("00:00", "06:00", zone="Europe/Berlin")
        assert night.contains(datetime(2026, 1, 10, 23, 30, tzinfo=UTC))
        assert not night.contains(datetime(2026, 7, 10, 21, 30, tzinfo=UTC))
        assert night.contains(datetime(2026, 7, 10, 22, 30, tzinfo=UTC))
        assert night.contains(datetime(2026, 7, 11, 8, tzinfo=timezone(timedelta(hours=5))))

    def test_the_first_open_window_goes_before_bands(self) -> None:
        prices = Prices(
            rates=rates(9, 0),
            bands=(Band(above_input_tokens=1, rates=rates(8, 0)),),
            off_peak=(
                OffPeak(start=time(1), end=time(2), rates=rates(1, 0)),
                OffPeak(start=time(11), end=time(13), rates=rates(2, 0)),
                OffPeak(start=time(10), end=time(14), rates=rates(3, 0)),
            ),
        )
        assert prices.at(NOON, 100).input == 2
        assert prices.at(NOON + timedelta(hours=5), 100).input == 8

    def test_a_window_may_have_bands_of_its_own(self) -> None:
        window = OffPeak(
            start=time(11),
            end=time(13),
            rates=rates(1, 0),
            bands=(Band(above_input_tokens=100, rates=rates(2, 0)),),
        )
        prices = Prices(
            rates=rates(9, 0),
            bands=(Band(above_input_tokens=50, rates=rates(8, 0)),),
            off_peak=(window,),
        )
        assert [prices.at(NOON, size).input for size in (60, 100, 101)] == [1, 1, 2]
        assert prices.at(NOON + timedelta(hours=5), 60).input == 8

    def test_a_call_is_priced_by_the_moment_it_was_sent(self) -> None:
        night = OffPeak(start=time(22), end=time(6), zone="Europe/Berlin", rates=rates(1, 0))
        prices = Prices(rates=rates(4, 0), off_peak=(night,))
        opens = datetime(2026, 3, 4, 21, tzinfo=UTC)
        before, at = opens - timedelta(microseconds=1), opens
        assert [cost(prices, when, input_tokens=1000) for when in (before, at)] == [4000, 1000]

    def test_a_window_in_the_hour_that_is_left_out(self) -> None:
        def spring(clock: str) -> datetime:
            return datetime.fromisoformat(f"2026-03-29T{clock}").replace(tzinfo=UTC)

        berlin = {"zone": "Europe/Berlin"}  # 02:00 to 03:00 does not exist, at 01:00 UTC
        late = self.window("02:30", "03:30", **berlin)
        moments = ("00:59:59", "01:00", "01:29:59", "01:30")
        assert [late.contains(spring(clock)) for clock in moments] == [0, 1, 1, 0]
        inside = self.window("02:10", "02:50", **berlin)
        assert not any(inside.contains(spring(f"0{h}:{m:02}")) for h in (0, 1) for m in range(60))

    def test_an_hour_that_comes_twice_is_inside_both_times(self) -> None:
        def autumn(clock: str) -> datetime:
            return datetime.fromisoformat(f"2026-10-25T{clock}").replace(tzinfo=UTC)

        window = self.window("02:00", "03:00", zone="Europe/Berlin")  # 00:00 to 02:00 UTC
        moments = ("2026-10-24T23:59", "2026-10-25T00:00", "2026-10-25T01:59", "2026-10-25T02:00")
        found = [window.contains(datetime.fromisoformat(m).replace(tzinfo=UTC)) for m in moments]
        assert found == [0, 1, 1, 0]
        half = self.window("01:00", "02:30", zone="Europe/Berlin")
        clocks = ("00:29", "00:30", "00:59", "01:00", "01:29", "01:30")
        assert [half.contains(autumn(clock)) for clock in clocks] == [1, 0, 0, 1, 1, 0]

    def test_a_wrapped_night_around_a_change_of_clocks_is_an_hour_shorter_or_longer(self) -> None:
        night = self.window("22:00", "06:00", zone="Europe/Berlin", weekdays=[5])  # Saturday night

        def minutes(began: str) -> int:
            start = datetime.fromisoformat(began).replace(tzinfo=UTC)
            return sum(night.contains(start + timedelta(minutes=m)) for m in range(24 * 60))

        nights = ("2026-03-28T12:00", "2026-07-04T12:00", "2026-10-24T12:00")
        assert [minutes(night) for night in nights] == [7 * 60, 8 * 60, 9 * 60]
        assert minutes("2026-07-03T12:00") == 0, "Friday night has no window"

    @pytest.mark.parametrize("wrong", [22, "22", "22:00+02:00", "24:10", True])
    def test_a_time_of_day_is_written_out(self, wrong: object) -> None:
        with pytest.raises(ValidationError):
            OffPeak.model_validate({"start": wrong, "end": "06:00", "rates": rates(1, 1)})

    def test_an_unknown_zone_is_refused(self) -> None:
        with pytest.raises(ValidationError, match="no IANA time zone"):
            self.window("01:00", "02:00", zone="Mars/Olympus")

    def test_a_moment_without_offset_is_refused(self) -> None:
        with pytest.raises(ValueError, match="offset"):
            self.window("01:00", "02:00").contains(NOON.replace(tzinfo=None))


def test_the_same_price_is_written_the_same_way() -> None:
    spelled = [Prices(rates=rates(text, 0)).model_dump_json() for text in ("0.4", "0.400", "4E-1")]
    assert len(set(spelled)) == 1
    assert Prices(rates=rates(100, 0)).model_dump(mode="json")["rates"]["input"] == "100"


@pytest.mark.parametrize("wrong", ["-0.1", "NaN", "Infinity", "0.0000000000001"])
def test_a_price_is_a_sane_number(wrong: str) -> None:
    with pytest.raises(ValidationError):
        Rates.model_validate({"input": wrong, "output": 0})


price = st.decimals(0, 1000, places=4)
tables = st.builds(
    Rates,
    input=price,
    output=price,
    cached_input=st.none() | price,
    cache_write=st.none() | price,
    per_request=price,
)
price_maps = st.builds(
    Prices,
    rates=tables,
    bands=st.lists(
        st.builds(Band, above_input_tokens=st.integers(1, 500), rates=tables), max_size=3
    ),
    off_peak=st.lists(
        st.builds(
            OffPeak,
            start=st.times(),
            end=st.times(),
            rates=tables,
            bands=st.lists(
                st.builds(Band, above_input_tokens=st.integers(1, 500), rates=tables), max_size=2
            ),
        ),
        max_size=2,
    ),
)


@given(
    price_maps,
    st.text(max_size=200),
    st.integers(0, 300),
    st.integers(0, 300),
    st.integers(0, 300),
    st.datetimes(),
)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_call_costs_more_than_its_worst_case(
    prices: Prices, prompt: str, output: int, cached: int, written: int, at: datetime
) -> None:
    moment = at.replace(tzinfo=UTC) if 1900 < at.year < 2100 else NOON
    used = Usage(
        input_tokens=len(prompt.encode()),
        cached_tokens=min(cached, len(prompt.encode())),
        cache_write_tokens=written,
        output_tokens=output,
    )
    spent, most = (
        cost_micro(prices, used, moment),
        worst_case_micro(prices, len(prompt.encode()), output),
    )
    assert spent is not None
    assert most is not None
    assert spent <= most


@pytest.mark.parametrize(
    ("micro", "said"),
    [
        (0, "$0.00"),
        (1, "$0.000001"),
        (9_000, "$0.009"),
        (33_130, "$0.03313"),
        (500_000, "$0.50"),
        (999_999, "$1.00"),
        (1_000_000, "$1.00"),
        (1_234_567_890, "$1,234.57"),
    ],
)
def test_money_for_people(micro: int, said: str) -> None:
    assert usd(micro) == said
