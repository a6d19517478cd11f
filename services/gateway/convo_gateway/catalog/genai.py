"""Price tables from genai-prices, the seed of a backend's prices, from the data in the package: no network."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal

from genai_prices import __version__
from genai_prices.data_snapshot import find_provider_by_id, get_snapshot
from genai_prices.types import (
    ModelInfo,
    ModelPrice,
    Provider,
    TieredPrices,
    TimeOfDateConstraint,
)

from convo_events.prices import Band, OffPeak, Prices, Rates

LIST = f"genai-prices {__version__}"
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Listed:
    """A model in the list, with its standard prices."""

    provider: str
    model: str
    """Its id in the list, which stands for all its names."""
    prices: Prices
    context_tokens: int | None
    note: str
    """What the list remarks on the prices."""


@dataclass(frozen=True, slots=True)
class _Hours:
    """Prices that hold from one time of day to another, in UTC."""

    start: time
    end: time
    price: ModelPrice


def prices_from_genai(model: str, at: datetime, *, provider: str = "openai") -> Prices | None:
    """The standard prices of a model at a moment, with their source and date; None where the package has none.

    Args:
        model: Name of the model as it is requested.
        at: Moment for which the prices are wanted; prices that change on a date follow it.
        provider: Id of the provider in genai-prices.
    """
    found = listed(model, at, provider=provider)
    return None if found is None else found.prices


def listed(model: str, at: datetime, *, provider: str | None = None) -> Listed | None:
    """The model as the list has it at a moment; None where it has none of that name, or no prices for it.

    Args:
        model: Name of the model as it is requested; ``provider/model`` names both.
        at: Moment for which the prices are wanted.
        provider: Id of the provider, or None for the one that the name is known of.
    """
    for owner, name in _candidates(model[:_LONGEST].strip(), provider):
        known = owner.find_model(name.lower(), all_providers=get_snapshot().providers)
        if known is not None and (prices := _prices(owner, known, at)) is not None:
            return Listed(
                provider=owner.id,
                model=known.id,
                prices=prices,
                context_tokens=known.context_window,
                note=known.price_comments or "",
            )
    return None


def close_names(model: str, provider: str | None = None, most: int = 8) -> list[str]:
    """Names in the list that are like this one, as ``provider/model``, the closest first."""
    wanted = model[:_LONGEST].lower().rpartition("/")[2]
    # Who makes models comes before who resells them.
    owners = sorted(
        (one for one in get_snapshot().providers if provider is None or one.id == provider),
        key=lambda owner: owner.model_match is None,
    )
    names: dict[str, str] = {}
    for owner in owners:
        for known in owner.models:
            names.setdefault(known.id.lower().rpartition("/")[2], f"{owner.id}/{known.id}")
    inside = [name for name in names if wanted and wanted in name]
    near = difflib.get_close_matches(wanted, list(names), n=most, cutoff=0.6)
    return [names[name] for name in dict.fromkeys([*near, *sorted(inside, key=len)])][:most]


def _candidates(model: str, provider: str | None) -> Iterator[tuple[Provider, str]]:
    """Who may have the model, and under which name. The list's own search would keep every name it was asked for."""
    providers = get_snapshot().providers
    if provider is not None:
        owner = find_provider_by_id(providers, provider[:_LONGEST])
        if owner is not None:
            yield owner, model
        return
    lower = model.lower()
    for owner in providers:
        if owner.model_match is not None and owner.model_match.is_match(lower):
            yield owner, model
    prefix, _, rest = model.partition("/")
    if rest and (owner := find_provider_by_id(providers, prefix)) is not None:
        yield owner, rest


def _prices(provider: Provider, model: ModelInfo, at: datetime) -> Prices | None:
    """The table of a day: the dearest hours are the standard, and all others are off-peak windows in UTC."""
    hours = _hours(model, at)
    if any(hour.price.input_mtok is None or hour.price.output_mtok is None for hour in hours):
        return None
    standard = max(hours, key=lambda hour: (_rates(hour.price, 0).output, hour.start)).price
    return Prices(
        rates=_rates(standard, 0),
        bands=_bands(standard),
        off_peak=tuple(
            OffPeak(
                start=hour.start,
                end=hour.end,
                rates=_rates(hour.price, 0),
                bands=_bands(hour.price),
            )
            for hour in hours
            if hour.price != standard
        ),
        source=f"{LIST}, {provider.id}/{model.id}, {at:%Y-%m-%d}",
    )


def _hours(model: ModelInfo, at: datetime) -> list[_Hours]:
    """The prices of a day in order of its hours, equal ones together; one entry where the hour does not matter."""
    conditions = model.prices if isinstance(model.prices, list) else []
    daily = [c.constraint for c in conditions if isinstance(c.constraint, TimeOfDateConstraint)]
    edges = sorted({_utc(edge) for one in daily for edge in (one.start_time, one.end_time)})
    if not edges:
        return [_Hours(time(0), time(0), model.get_prices(at))]
    day = at.astimezone(UTC).date()
    found: list[_Hours] = []
    for start, end in zip(edges, [*edges[1:], edges[0]], strict=True):
        price = model.get_prices(datetime.combine(day, start, UTC))
        if found and found[-1].price == price:
            found[-1] = _Hours(found[-1].start, end, price)
        else:
            found.append(_Hours(start, end, price))
    if len(found) > 1 and found[0].price == found[-1].price:
        last = found.pop()
        found[0] = _Hours(last.start, found[0].end, last.price)
    return found


def _utc(clock: time) -> time:
    """A time of day in UTC, as the list means those without an offset."""
    if clock.tzinfo is None:
        return clock
    return datetime.combine(date(2000, 1, 1), clock).astimezone(UTC).time()


def _bands(price: ModelPrice) -> tuple[Band, ...]:
    parts = (
        price.input_mtok,
        price.output_mtok,
        price.cache_read_mtok,
        price.cache_write_mtok,
    )
    starts = sorted(
        {tier.start for part in parts if isinstance(part, TieredPrices) for tier in part.tiers}
    )
    return tuple(Band(above_input_tokens=start, rates=_rates(price, start + 1)) for start in starts)


def _rates(price: ModelPrice, input_tokens: int) -> Rates:
    """The rates for a prompt of that size."""
    per_thousand = _at(price.requests_kcount, input_tokens) or Decimal(0)
    return Rates(
        input=_at(price.input_mtok, input_tokens) or Decimal(0),
        output=_at(price.output_mtok, input_tokens) or Decimal(0),
        cached_input=_at(price.cache_read_mtok, input_tokens),
        cache_write=_at(price.cache_write_mtok, input_tokens),
        per_request=per_thousand / 1000,
    )


def _at(price: Decimal | TieredPrices | None, input_tokens: int) -> Decimal | None:
    if not isinstance(price, TieredPrices):
        return price
    reached = [tier.price for tier in price.tiers if input_tokens > tier.start]
    return reached[-1] if reached else price.base
