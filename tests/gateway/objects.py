"""A small catalog for tests: everything that one run config needs."""

from typing import Any

import asyncpg

from convo_events.catalog import KINDS
from convo_gateway.catalog import store
from convo_gateway.catalog.documents import Named

RATES = {"rates": {"input": 1, "output": 4}}
OFF_PEAK = {"start": "00:00", "end": "00:00", "rates": {"input": 0.5, "output": 2}}


def config(name: str = "quick", **changes: Any) -> dict[str, Any]:
    """A scripted run config on backend ``api``."""
    return {
        "name": name,
        "mode": "scripted",
        "target_count": 10,
        "seed": 7,
        "threads": 4,
        "prompt_set": "scripts",
        "personas": [{"name": "pat"}],
        "voices": [{"name": "plain"}],
        "length_mix": [{"turns": [2, 4], "share": 1}],
        "roles": {"assistant": {"backend": "api", "model": "large"}},
    } | changes


def backend(name: str = "api", prices: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "base_url": "https://api.example/v1",
        "models": [{"name": "large", "prices": RATES if prices is None else prices}],
    }


async def add(url: str, kind: str, *bodies: dict[str, Any]) -> None:
    connection = await asyncpg.connect(url)
    try:
        for body in bodies:
            item = KINDS[kind].model_validate(body)
            assert isinstance(item, Named)
            await store.put(connection, item)
    finally:
        await connection.close()


async def add_basics(url: str) -> None:
    """Prompt set, persona, voice, and two backends: ``api`` and ``unpriced``."""
    script = "Write {{ turns }} turns between {{ persona.name }} and an assistant."
    prompts = {"name": "scripts", "modes": ["scripted"], "segments": {"script": script}}
    unpriced = backend("unpriced")
    del unpriced["models"][0]["prices"]
    await add(url, "prompt-sets", prompts)
    await add(url, "personas", {"name": "pat", "summary": "Someone."})
    await add(url, "voices", {"name": "plain", "style": "Plain."})
    await add(url, "backends", backend(), unpriced)
