"""Every page of the catalog by WCAG 2.2 AA in both themes, and on a narrow screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import until
from tests.browser.site import Site

Picture = Callable[[Page, str], None]

HOSTILE = "\u202eevil\u202c <script>alert(1)</script> {{ persona.name }} 𐍈 مرحبا"
PAGES = {
    "list": "/catalog/personas",
    "nothing": "/catalog/filter-lists",
    "prompt-set": "/catalog/prompt-sets/looked-at",
    "pool": "/catalog/pools/topics",
    "backend": "/catalog/backends/night",
    "run-config": "/catalog/run-configs/by-night",
    "yaml": "/catalog/prompt-sets/looked-at?tab=yaml",
    "uses": "/catalog/backends/night?tab=uses",
    "versions": "/catalog/prompt-sets/looked-at/versions",
    "edit-prompt-set": "/catalog/prompt-sets/looked-at/edit",
    "edit-backend": "/catalog/backends/night/edit",
    "import": "/catalog/import",
}

WIDTH = "document.documentElement.scrollWidth"
NARROW = ("list", "versions", "edit-backend")
"""Those with the most beside each other."""


@pytest.fixture(scope="module", autouse=True)
def looked_at(site: Site) -> None:
    """A prompt set of two versions with text that means harm."""
    body = {
        "name": "looked-at",
        "description": HOSTILE,
        "modes": ["dialogue"],
        "segments": {"user": HOSTILE, "assistant": "Answer.\n{% if turn %}x{% endif %}"},
        "examples": [{"name": "one", "turns": [HOSTILE, "Yes."]}],
    }
    site.send("POST", "/api/v1/prompt-sets", body)
    body["segments"] = {"user": "Ask.", "assistant": HOSTILE}
    site.send("PUT", "/api/v1/prompt-sets/looked-at", body, **{"If-Match": '"v1"'})


def test_pages(site: Site, open_page: OpenPage, picture: Picture) -> None:
    page = open_page(f"{site.url}/catalog")
    found: dict[str, list[str]] = {}
    for name, path in PAGES.items():
        page.set_viewport_size({"width": 1280, "height": 800})
        page.emulate_media(color_scheme="light")
        page.goto(site.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        found[name] = violations(page)
        picture(page, f"catalog-{name}-light")
        page.emulate_media(color_scheme="dark")
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
        found[f"{name}, dark"] = violations(page)
        picture(page, f"catalog-{name}-dark")
        page.set_viewport_size({"width": 320, "height": 700})
        if name in NARROW:
            found[f"{name}, narrow"] = violations(page)
            picture(page, f"catalog-{name}-narrow")
        until(page, lambda: page.evaluate(WIDTH) <= 320, f"{name} fits a narrow screen")
    assert {name: said for name, said in found.items() if said} == {}
