"""What machines ask: alive, ready, which version, which numbers."""

from contextlib import suppress

import orjson
from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from convo_events.errors import Unavailable
from convo_gateway.gateway import Here
from convo_gateway.measures import measure
from convo_gateway.shapes.counts import Shape

router = APIRouter(tags=["service"])


class Alive(Shape):
    """The process answers."""

    status: str
    instance: str


class Version(Shape):
    """What runs here."""

    version: str
    api: str


@router.get("/healthz")
async def get_health(here: Here) -> Alive:
    """Whether the process answers."""
    return Alive(status="alive", instance=here.settings.instance)


@router.get(
    "/readyz",
    responses={200: {"content": {"application/json": {}}}, 503: {"description": "Waiting."}},
    response_class=Response,
)
async def get_readiness(here: Here) -> Response:
    """Whether everything that the gateway needs is there."""
    missing = await here.connections.check()
    status = "waiting" if missing else "ready"
    body = {"status": status, "instance": here.settings.instance, "missing": missing}
    return Response(orjson.dumps(body), 503 if missing else 200, media_type="application/json")


@router.get("/version")
async def get_version(here: Here) -> Version:
    """What runs here."""
    return Version(version=here.version, api="v1")


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Prometheus text."}},
)
async def get_metrics(here: Here) -> Response:
    """Metrics of this process, and of all runs."""
    with suppress(Unavailable, TimeoutError):
        await measure(here)
    body = generate_latest(here.metrics.registry)
    return Response(body, headers={"Content-Type": CONTENT_TYPE_LATEST})
