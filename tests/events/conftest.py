"""A NATS with the log in it, for tests of what stands on it. Every test reads behind what others left."""

from collections.abc import AsyncIterator, Iterator

import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext

from convo_events.bus import connect
from convo_events.log import LogPublisher, log_state
from convo_events.migrate import migrate
from convo_events.settings import Settings
from convo_gateway.stack.infrastructure import Infrastructure
from tests.conftest import short_folder


@pytest.fixture(scope="session")
def log_server() -> Iterator[Infrastructure]:
    """Servers of their own: these tests fill, break and kill them."""
    with short_folder() as folder, Infrastructure(folder) as running:
        yield running


@pytest.fixture
async def settings(log_server: Infrastructure) -> Settings:
    """Settings of the migrator, who may do everything, with streams and tables in place."""
    settings = Settings.from_env(log_server.env("migrator"))
    await migrate(settings)
    return settings


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    broker = await connect(settings)
    try:
        yield broker.connection
    finally:
        await broker.stop()


@pytest.fixture
def js(client: Client) -> JetStreamContext:
    return client.jetstream(timeout=60)


@pytest.fixture
async def end(client: Client) -> int:
    """Sequence of the last event before the test."""
    return (await log_state(client)).last


@pytest.fixture
def publisher(client: Client) -> LogPublisher:
    return LogPublisher(client, patience_s=120)
