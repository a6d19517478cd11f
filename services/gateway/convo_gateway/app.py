"""The application: routes, errors, guard, and what runs beside them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute
from starlette_compress import CompressMiddleware

from convo_events.errors import Unavailable
from convo_gateway.api_description import describe
from convo_gateway.gateway import Gateway
from convo_gateway.guard import Guard
from convo_gateway.idempotency import forget_old
from convo_gateway.imports import sources
from convo_gateway.live import socket
from convo_gateway.pages import (
    actions,
    alike,
    catalog_bulk,
    catalog_drafts,
    catalog_files,
    catalog_history,
    catalog_objects,
    config_check,
    conversations,
    export_operations,
    exports,
    health,
    imports,
    past_estimates,
    preview,
    replays,
    review_queues,
    reviews,
    rules,
    run_cap,
    run_judge,
    run_parts,
    run_table,
    runs,
    samples,
    start,
    views,
)
from convo_gateway.pages.query import only_known
from convo_gateway.problems import add_problems
from convo_gateway.web_pages import STATIC, add_pages

API = "/api/v1"
_TIDY_S = 300
"""How often old keys are forgotten, and imports whose reader is gone are broken off."""
_RESOURCES = (actions, exports, replays, run_cap, run_judge, run_parts, start)
"""Modules that add their routes to those of runs."""


def make_app(gateway: Gateway, pages: Path = STATIC) -> FastAPI:
    """The application of a gateway, with the web pages of a folder. It connects when it starts to serve."""
    app = FastAPI(
        title="convo",
        version=gateway.version,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_operation_id,
        lifespan=_lifespan,
        separate_input_output_schemas=True,
    )
    app.state.gateway = gateway
    api = APIRouter(prefix=API, dependencies=[Depends(only_known)])
    assert all(module.router is runs.router for module in _RESOURCES)
    api.include_router(runs.router)
    api.include_router(run_table.router)
    api.include_router(conversations.router)
    api.include_router(alike.router)
    api.include_router(reviews.one)
    api.include_router(reviews.router)
    api.include_router(review_queues.router)
    api.include_router(views.router)
    api.include_router(samples.router)
    api.include_router(imports.router)
    api.include_router(export_operations.router)
    api.include_router(rules.router)
    api.include_router(config_check.router)
    api.include_router(preview.router)
    api.include_router(past_estimates.router)
    for router in (
        *catalog_objects.routers,
        *catalog_history.routers,
        *catalog_bulk.routers,
        catalog_files.router,
        catalog_drafts.prompt_sets,
        catalog_drafts.router,
    ):
        api.include_router(router)
    app.include_router(api)
    app.include_router(socket.router, prefix=API)
    app.include_router(health.router)
    add_pages(app, pages)
    add_problems(app)
    describe(app)
    app.add_middleware(CompressMiddleware)
    app.add_middleware(Guard, hosts=gateway.settings.hosts())
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Keep the connections, the topics and the table of keys for as long as the application serves."""
    gateway: Gateway = app.state.gateway
    tasks = [
        asyncio.create_task(gateway.connections.keep(gateway.hub.on_tick)),
        asyncio.create_task(gateway.hub.run()),
        asyncio.create_task(gateway.exports.run()),
        asyncio.create_task(_tidy(gateway)),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _tidy(gateway: Gateway) -> None:
    while True:
        await asyncio.sleep(_TIDY_S)
        with suppress(Unavailable):
            async with gateway.connections.database() as c:
                await forget_old(c)
                await sources.sweep(c)
