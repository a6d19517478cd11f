"""A gateway for the tests of its routes: one for each module, on a database of its own."""

from collections.abc import AsyncIterator

import pytest
from nats.aio.client import Client

from convo_events.subjects import COMMAND
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import (
    FakeScheduler,
    Served,
    client_of,
    make_streams,
    new_database,
    serving,
)


@pytest.fixture(scope="module")
async def served(infrastructure: Infrastructure) -> AsyncIterator[Served]:
    """A gateway that is ready."""
    await make_streams(infrastructure)
    database = await new_database(infrastructure)
    async with serving(infrastructure.env("gateway", database_url=database), database) as gateway:
        await gateway.until_ready()
        yield gateway


@pytest.fixture
def read_model(served: Served) -> ReadModel:
    return served.read_model


@pytest.fixture
async def scheduler(infrastructure: Infrastructure) -> AsyncIterator[FakeScheduler]:
    """A scheduler that answers as a test says."""
    client = await client_of(infrastructure, "scheduler")
    fake = FakeScheduler()
    await client.subscribe(COMMAND, cb=fake.on_command)
    await client.flush()
    yield fake
    await client.close()


@pytest.fixture
async def projector(infrastructure: Infrastructure) -> AsyncIterator[Client]:
    """A connection that may tick."""
    client = await client_of(infrastructure, "projector")
    yield client
    await client.close()
