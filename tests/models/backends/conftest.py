"""A fake provider, and calls through the real client and real sockets."""

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field

import aiohttp
import pytest

from convo_events.catalog import Backend, Model
from convo_models.backends.errors import BackendError
from convo_models.backends.openai_compatible import connect
from convo_models.backends.protocol import ChatReply, ChatRequest
from convo_models.backends.session import open_session
from convo_models.claim import ClaimToken
from tests.fake_provider.client import FakeProvider
from tests.fake_provider.rules import Action, Rule

REQUEST = ChatRequest(
    model="small", messages=(("user", "Say hello to the harbour."),), max_tokens=64
)


@dataclass(slots=True)
class Caller:
    """Makes calls as a service would: a fresh claim for each, on the one session."""

    session: aiohttp.ClientSession
    base_url: str
    environment: Mapping[str, str] = field(default_factory=dict)
    stream: bool = False
    timeout_s: float = 60.0
    key_env: str | None = None

    async def call(self, request: ChatRequest = REQUEST, step_key: str = "step-1") -> ChatReply:
        backend = Backend(
            name="fake",
            base_url=self.base_url,
            key_env=self.key_env,
            models=(Model(name="small"),),
            timeout_s=self.timeout_s,
            stream=self.stream,
        )
        claim = ClaimToken(step_key, 1, 1, time.monotonic(), deadline_s=600, start_within_s=600)
        return await connect(backend, self.environment, self.session).complete(request, claim)

    async def failure(self, request: ChatRequest = REQUEST) -> BackendError:
        with pytest.raises(BackendError) as caught:
            await self.call(request)
        return caught.value


@pytest.fixture(scope="session")
def running_provider() -> Iterator[FakeProvider]:
    with FakeProvider.start() as provider:
        yield provider


@pytest.fixture
def provider(running_provider: FakeProvider) -> FakeProvider:
    running_provider.reset()
    return running_provider


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with open_session() as session:
        yield session


@pytest.fixture
def caller(provider: FakeProvider, session: aiohttp.ClientSession) -> Caller:
    return Caller(session, provider.base_url)


def always(provider: FakeProvider, action: Action) -> None:
    provider.program(Rule(action=action))
