"""One stack and one fake provider for all journeys; each test makes runs of its own in it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from tests.fake_provider.client import FakeProvider
from tests.journeys.pipeline import Pipeline, pipeline

Story = Callable[[Callable[[Pipeline], Awaitable[None]]], None]
"""Runs a coroutine function on the shared stack."""


@pytest.fixture(scope="session")
def shared_stack() -> Iterator[tuple[asyncio.Runner, Pipeline]]:
    """A stack that lives as long as the session, on an event loop of its own."""
    with FakeProvider.start() as provider, asyncio.Runner() as runner:
        context = pipeline(provider)
        running = runner.run(context.__aenter__())
        try:
            yield runner, running
        finally:
            runner.run(context.__aexit__(None, None, None))


@pytest.fixture
def story(shared_stack: tuple[asyncio.Runner, Pipeline]) -> Story:
    """Tell a story on the shared stack, with a provider that has forgotten everything before."""
    runner, running = shared_stack
    running.provider.reset()

    def tell(chapter: Callable[[Pipeline], Awaitable[None]]) -> None:
        async def whole() -> None:
            await chapter(running)

        runner.run(whole())

    return tell
