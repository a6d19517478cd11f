"""What a model costs: per million tokens, with bands above a prompt size, per request, and off-peak windows.

A call is priced as a whole, by the moment at which it was sent and by the size of its own prompt.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from convo_events.usage import Usage


def _shortest(price: Decimal) -> Decimal:
    """The same number without trailing zeros, so that 0.40 and 0.4 freeze to the same content."""
    return Decimal(format(price.normalize(), "f"))


Usd = Annotated[Decimal, Field(ge=0, le=1_000_000, decimal_places=12), AfterValidator(_shortest)]
_PER_MILLION = Decimal(1_000_000)
PROVIDERS_OWN_TOKENS = 256
"""What a provider may add to a short prompt, such as for structured output; longer ones have bytes to spare."""


def _clock_time(value: object) -> time:
    """The time as it is written; a bare number would be read as seconds, an offset would contradict the zone."""
    written = value.isoformat() if isinstance(value, time) else value
    if not isinstance(written, str) or not re.fullmatch(r"\d\d:\d\d(:\d\d(\.\d{1,6})?)?", written):
        raise ValueError(f"{value!r} is no time of day such as '22:00'")
    return time.fromisoformat(written)


Clock = Annotated[time, BeforeValidator(_clock_time)]


class _Priced(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Rates(_Priced):
    """US dollars per million tokens, and per request."""

    input: Usd
    """Prompt tokens that are neither read from the cache nor written to it."""
    output: Usd
    """Answer tokens, reasoning included."""
    cached_input: Usd | None = None
    """Prompt tokens read from the cache; None: as ``input``."""
    cache_write: Usd | None = None
    """Prompt tokens written to the cache; None: as ``input``."""
    per_request: Usd = Decimal(0)
    """US dollars for each call."""

    @property
    def dearest_prompt(self) -> Decimal:
        """The most that a million prompt tokens can cost."""
        return max(self.input, self.cached_input or self.input, self.cache_write or self.input)


class Band(_Priced):
    """Rates for calls whose whole prompt is larger than ``above_input_tokens``."""

    above_input_tokens: Annotated[int, Field(ge=1)]
    rates: Rates


def _banded(rates: Rates, bands: Iterable[Band], input_tokens: int) -> Rates:
    """The rates of the highest band that the prompt exceeds, else the standard ones."""
    fitting = [band for band in bands if input_tokens > band.above_input_tokens]
    return max(fitting, key=lambda band: band.above_input_tokens).rates if fitting else rates


class OffPeak(_Priced):
    """Rates inside a daily window; start is inside, end is outside, and it may wrap midnight.

    The clock on the wall of its zone decides. Where clocks go forward, a window that begins in the hour left out opens
    with the next hour; where they go back, an hour that comes twice is inside, or outside, both times.
    """

    start: Clock
    end: Clock
    """Equal to ``start``: the whole day."""
    weekdays: tuple[Annotated[int, Field(ge=0, le=6)], ...] = (0, 1, 2, 3, 4, 5, 6)
    """Days on which the window starts; Monday is 0."""
    zone: str = "UTC"
    """IANA time zone."""
    rates: Rates
    bands: tuple[Band, ...] = ()
    """Rates of larger prompts inside the window; without any, ``rates`` hold for every size."""

    @field_validator("zone")
    @classmethod
    def _zone_is_known(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"{zone!r} is no IANA time zone") from error
        return zone

    def contains(self, moment: datetime) -> bool:
        """Whether the window is open at that moment, which has to carry its offset."""
        if moment.tzinfo is None:
            raise ValueError("a moment without an offset is in no window")
        local = moment.astimezone(ZoneInfo(self.zone))
        clock = local.time().replace(tzinfo=None)
        today, yesterday = local.weekday(), (local - timedelta(days=1)).weekday()
        if self.start < self.end:
            return today in self.weekdays and self.start <= clock < self.end
        started_today = today in self.weekdays and clock >= self.start
        return started_today or (yesterday in self.weekdays and clock < self.end)


class Prices(_Priced):
    """The price table of one model, as it is frozen with a run."""

    rates: Rates
    bands: tuple[Band, ...] = ()
    off_peak: tuple[OffPeak, ...] = ()
    """The first open window counts; inside it its own bands hold, and those of the day do not."""
    source: str = ""
    """Where the prices come from, with the date."""

    def at(self, moment: datetime, input_tokens: int) -> Rates:
        """The rates of a call at that moment with a prompt of that many tokens."""
        for window in self.off_peak:
            if window.contains(moment):
                return _banded(window.rates, window.bands, input_tokens)
        return _banded(self.rates, self.bands, input_tokens)

    def tables(self) -> Iterator[Rates]:
        """Every rates that may apply to some call."""
        yield self.rates
        yield from (window.rates for window in self.off_peak)
        for bands in (self.bands, *(window.bands for window in self.off_peak)):
            yield from (band.rates for band in bands)


def usd(micro: int) -> str:
    """Micro-dollars for people: cents, and four digits that count where it is less than a dollar."""
    amount = Decimal(micro) / _PER_MILLION
    if amount == 0 or abs(amount) >= 1:
        return f"${amount:,.2f}"
    whole, _, part = f"{amount:.{min(6, 3 - amount.adjusted())}f}".rstrip("0").partition(".")
    return f"${whole}.{part:0<2}"


def cost_micro(prices: Prices | None, usage: Usage, moment: datetime) -> int | None:
    """Micro-dollars of a call, rounded half up; None where the model has no price.

    Tokens read from the cache or written to it are part of the input, and reasoning tokens part of the output: none are
    added on top.

    Args:
        prices: The table that was frozen.
        usage: What the call used.
        moment: When it was sent.
    """
    if prices is None:
        return None
    rates = prices.at(moment, usage.input_tokens)
    read = min(usage.cached_tokens, usage.input_tokens)
    written = min(usage.cache_write_tokens, usage.input_tokens - read)
    tokens = (
        (usage.input_tokens - read - written) * rates.input
        + read * (rates.input if rates.cached_input is None else rates.cached_input)
        + written * (rates.input if rates.cache_write is None else rates.cache_write)
        + usage.output_tokens * rates.output
    )
    return _micro(tokens, rates)


def _micro(tokens: Decimal, rates: Rates) -> int:
    """Micro-dollars of a call whose tokens, each times its rate a million, add up to so much; rounded half up."""
    usd = tokens / _PER_MILLION + rates.per_request
    return int((usd * _PER_MILLION).to_integral_value(ROUND_HALF_UP))


def worst_case_micro(prices: Prices | None, prompt_bytes: int, max_tokens: int) -> int | None:
    """The most a call can cost; None where the model has no price.

    A token holds at least one byte, so the bytes of a request bound its tokens. Of all rates the dearest are taken,
    with the prompt at its dearest, because the call may be sent in another window than it is reserved in.

    Args:
        prices: The table that was frozen.
        prompt_bytes: Size of the request's body.
        max_tokens: Most tokens of the answer.
    """
    if prices is None:
        return None
    tokens = prompt_bytes + PROVIDERS_OWN_TOKENS
    return max(
        _micro(tokens * rates.dearest_prompt + max_tokens * rates.output, rates)
        for rates in prices.tables()
    )
