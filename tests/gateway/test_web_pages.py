"""Serving the web pages: files for ever, the page afresh, and the API untouched by either."""

import asyncio
from pathlib import Path

import pytest
from httptools import parse_url
from starlette.types import Message, Receive, Scope

from convo_events.errors import Misconfigured
from convo_gateway.app import make_app
from convo_gateway.gateway import make_gateway
from convo_gateway.gateway_settings import GatewaySettings

pytestmark = pytest.mark.anyio

ONE_YEAR = "public, max-age=31536000, immutable"


class Pages:
    """An application without parts, asked in process."""

    def __init__(self, folder: Path, **env: str) -> None:
        nowhere = {
            "CONVO_NATS_URL": "nats://nowhere",
            "CONVO_DATABASE_URL": "postgresql://nowhere",
        }
        settings = GatewaySettings.from_env(nowhere | env)
        self._app = make_app(make_gateway(settings, "9.9.9"), folder)

    async def ask(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        sent: list[Message] = []
        asked = {"host": "localhost"} | headers

        told: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            if not told:
                await asyncio.Event().wait()  # it stays connected
            return told.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": parse_url(path.encode()).path.decode(),
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(k.encode(), v.encode()) for k, v in asked.items()],
            "server": ("localhost", 80),
            "client": ("127.0.0.1", 1),
        }
        as_receive: Receive = receive
        await self._app(scope, as_receive, send)
        start, *bodies = sent
        found = {k.decode().lower(): v.decode() for k, v in start["headers"]}
        return start["status"], found, b"".join(m.get("body", b"") for m in bodies)


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/index-abc.js").write_text("let a = 1;\n" * 1_000)
    (tmp_path / "index.html").write_text("<h1>convo</h1>")
    (tmp_path / "theme.js").write_text("1;")
    (tmp_path / ".sources.sha256").write_text("secret")
    return Pages(tmp_path)


@pytest.mark.parametrize("path", ["/", "/runs", "/runs/run-a?x=1", "/corpus/run-a.0.0", "/theme"])
async def test_any_path_is_a_page(pages: Pages, path: str) -> None:
    status, headers, body = await pages.ask(path)
    assert (status, body) == (200, b"<h1>convo</h1>")
    assert headers["content-type"].startswith("text/html")
    assert headers["cache-control"] == "no-cache"
    assert "script-src" not in headers["content-security-policy"]
    assert "default-src 'self'" in headers["content-security-policy"]


async def test_hashed_files_are_kept_for_ever(pages: Pages) -> None:
    status, headers, body = await pages.ask("/assets/index-abc.js")
    assert (status, headers["cache-control"]) == (200, ONE_YEAR)
    assert headers["content-type"].startswith("text/javascript")
    assert len(body) == 11_000
    status, headers, small = await pages.ask("/assets/index-abc.js", **{"accept-encoding": "br"})
    assert (status, headers["content-encoding"]) == (200, "br")
    assert len(small) < 1_000


async def test_files_beside_the_page_are_asked_for_again(pages: Pages) -> None:
    status, headers, body = await pages.ask("/theme.js")
    assert (status, body, headers["cache-control"]) == (200, b"1;", "no-cache")


@pytest.mark.parametrize("path", ["/runs", "/index.html"])
async def test_the_page_learns_its_theme(tmp_path: Path, path: str) -> None:
    (tmp_path / "index.html").write_text('<!doctype html>\n<html lang="en"><html >')
    for env, theme in ({}, "system"), ({"CONVO_UI_THEME": "dark"}, "dark"):
        status, headers, body = await Pages(tmp_path, **env).ask(path)
        assert (status, headers["cache-control"]) == (200, "no-cache")
        assert body.decode() == f'<!doctype html>\n<html data-theme="{theme}" lang="en"><html >'


def test_another_theme_is_refused() -> None:
    with pytest.raises(Misconfigured, match="CONVO_UI_THEME"):
        Pages(Path(), CONVO_UI_THEME="pink")


@pytest.mark.parametrize("path", ["/.sources.sha256", "/../pages/x", "/..%2f..%2fetc/passwd", "//"])
async def test_nothing_else_of_the_disk_is_served(pages: Pages, path: str) -> None:
    status, _, body = await pages.ask(path)
    assert (status, body) == (200, b"<h1>convo</h1>")


@pytest.mark.parametrize("path", ["/assets/gone.js", "/assets/../index.html", "/assets/%2e%2e/x"])
async def test_a_missing_file_is_no_page(pages: Pages, path: str) -> None:
    status, headers, _ = await pages.ask(path)
    assert (status, headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("path", ["/api", "/api/v1/nothing", "/api/v2/runs"])
async def test_the_api_has_no_pages(pages: Pages, path: str) -> None:
    status, headers, body = await pages.ask(path)
    assert (status, headers["content-type"]) == (404, "application/problem+json")
    assert b"not-found" in body


async def test_methods_that_pages_do_not_have_are_refused(pages: Pages) -> None:
    assert (await pages.ask("/runs", "POST"))[0] == 404
    assert (await pages.ask("/runs", "HEAD"))[0] == 200
    assert (await pages.ask("/api/v1/runs/estimate", "DELETE"))[0] == 405


async def test_without_pages_it_says_how_to_build_them(tmp_path: Path) -> None:
    bare = Pages(tmp_path / "none")
    status, headers, body = await bare.ask("/")
    assert (status, headers["cache-control"]) == (503, "no-store")
    assert b"make web" in body
    assert (await bare.ask("/assets/a.js"))[0] == 404
    assert (await bare.ask("/healthz"))[0] == 200
    assert (await bare.ask("/api/v1/openapi.json"))[0] == 200
