"""The gateway serves from the first moment on: while NATS or Postgres is away it says so, and it recovers."""

import asyncio
import os
import socket
import sys
from urllib.parse import parse_qs, urlsplit, urlunsplit

import orjson
import pytest

from convo_gateway.stack.infrastructure import Infrastructure
from convo_gateway.stack.probe import answer, answers
from tests.gateway.doorway import Doorway, Line
from tests.gateway.serving import (
    PATIENCE_S,
    Served,
    eventually,
    make_streams,
    new_database,
    serving,
)

pytestmark = pytest.mark.anyio


async def status_is(served: Served, path: str, status: int) -> bool:
    return (await served.ask("GET", path)).status == status


def through(database: str, port: int) -> str:
    """The address of a database by another port."""
    parts = urlsplit(database)
    login = parts.netloc.rpartition("@")[0]
    return urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{port}", query=""))


async def connect_postgres(database: str) -> Line:
    """A line to the server of a database, by its socket or its port."""
    parts = urlsplit(database)
    if folder := parse_qs(parts.query).get("host"):
        port = parse_qs(parts.query)["port"][0]
        return await asyncio.open_unix_connection(f"{folder[0]}/.s.PGSQL.{port}")
    return await asyncio.open_connection(parts.hostname, parts.port)


async def test_it_starts_without_its_parts_and_finds_them_again(
    infrastructure: Infrastructure,
) -> None:
    await make_streams(infrastructure)
    database = await new_database(infrastructure)
    postgres = Doorway(lambda: connect_postgres(database))
    nats_port = urlsplit(infrastructure.nats_url).port
    nats = Doorway(lambda: asyncio.open_connection("127.0.0.1", nats_port))
    env = infrastructure.env("gateway", database_url=through(database, postgres.port))
    env["CONVO_NATS_URL"] = f"nats://127.0.0.1:{nats.port}"
    async with serving(env, database) as served:
        assert await status_is(served, "/healthz", 200)
        waiting = await served.ask("GET", "/readyz")
        assert waiting.status == 503
        assert set(waiting.json["missing"]) == {"nats", "postgres"}
        away = await served.get("/runs")
        assert away.problem(503, "unavailable")["part"] == "postgres"
        assert "retry-after" in away.headers

        await postgres.open()
        await eventually(lambda: status_is(served, "/api/v1/runs", 200))
        action = await served.post("/runs/run-a/actions/pause")
        assert action.problem(503, "unavailable")["part"] == "nats"
        await nats.open()
        await served.until_ready()

        await postgres.close()
        await eventually(lambda: status_is(served, "/api/v1/runs", 503))
        assert (await served.get("/runs")).problem(503, "unavailable")["part"] == "postgres"
        await nats.close()
        await eventually(lambda: status_is(served, "/readyz", 503))
        await postgres.open()
        await nats.open()
        await served.until_ready()
        assert await status_is(served, "/api/v1/runs", 200)
    await postgres.leave()
    await nats.leave()


async def test_the_process_serves_alone_and_stops_when_it_is_told() -> None:
    port = free_port()
    env = {
        "CONVO_NATS_URL": "nats://127.0.0.1:1",
        "CONVO_DATABASE_URL": "postgresql://127.0.0.1:1/convo",
        "CONVO_GATEWAY_PORT": str(port),
        "PATH": os.environ["PATH"],
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "convo_gateway", env=env, stderr=asyncio.subprocess.PIPE
    )
    try:
        await eventually(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
        # It serves before it has looked for anything; what is missing is said when it has been looked for.
        await eventually(lambda: looked_for_postgres(port))
        process.terminate()
        _, log = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, log.decode()
    told = [orjson.loads(line) for line in log.splitlines()]
    assert "postgres" in {line.get("part") for line in told}


async def looked_for_postgres(port: int) -> bool:
    _, body = await answer(f"http://127.0.0.1:{port}/readyz", PATIENCE_S)
    return b"PostgreSQL is not reachable" in body


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
