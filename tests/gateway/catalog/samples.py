"""A small catalog for tests, and configs over it."""

from decimal import Decimal

from convo_events.catalog import (
    Backend,
    FilterList,
    Model,
    Persona,
    Pool,
    PromptSet,
    RunConfig,
    Voice,
)
from convo_events.prices import Prices, Rates
from convo_gateway.catalog.documents import Named


def prices(read: float, write: float, cached: float | None = None) -> Prices:
    """Dollars a million tokens."""
    return Prices(
        rates=Rates(
            input=Decimal(str(read)),
            output=Decimal(str(write)),
            cached_input=None if cached is None else Decimal(str(cached)),
        )
    )


def catalog(**changed: Named) -> list[Named]:
    """A prompt set, two personas, a voice, a pool, a filter list and a backend with three models."""
    objects: dict[str, Named] = {
        "prompts": PromptSet(
            name="prompts",
            modes=("dialogue", "scripted"),
            segments={
                "user": "{{ topics[:0] }}" + "u" * 400,
                "assistant": "a" * 800,
                "script": "{{ topics[:0] }}" + "s" * 1200,
                "judge": "j" * 400,
            },
        ),
        "ada": Persona(name="ada", summary="Ada counts."),
        "bo": Persona(name="bo", summary="Bo builds."),
        "plain": Voice(name="plain", style="Plain."),
        "topics": Pool(name="topics", values=("bread", "rain", "bread")),
        "words": FilterList(name="words", phrases=("as an AI",)),
        "api": Backend(
            name="api",
            base_url="http://api.example/v1",
            models=(
                Model(name="small", prices=prices(1, 4)),
                Model(name="large", prices=prices(10, 40, 1), context_tokens=4000),
                Model(name="unpriced"),
            ),
        ),
    }
    return list((objects | changed).values())


def config(**changed: object) -> RunConfig:
    """A dialogue of two turns for four conversations, judged by another model."""
    judge = {"criteria": [{"name": "good", "question": "Good?"}], "threshold": 3}
    fields: dict[str, object] = {
        "name": "small-run",
        "mode": "dialogue",
        "target_count": 4,
        "prompt_set": "prompts",
        "personas": [{"name": "ada"}, {"name": "bo"}],
        "voices": [{"name": "plain"}],
        "pools": ["topics"],
        "filter_lists": ["words"],
        "length_mix": [{"turns": [2, 2], "share": 1}],
        "roles": roles(),
        "judge": judge,
    }
    return RunConfig.model_validate(fields | changed)


def roles(
    user: str = "small", assistant: str = "small", judge: str | None = "large"
) -> dict[str, object]:
    """Roles by their models, with limits that are not reached by default."""
    chosen = {"user": user, "assistant": assistant, "judge": judge}
    return {
        role: {"backend": "api", "model": model, "max_tokens": 1000}
        for role, model in chosen.items()
        if model is not None
    }
