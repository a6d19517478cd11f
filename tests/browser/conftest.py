"""Chromium, the pages, and the stacks behind them."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import web_build
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from convo_gateway.web_pages import STATIC
from tests.browser.reading import KEEP_NOTIFICATIONS, PATIENCE_MS
from tests.browser.site import Site, a_site

SCREENSHOTS = Path(__file__).parent / "screenshots"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

OpenPage = Callable[..., Page]
"""Opens an address: `open_page(url, theme="dark", width=320)`."""


@pytest.fixture(scope="package", autouse=True)
def built_pages() -> Path:
    """The pages, built if their sources changed."""
    web_build.build()
    return STATIC


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("Browser tests need Chromium: apt-get install chromium", pytrace=False)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def site(built_pages: Path) -> Iterator[Site]:
    """A stack whose runs are paid for by the fake provider."""
    with a_site() as running:
        yield running


@pytest.fixture(autouse=True)
def cleared(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test leaves under way on the shared site ends with it, and so does what it asked of the provider."""
    used = "site" in request.fixturenames
    site: Site | None = request.getfixturevalue("site") if used else None
    yield
    if site is not None:
        site.clear()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages; at the end none of them may have complained on the console."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(
        url: str, *, theme: str = "light", width: int = 1280, height: int = 800, quiet: bool = True
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(KEEP_NOTIFICATIONS)
        # Choosers are caught from the beginning: who begins to listen right before a key is pressed may be too late.
        page.on("filechooser", lambda _: None)
        if quiet:
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console",
                lambda said: (
                    complaints.append(f"{said.text} {said.location.get('url', '')}".strip())
                    if said.type == "error"
                    else None
                ),
            )
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="package")
def picture() -> Callable[[Page, str], None]:
    """Keeps a picture of a page in a folder that git ignores, for people to look at."""
    SCREENSHOTS.mkdir(exist_ok=True)

    def take(page: Page, name: str) -> None:
        page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return take
