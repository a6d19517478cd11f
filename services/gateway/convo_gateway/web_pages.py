"""The web pages: built files, and for every other path that is not the API's the one page that shows it."""

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from convo_gateway.gateway import Gateway
from convo_gateway.gateway_settings import UiTheme
from convo_gateway.problems import HttpProblem

STATIC = Path(__file__).parent / "static"
_HASHED = "public, max-age=31536000, immutable"
_FRESH = {"Cache-Control": "no-cache"}
_INDEX = "index.html"
_MISSING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>No pages - convo</title>
<h1>The web pages are not built</h1>
<p>Build them with <code>make web</code> in the folder of the sources, and reload.
An installed wheel brings them along.</p>
<p>The API is up: <a href="/api/v1/openapi.json">its description</a>.</p>
"""


class WebPages:
    """What is answered where no route is: a page, or that there is no such path."""

    def __init__(self, folder: Path) -> None:
        """Take the folder that the pages were built into; it may be empty, and be filled later."""
        self._folder = folder
        self._hashed = StaticFiles(directory=folder / "assets", check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        path, method = scope["path"], scope["method"]
        if path == "/api" or path.startswith("/api/"):
            raise HttpProblem(404, f"The API has no path {path[:200]}.")
        if method not in ("GET", "HEAD"):
            raise HttpProblem(404, f"Only pages are here, and {method} asks for none.")
        await (await self._answer(path, scope))(scope, receive, send)

    async def _answer(self, path: str, scope: Scope) -> Response:
        if path.startswith("/assets/"):
            response = await self._hashed.get_response(path.removeprefix("/assets/"), scope)
            response.headers["Cache-Control"] = _HASHED
            return response
        name = path.removeprefix("/")
        file = self._folder / name
        named = name and "/" not in name and not name.startswith(".") and file.is_file()
        if named and name != _INDEX:
            return FileResponse(file, headers=_FRESH)
        gateway: Gateway = scope["app"].state.gateway
        return self._page(gateway.settings.ui_theme)

    def _page(self, theme: UiTheme) -> Response:
        """The page, which learns the theme of those who have not chosen one from its first line."""
        index = self._folder / _INDEX
        if not index.is_file():
            return HTMLResponse(_MISSING, 503, {"Cache-Control": "no-store"})
        themed = index.read_text().replace("<html ", f'<html data-theme="{theme}" ', 1)
        return HTMLResponse(themed, headers=_FRESH)


def add_pages(app: FastAPI, folder: Path = STATIC) -> None:
    """Answer with pages where the application has no route."""
    app.router.default = WebPages(folder)
