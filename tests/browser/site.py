"""A whole stack with its gateway for browser tests, on a thread of its own: Playwright keeps the main one."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, TypeVar

import aiohttp

from convo_events.catalog import CatalogObject
from convo_events.prices import OffPeak, Prices, Rates
from convo_events.subjects import LOG_STREAM
from convo_gateway.stack.plan import GATEWAY
from tests.fake_provider.client import FakeProvider
from tests.fake_provider.rules import Held, Match, Rule, Window
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import PATIENCE_S, SERVICES, Pipeline, pipeline

T = TypeVar("T")


class Loop:
    """An event loop that runs on a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="site")
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], timeout_s: float = 2 * PATIENCE_S) -> T:
        """What the coroutine comes back with."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result(timeout_s)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@dataclass
class Site:
    """Where the pages are, and what stands behind them."""

    url: str
    loop: Loop
    pipeline: Pipeline
    provider: FakeProvider

    def runs(self) -> list[dict[str, Any]]:
        """Every run that the read model has."""
        return self.loop.run(self.pipeline.all("select * from run_view order by planned_at"))

    def until(self, run: str, status: str) -> dict[str, Any]:
        """The run as soon as it has the status."""
        return self.loop.run(self.pipeline.until(run, lambda view: view["status"] == status))

    def start(self, **wanted: object) -> str:
        """Start a run, of `fake-config` unless told otherwise; its id, when the read model has it."""
        run = str(self.send("POST", "/api/v1/runs", {"config": "fake-config"} | wanted)["id"])
        self.loop.run(self.pipeline.until(run, lambda view: True))
        return run

    def completed(self, **wanted: object) -> str:
        """Start a run; its id, when it is through."""
        run = self.start(**wanted)
        self.until(run, "completed")
        return run

    def still(self, run: str) -> dict[str, Any]:
        """The run when all that was under way has come in and been counted, such as after a pause."""
        return self.loop.run(_still(self.pipeline, run))

    def clear(self) -> None:
        """End every run that is not over, and have the provider forget what it was asked for."""
        self.loop.run(_end_all(self.pipeline))
        self.provider.reset()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Ask the API; the JSON it answers with."""
        return self.loop.run(_ask(self.url + path, method, body, headers))


def held_from(call: int) -> Rule:
    """Calls from that one on are answered with the next program: until then the run goes on for sure."""
    return Rule(Match(window=Window(first=call)), Held())


async def _still(pipeline: Pipeline, run: str) -> dict[str, Any]:
    await pipeline.booked(run)
    await pipeline.idle()
    info = await pipeline.client.jetstream(timeout=30).stream_info(LOG_STREAM)
    while await pipeline.one("select max(seq) from fold_cursor") < info.state.last_seq:
        await asyncio.sleep(0.05)
    return await pipeline.view(run)


async def _end_all(pipeline: Pipeline) -> None:
    open_runs = "select run from run_view where status not in ('completed', 'cancelled', 'failed')"
    for row in await pipeline.all(open_runs):
        await pipeline.control(row["run"], "cancel")  # refused where it has just ended by itself
        await pipeline.ended(row["run"])


async def _ask(url: str, method: str, body: Any, headers: dict[str, str]) -> Any:
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, url, json=body, headers=headers) as reply,
    ):
        assert reply.status < 300, await reply.text()
        return await reply.json()


@contextmanager
def a_site() -> Iterator[Site]:
    """A stack with a gateway, and the run configs `fake-config`, `dear` and `by-night` in its catalog."""
    loop = Loop()
    try:
        with FakeProvider.start() as provider:
            context = pipeline(provider, services=(*SERVICES, GATEWAY))
            running = loop.run(context.__aenter__())
            try:
                site = Site(running.stack.gateway_url, loop, running, provider)
                _fill_catalog(site)
                yield site
            finally:
                loop.run(context.__aexit__(None, None, None))
    finally:
        loop.close()


def _fill_catalog(site: Site) -> None:
    made = snapshot(6, threads=3, timeout_s=600)
    soon = datetime.now(UTC) + timedelta(hours=2)
    night = OffPeak(
        start=soon.time().replace(second=0, microsecond=0),
        end=(soon + timedelta(hours=2)).time().replace(second=0, microsecond=0),
        rates=Rates(input=Decimal("1"), output=Decimal("4")),
    )
    night_backend = made.backends[0].model_copy(
        update={
            "name": "night",
            "models": tuple(
                model.model_copy(
                    update={"prices": Prices(rates=model.prices.rates, off_peak=(night,))}
                )
                for model in made.backends[0].models
                if model.prices
            ),
        }
    )
    config = made.config
    roles = config.roles.model_copy(
        update={
            name: role.model_copy(update={"backend": "night"})
            for name in ("user", "assistant", "judge")
            if (role := getattr(config.roles, name))
        }
    )
    for kind, items in {
        "personas": made.personas,
        "voices": made.voices,
        "pools": made.pools,
        "prompt-sets": (made.prompt_set,),
        "backends": (*made.backends, night_backend),
        "run-configs": (
            config,
            config.model_copy(update={"name": "dear", "confirm_above_usd": 0.0001}),
            config.model_copy(update={"name": "by-night", "roles": roles}),
        ),
    }.items():
        for item in items:
            assert isinstance(item, CatalogObject)
            site.send("POST", f"/api/v1/{kind}", item.model_dump(mode="json"))
