"""What every request passes: host, origin, size, request id, headers; and errors that say nothing they should not."""

import logging
from collections.abc import AsyncIterator

import aiohttp
import pytest
from fastapi import FastAPI, Request
from starlette.types import Message
from yarl import URL

from convo_gateway.guard import MAX_BODY_BYTES, Guard
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


async def test_problems_have_one_shape(served: Served) -> None:
    document = (await served.get("/nothing-here")).problem(404, "not-found")
    assert document["instance"] == "/api/v1/nothing-here"
    (await served.ask("DELETE", "/api/v1/runs")).problem(405, "method-not-allowed")
    json = {"Content-Type": "application/json"}
    (await served.post("/runs", data=b"{", headers=json)).problem(400, "malformed")
    plain = {"Content-Type": "text/plain"}
    (await served.post("/runs", data=b"{}", headers=plain)).problem(415, "not-json")
    wrong = await served.post("/runs", json={"config": "UPPER", "target_count": "7", "tpyo": 1})
    pointers = {error["pointer"] for error in wrong.problem(422, "invalid")["errors"]}
    assert pointers == {"/config", "/target_count", "/tpyo"}


async def test_request_id_is_kept_or_made(served: Served) -> None:
    named = await served.get("/runs", headers={"X-Request-Id": "abc-1"})
    assert named.headers["x-request-id"] == "abc-1"
    forged = await served.get("/runs", headers={"X-Request-Id": "a b<script>"})
    assert len(forged.headers["x-request-id"]) == 32


async def test_security_headers_are_everywhere(served: Served) -> None:
    for path in ("/", "/api/v1/runs", "/api/v1/nothing"):
        headers = (await served.ask("GET", path)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


async def test_a_foreign_host_is_not_served(served: Served) -> None:
    foreign = await served.get("/runs", headers={"Host": "evil.example"})
    foreign.problem(421, "unknown-host")
    assert (await served.get("/runs", headers={"Host": "localhost:1"})).status == 200
    assert (await served.get("/runs", headers={"Host": "[::1]:8420"})).status == 200
    health = await served.ask("GET", "/healthz", headers={"Host": "10.0.0.7"})
    assert health.status == 200


async def test_a_foreign_page_may_not_ask(served: Served) -> None:
    for origin in ("https://evil.example", "null", "http://localhost:9", "http://"):
        answer = await served.get("/runs", headers={"Origin": origin})
        answer.problem(403, "foreign-origin")
    own = await served.get("/runs", headers={"Origin": served.url})
    assert own.status == 200


async def test_a_foreign_page_gets_no_socket(served: Served) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await served.session.ws_connect(
            served.url + "/api/v1/live", headers={"Origin": "https://evil.example"}
        )
    assert refusal.value.status == 403


async def test_large_bodies_are_refused_announced_or_not(served: Served) -> None:
    json = {"Content-Type": "application/json"}
    large = b'"' + b"x" * MAX_BODY_BYTES + b'"'
    (await served.post("/runs", data=large, headers=json)).problem(413, "too-large")

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(large), 100_000):
            yield large[at : at + 100_000]

    (await served.post("/runs", data=pieces(), headers=json)).problem(413, "too-large")


async def asked(app: FastAPI, *received: Message) -> list[Message]:
    """What an application behind the guard sends to `GET /`, where so much of the request comes in."""
    sent: list[Message] = []
    coming = iter(received)

    async def receive() -> Message:
        return next(coming)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "app": app,
    }
    app.add_middleware(Guard, hosts=frozenset({"localhost"}))
    await app(scope, receive, send)
    return sent


async def test_who_leaves_while_sending_is_no_error_of_convo(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = FastAPI()
    read: list[bytes] = []

    @app.get("/")
    async def taken(request: Request) -> None:
        async for chunk in request.stream():
            read.append(chunk)

    half: Message = {"type": "http.request", "body": b"half", "more_body": True}
    with caplog.at_level(logging.INFO):
        assert await asked(app, half, {"type": "http.disconnect"}) == []
    assert read == [b"half"]
    assert {record.levelname for record in caplog.records} == {"INFO"}


async def test_a_bug_says_nothing_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    app = FastAPI()

    @app.get("/")
    async def broken() -> None:
        raise RuntimeError("password=hunter2")

    whole: Message = {"type": "http.request", "body": b"", "more_body": False}
    with caplog.at_level(logging.ERROR):
        sent = await asked(app, whole)
    assert sent[0]["status"] == 500
    assert b"hunter2" not in sent[1]["body"]
    assert b"urn:convo:problem:internal" in sent[1]["body"]
    assert "hunter2" in caplog.text


async def test_service_routes(served: Served) -> None:
    assert (await served.ask("GET", "/readyz")).json["status"] == "ready"
    assert (await served.ask("GET", "/version")).json["api"] == "v1"
    await served.read_model.run("run-measured", status="paused")
    metrics = (await served.ask("GET", "/metrics")).body
    assert b"convo_ws_clients" in metrics
    assert b'convo_runs{status="paused"} 1.0' in metrics
    description = await served.get("/openapi.json")
    assert description.json["openapi"].startswith("3.1")


HOSTILE = ("%00", "%ED%A0%80", "%F0%9F%92%A9", "..%2f..%2f", "'%20or%201=1--", "9" * 400, "%25")


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_addresses_are_no_errors_of_convo(served: Served, text: str) -> None:
    for path in (
        f"/runs/{text}",
        f"/runs/{text}/export/manifest",
        f"/conversations/{text}",
        f"/personas/{text}",
        f"/personas/ann/versions/{text}",
        f"/runs?q={text}",
        f"/runs?cursor={text}",
        f"/runs?{text}=1",
        f"/conversations?run={text}&layer={text}",
        f"/voices?q={text}&limit={text}",
    ):
        answer = await served.session.get(URL(served.url + "/api/v1" + path, encoded=True))
        assert answer.status < 500, path
        await answer.read()


@pytest.mark.parametrize(
    "body",
    [
        b'{"config": "quick", "name": "a\\u0000b"}',
        b'{"config": "quick", "name": "\\ud800"}',
        b'{"\\ud800": 1, "config": "quick"}',
        b'{"config": "quick", "seed": 1e400}',
        b'{"config": "quick", "seed": NaN}',
        b'{"config": "quick", "target_count": 99999999999999999999999999}',
        b"[" * 50_000,
        b"null",
        b"\xff\xfe",
        b"",
    ],
)
async def test_hostile_bodies_are_no_errors_of_convo(served: Served, body: bytes) -> None:
    json = {"Content-Type": "application/json"}
    for path in ("/runs", "/runs/estimate", "/personas"):
        answer = await served.post(path, data=body, headers=json)
        assert answer.status in (400, 404, 422), (path, answer.status, answer.body)
        assert answer.headers["content-type"] == "application/problem+json"
