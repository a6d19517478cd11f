"""Price tables from genai-prices, the seed of a backend's prices, from the data in the package: no network."""

from datetime import datetime
from decimal import Decimal

from genai_prices import __version__
from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import ModelPrice, TieredPrices

from convo_events.prices import Band, Prices, Rates


def prices_from_genai(model: str, at: datetime, *, provider: str = "openai") -> Prices | None:
    """The standard prices of a model at a moment, with their source and date; None where the package has none.

    Args:
        model: Name of the model as it is requested.
        at: Moment for which the prices are wanted; prices that change on a date follow it.
        provider: Id of the provider in genai-prices.
    """
    try:
        _, known = get_snapshot().find_provider_model(model, None, provider, None)
    except LookupError:
        return None
    price = known.get_prices(at)
    if price.input_mtok is None or price.output_mtok is None:
        return None
    starts = sorted(
        {
            tier.start
            for part in (price.input_mtok, price.output_mtok, price.cache_read_mtok)
            if isinstance(part, TieredPrices)
            for tier in part.tiers
        }
    )
    return Prices(
        rates=_rates(price, 0),
        bands=tuple(
            Band(above_input_tokens=start, rates=_rates(price, start + 1)) for start in starts
        ),
        source=f"genai-prices {__version__}, {provider}/{known.id}, {at:%Y-%m-%d}",
    )


def _rates(price: ModelPrice, input_tokens: int) -> Rates:
    """The rates for a prompt of that size."""
    per_thousand = _at(price.requests_kcount, input_tokens) or Decimal(0)
    return Rates(
        input=_at(price.input_mtok, input_tokens) or Decimal(0),
        output=_at(price.output_mtok, input_tokens) or Decimal(0),
        cached_input=_at(price.cache_read_mtok, input_tokens),
        per_request=per_thousand / 1000,
    )


def _at(price: Decimal | TieredPrices | None, input_tokens: int) -> Decimal | None:
    if not isinstance(price, TieredPrices):
        return price
    reached = [tier.price for tier in price.tiers if input_tokens > tier.start]
    return reached[-1] if reached else price.base
