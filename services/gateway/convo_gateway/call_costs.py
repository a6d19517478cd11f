"""What calls cost on average, priced from a frozen table. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import sqrt
from statistics import fmean, stdev

from convo_events.prices import Prices
from convo_gateway.expected_calls import CallGroup

SPREAD_FEW, SPREAD_LEAST = 0.25, 0.03
"""Half width of the range around a few runs, and the least around enough of them, as shares of what is expected."""
DEVIATIONS = 2
"""Half width of the range in standard deviations between runs: about 95 in 100 runs fall inside."""
_MICRO_PER_USD = 1_000_000


def cost_of(
    prices: Prices | None, groups: Iterable[CallGroup], moments: Sequence[datetime]
) -> float:
    """Micro-dollars of calls: a dollar a million tokens is a micro-dollar a token. 0 without prices."""
    if prices is None:
        return 0.0
    return fmean(sum(_call(prices, group, at) for group in groups) for at in moments)


def _call(prices: Prices, group: CallGroup, at: datetime) -> float:
    rates = prices.at(at, round(group.input_tokens))
    read, written = group.cached_tokens, group.cache_write_tokens
    cost = (group.input_tokens - read - written) * float(rates.input)
    cost += read * float(rates.input if rates.cached_input is None else rates.cached_input)
    cost += written * float(rates.input if rates.cache_write is None else rates.cache_write)
    cost += group.output_tokens * float(rates.output)
    return group.calls * (cost + float(rates.per_request) * _MICRO_PER_USD)


def half_width(costs: Sequence[float]) -> float:
    """Half width of the range around what runs of the same size would have cost, as a share of their mean.

    Source: the prediction interval of the next value of a normal sample.
    """
    mean = fmean(costs) if costs else 0.0
    if mean == 0 or len(costs) < 2:
        return SPREAD_FEW
    return max(SPREAD_LEAST, DEVIATIONS * stdev(costs) * sqrt(1 + 1 / len(costs)) / mean)
