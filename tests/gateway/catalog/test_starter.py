"""What comes with convo is whole: every object reads, every config freezes, every prompt renders to a sane size."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from genai_prices import __version__
from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import TimeOfDateConstraint

from convo_events.catalog import Backend, Pool, PromptSet, RunConfig
from convo_events.plan import draw
from convo_gateway.catalog.documents import Named, kind_of
from convo_gateway.catalog.freeze import Frozen, freeze, lookup_in
from convo_gateway.catalog.genai import prices_from_genai
from convo_gateway.catalog.starter import starter_objects
from convo_models.prompts import render

MAKING = ("local-demo", "local-sessions", "api-starter", "api-script", "api-sessions", "api-typed")
CONFIGS = (*MAKING, "clean-import")


@pytest.fixture(scope="module")
def objects() -> list[Named]:
    return starter_objects()


def frozen(objects: list[Named], name: str) -> Frozen:
    config = next(o for o in objects if isinstance(o, RunConfig) and o.name == name)
    return freeze(config, 1, lookup_in(objects))


def test_there_is_enough_to_draw_from(objects: list[Named]) -> None:
    kinds = Counter(kind_of(item) for item in objects)
    assert kinds["personas"] >= 40
    assert kinds["voices"] == 8
    pools = {item.name: item for item in objects if isinstance(item, Pool)}
    distinct = {name: len(set(pool.values)) for name, pool in pools.items()}
    assert distinct["topics"] >= 60
    assert min(distinct["openings"], distinct["goals"]) >= 30


@pytest.mark.parametrize("name", CONFIGS)
def test_every_config_freezes(objects: list[Named], name: str) -> None:
    found = frozen(objects, name)
    warned = {warning.pointer for warning in found.warnings}
    # The demo has one small model for everything, and says so in its description.
    assert warned == ({"/roles/judge/model"} if name == "local-demo" else set())


@pytest.mark.parametrize("name", MAKING)
def test_prompts_of_fifty_draws_stay_in_bounds(objects: list[Named], name: str) -> None:
    snapshot = frozen(objects, name).snapshot
    most_words = 120 if name == "local-demo" else 900
    plans = [
        draw(snapshot, thread, turn)
        for thread in range(snapshot.lanes)
        for turn in range(snapshot.quota(thread))
    ]
    for plan in plans[:50]:
        for segment in snapshot.prompt_set.segments:
            text = render(snapshot, segment, plan, plan.turns)
            assert 2 < len(text.split()) <= most_words, segment
            assert "{" not in text
            assert "None" not in text


def test_cleaning_an_import_calls_no_model(objects: list[Named]) -> None:
    snapshot = frozen(objects, "clean-import").snapshot
    assert snapshot.models() == ()
    judge = next(o for o in objects if isinstance(o, PromptSet) and o.name == "imported-chats")
    assert set(judge.segments) == {"judge"}
    assert "{" not in judge.segments["judge"], "nobody is drawn, so there is nothing to put in"


def test_the_last_message_of_the_user_is_announced(objects: list[Named]) -> None:
    snapshot = frozen(objects, "api-starter").snapshot
    plan = draw(snapshot, 0, 0)
    last = render(snapshot, "user", plan, plan.turns - 1)
    assert "last message" in last
    if plan.turns > 2:
        assert "last message" not in render(snapshot, "user", plan, 1)


def test_examples_alternate_and_end_with_the_assistant(objects: list[Named]) -> None:
    for prompt_set in (item for item in objects if isinstance(item, PromptSet)):
        assert 2 <= len(prompt_set.examples) <= 3
        assert all(len(example.turns) % 2 == 0 for example in prompt_set.examples)


def test_prices_stand_as_genai_prices_has_them(objects: list[Named]) -> None:
    openai = next(o for o in objects if isinstance(o, Backend) and o.name == "openai")
    for model in openai.models:
        assert model.prices is not None
        day = datetime.strptime(model.prices.source[-10:], "%Y-%m-%d").replace(tzinfo=UTC)
        if not model.prices.source.startswith(f"genai-prices {__version__},"):
            continue  # A newer package may have corrected what this one was seeded from.
        seeded = prices_from_genai(model.name, day)
        assert seeded is not None
        assert (seeded.rates, seeded.bands) == (model.prices.rates, model.prices.bands)


def test_prices_come_with_bands_where_a_provider_has_them() -> None:
    prices = prices_from_genai(
        "gemini-2.5-pro", datetime(2026, 11, 1, tzinfo=UTC), provider="google"
    )
    assert prices is not None
    (band,) = prices.bands
    assert band.above_input_tokens == 200_000
    assert band.rates.input == 2 * prices.rates.input


def test_prices_come_with_what_writing_to_the_cache_costs() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    prices = prices_from_genai("claude-sonnet-4-6", at, provider="anthropic")
    assert prices is not None
    assert prices.rates.cache_write == prices.rates.input * Decimal("1.25")
    (band,) = prices.bands
    assert band.rates.cache_write == 2 * prices.rates.cache_write


def test_hours_with_another_price_become_off_peak_windows() -> None:
    """Whatever the hour of the import, and whether the list names the dear hours or the cheap ones."""
    day = datetime(2026, 11, 2, tzinfo=UTC)
    moments = [day + timedelta(minutes=15 * n) for n in range(96)]
    hourly = [
        (provider.id, model)
        for provider in get_snapshot().providers
        for model in provider.models
        if isinstance(model.prices, list)
        and any(isinstance(one.constraint, TimeOfDateConstraint) for one in model.prices)
    ]
    for provider, model in hourly:
        for imported in (moments[0], moments[13], moments[70]):
            prices = prices_from_genai(model.id, imported, provider=provider)
            assert prices is not None
            assert prices.off_peak
            for moment in moments:
                listed, ours = model.get_prices(moment), prices.at(moment, 10)
                assert (ours.input, ours.output) == (listed.input_mtok, listed.output_mtok)
                assert ours.output <= prices.rates.output


def test_an_unknown_model_has_no_price() -> None:
    assert prices_from_genai("no-such-model", datetime(2026, 11, 1, tzinfo=UTC)) is None
