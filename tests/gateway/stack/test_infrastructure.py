"""The servers that other tests stand on: reachable, durable, separate databases."""

import asyncio
from urllib.parse import urlsplit

import asyncpg
import pytest

from convo_gateway.stack.infrastructure import Infrastructure
from convo_gateway.stack.probe import answer

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


async def test_each_database_is_empty_and_apart(infrastructure: Infrastructure) -> None:
    first, second = infrastructure.create_database(), infrastructure.create_database()
    connection = await asyncpg.connect(first)
    await connection.execute("create table only_here (x int)")
    await connection.close()
    connection = await asyncpg.connect(second)
    try:
        assert await connection.fetchval("select to_regclass('only_here')") is None
        settings = {
            name: await connection.fetchval(f"show {name}")
            for name in ("fsync", "synchronous_commit", "max_connections", "server_encoding")
        }
        locale = await connection.fetchval(
            "select datlocale from pg_database where datname = current_database()"
        )
    finally:
        await connection.close()
    assert settings == {
        "fsync": "on",
        "synchronous_commit": "on",
        "max_connections": "200",
        "server_encoding": "UTF8",
    }
    assert locale == "C.UTF-8"


async def test_a_wrong_password_is_refused(infrastructure: Infrastructure) -> None:
    url = infrastructure.create_database()
    user = infrastructure.env("gateway")["CONVO_DATABASE_URL"]
    assert "convo@" in user  # no password in what services get
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(url, password="wrong")


async def test_nats_refuses_a_wrong_password(infrastructure: Infrastructure) -> None:
    where = urlsplit(infrastructure.nats_url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(b'CONNECT {"user":"gateway","pass":"wrong","verbose":false}\r\nPING\r\n')
    said = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert b"Authorization Violation" in said


async def test_the_log_is_synced_before_it_is_acknowledged(infrastructure: Infrastructure) -> None:
    status, body = await answer(f"{infrastructure.monitor_url}/varz", timeout_s=60)
    assert status == 200
    assert b'"sync_always": true' in body
    assert b'"max_payload": 2097152' in body
