"""One provider for the tests of this folder, forgetful between them."""

from collections.abc import AsyncIterator, Iterator

import aiohttp
import pytest

from tests.fake_provider.client import AsyncFakeProvider, FakeProvider


@pytest.fixture(scope="session")
def running_provider() -> Iterator[FakeProvider]:
    with FakeProvider.start() as provider:
        yield provider


@pytest.fixture
def provider(running_provider: FakeProvider) -> AsyncFakeProvider:
    running_provider.reset()
    return AsyncFakeProvider(running_provider)


@pytest.fixture
async def http(anyio_backend: str) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
        yield session
