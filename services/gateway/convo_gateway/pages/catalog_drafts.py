"""What an editor asks for before anything is written: prompts rendered, and prices of a model."""

from collections.abc import Mapping
from typing import Annotated

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Query

from convo_events.catalog import Persona, Pool, Voice
from convo_events.clock import now
from convo_gateway.catalog import store
from convo_gateway.catalog.genai import LIST, close_names, listed
from convo_gateway.draft_prompts import draft_problems, draw_of, rendered, template_problems
from convo_gateway.gateway import Gateway, Here
from convo_gateway.problems import HttpProblem
from convo_gateway.shapes.catalog_drafts import DraftRender, DraftRendering, ProposedPrices

prompt_sets = APIRouter(prefix="/prompt-sets", tags=["prompt-sets"])
router = APIRouter(prefix="/catalog", tags=["catalog"])
_two_at_once = CapacityLimiter(2)


@prompt_sets.post("/render")
async def render_draft(wanted: DraftRender, here: Here) -> DraftRendering:
    """The prompts that an unsaved prompt set makes, segment by segment. Nothing is written, and no model is called."""
    persona, voice, pools = await _drawn(here, wanted)
    return await to_thread.run_sync(_render, wanted, persona, voice, pools, limiter=_two_at_once)


@router.get("/prices")
async def propose_prices(
    model: Annotated[
        str, Query(min_length=1, max_length=200, description="As the backend calls it.")
    ],
    provider: Annotated[
        str | None,
        Query(min_length=1, max_length=100, description="Whose prices, such as ``openai``."),
    ] = None,
) -> ProposedPrices:
    """Prices of a model from a public list that comes with convo; a 404 has names like it in ``close``.

    A list may be behind: look the prices over before they are saved with a backend.
    """
    at = now()
    found = listed(model, at, provider=provider)
    if found is None:
        close = close_names(model, provider)
        hint = f" Close to it: {', '.join(close)}." if close else ""
        detail = f"{LIST} has no prices for {model!r}.{hint}"
        raise HttpProblem(404, detail, extra={"close": close})
    return ProposedPrices(
        model=model,
        listed_as=found.model,
        provider=found.provider,
        prices=found.prices,
        source=found.prices.source,
        at=at,
        context_tokens=found.context_tokens,
        note=found.note,
    )


async def _drawn(here: Gateway, wanted: DraftRender) -> tuple[Persona, Voice, dict[str, str]]:
    """Persona, voice and pool values, read from the catalog where they are only named.

    Raises:
        NotFound: where there is nothing of such a name.
    """
    persona, voice, pools = wanted.persona, wanted.voice, wanted.pools
    if isinstance(persona, Persona) and isinstance(voice, Voice) and isinstance(pools, Mapping):
        return persona, voice, pools
    async with here.connections.reading() as c:
        if isinstance(persona, str):
            item = (await store.latest(c, "personas", persona)).item
            assert isinstance(item, Persona)
            persona = item
        if isinstance(voice, str):
            item = (await store.latest(c, "voices", voice)).item
            assert isinstance(item, Voice)
            voice = item
        if not isinstance(pools, Mapping):
            found = [(await store.latest(c, "pools", name)).item for name in pools]
            values = [(pool.name, pool.values) for pool in found if isinstance(pool, Pool)]
            pools = {name: choice[wanted.seed % len(choice)] for name, choice in values}
    return persona, voice, pools


def _render(
    wanted: DraftRender, persona: Persona, voice: Voice, pools: dict[str, str]
) -> DraftRendering:
    return DraftRendering(
        segments=rendered(wanted, draw_of(wanted, persona, voice, pools)),
        pools=pools,
        problems=[*draft_problems(wanted.prompt_set), *template_problems(wanted, list(pools))],
    )
