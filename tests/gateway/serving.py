"""A gateway on a real socket inside the test's own loop, and what it talks to."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import asyncpg
import orjson
import uvicorn
from nats.aio.client import Client
from nats.aio.msg import Msg

from convo_events.migrate import migrate_database
from convo_events.streams import create_streams
from convo_gateway.gateway_settings import GatewaySettings
from convo_gateway.server import server_for
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.read_model import ReadModel

API = "/api/v1"
PATIENCE_S = 120.0
"""How long a test waits for what has to come: far longer than it takes on a slow machine that stalls."""


@dataclass
class Answer:
    """An HTTP answer, read whole."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)

    def problem(self, status: int, code: str) -> Any:
        """The problem document, after checking what every problem has."""
        assert (self.status, self.headers["content-type"]) == (status, "application/problem+json")
        document = self.json
        assert document["type"] == f"urn:convo:problem:{code}", document
        assert document["status"] == status
        assert document["request_id"] == self.headers["x-request-id"]
        assert b"Traceback" not in self.body
        return document


class Served:
    """A running gateway and a client of it."""

    def __init__(self, url: str, session: aiohttp.ClientSession, read_model: ReadModel) -> None:
        self.url = url
        self.session = session
        self.read_model = read_model

    async def ask(self, method: str, path: str, **options: Any) -> Answer:
        async with self.session.request(method, self.url + path, **options) as reply:
            headers = {name.lower(): value for name, value in reply.headers.items()}
            return Answer(reply.status, headers, await reply.read())

    async def get(self, path: str, **options: Any) -> Answer:
        return await self.ask("GET", API + path, **options)

    async def post(self, path: str, **options: Any) -> Answer:
        return await self.ask("POST", API + path, **options)

    async def until_ready(self) -> None:
        await eventually(lambda: self._is_ready())

    async def _is_ready(self) -> bool:
        return (await self.ask("GET", "/readyz")).status == 200


async def eventually(claim: Callable[[], Any], within_s: float = PATIENCE_S) -> None:
    """Wait until a claim (a function that gives an awaitable) holds."""
    async with asyncio.timeout(within_s):
        while not await claim():
            await asyncio.sleep(0.02)


async def new_database(infrastructure: Infrastructure) -> str:
    url = infrastructure.create_database()
    connection = await asyncpg.connect(url)
    try:
        await migrate_database(connection)
    finally:
        await connection.close()
    return url


async def client_of(infrastructure: Infrastructure, user: str) -> Client:
    client = Client()
    await client.connect(
        infrastructure.nats_url,
        user=user,
        password=infrastructure.nats_password(user),
        inbox_prefix=f"_INBOX_{user}".encode(),
    )
    return client


async def make_streams(infrastructure: Infrastructure) -> None:
    migrator = await client_of(infrastructure, "migrator")
    try:
        await create_streams(migrator)
    finally:
        await migrator.close()


@asynccontextmanager
async def serving(env: dict[str, str], database: str) -> AsyncIterator[Served]:
    """A gateway with this environment, on a port of its own; it may still be waiting for its parts."""
    settings = GatewaySettings.from_env(env | {"CONVO_GATEWAY_PORT": "0"})
    server = server_for(settings)
    task = asyncio.create_task(server.serve())
    try:
        await eventually(lambda: _started(server))
        port = server.servers[0].sockets[0].getsockname()[1]
        async with aiohttp.ClientSession() as session:
            yield Served(f"http://127.0.0.1:{port}", session, ReadModel(database))
    finally:
        server.should_exit = True
        await task


async def _started(server: uvicorn.Server) -> bool:
    return server.started


@dataclass
class FakeScheduler:
    """Answers commands as a test says, and remembers them."""

    commands: list[dict[str, Any]] = field(default_factory=list)
    reply: Callable[[dict[str, Any]], Any] | None = None

    async def on_command(self, message: Msg) -> None:
        command = orjson.loads(message.data)
        self.commands.append(command)
        assert self.reply is not None, "no answer was prepared"
        answer = await self.reply(command)
        if answer is not None:
            await message.respond(orjson.dumps({"run": command["run"]} | answer))
