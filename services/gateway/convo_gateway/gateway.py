"""What every route stands on, put together once."""

import uuid
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from convo_events.telemetry import Metrics
from convo_gateway.connections import Connections
from convo_gateway.distributions import DistributionsOfRuns
from convo_gateway.diversity import Diversity
from convo_gateway.diversity_history import DiversityHistories
from convo_gateway.exports.seats import Seats
from convo_gateway.exports.worker import ExportWorker
from convo_gateway.gateway_settings import GatewaySettings
from convo_gateway.imports.receiving import Receiving
from convo_gateway.live.hub import Hub
from convo_gateway.reads.event_tally import EventTally


@dataclass
class Gateway:
    """One gateway process."""

    settings: GatewaySettings
    metrics: Metrics
    version: str
    connections: Connections
    hub: Hub
    exports: ExportWorker
    imports: Receiving
    diversity: Diversity = field(default_factory=Diversity)
    diversity_history: DiversityHistories = field(default_factory=DiversityHistories)
    distributions: DistributionsOfRuns = field(default_factory=DistributionsOfRuns)
    tally: EventTally = field(default_factory=EventTally)
    seats: Seats = field(default_factory=Seats)


def make_gateway(settings: GatewaySettings, version: str) -> Gateway:
    """A gateway that is not connected to anything yet."""
    metrics = Metrics()
    metrics.build.labels(version, "gateway").set(1)
    connections = Connections(settings, metrics)
    hub = Hub(connections, epoch=uuid.uuid4().hex[:12], metrics=metrics)
    exports = ExportWorker(settings, connections, version)
    return Gateway(settings, metrics, version, connections, hub, exports, Receiving(connections))


def _of(request: Request) -> Gateway:
    gateway = request.app.state.gateway
    assert isinstance(gateway, Gateway)
    return gateway


Here = Annotated[Gateway, Depends(_of)]
"""The gateway, as a parameter of a route."""
