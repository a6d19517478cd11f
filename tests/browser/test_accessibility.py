"""Every page in every state by WCAG 2.2 AA, in both themes; and on a narrow screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import until_it_fits
from tests.browser.site import Site

Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def run(site: Site) -> str:
    return site.completed(name="looked at")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages(site: Site, run: str, open_page: OpenPage, picture: Picture, theme: str) -> None:
    page = open_page(f"{site.url}/runs", theme=theme)
    expect(page.get_by_role("link", name="looked at").first).to_be_visible()
    found = {"runs": violations(page)}
    picture(page, f"runs-{theme}")

    page.goto(f"{site.url}/runs?q=nothing-like-this")
    expect(page.get_by_text("No run is like that")).to_be_visible()
    found["runs without a match"] = violations(page)

    page.goto(f"{site.url}/runs?form=open")
    page.get_by_role("combobox", name="Run config").click()
    expect(page.get_by_role("option", name="dear")).to_be_visible()
    found["run configs"] = violations(page)
    page.get_by_role("option", name="dear").click()
    expect(page.get_by_role("region", name="Estimate")).to_have_attribute("aria-busy", "false")
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("button", name="Start anyway")).to_be_visible()
    found["start form"] = violations(page)
    picture(page, f"start-form-{theme}")

    page.goto(f"{site.url}/runs/{run}")
    expect(page.get_by_text("Generated")).to_be_visible()
    found["run"] = violations(page)
    picture(page, f"run-{theme}")

    page.goto(f"{site.url}/corpus?run={run}")
    expect(page.get_by_role("grid")).to_be_visible()
    found["corpus"] = violations(page)
    picture(page, f"corpus-{theme}")
    page.goto(f"{site.url}/corpus?reason=nothing-like-this")
    expect(page.locator(".empty")).to_be_visible()
    found["corpus without a match"] = violations(page)
    page.goto(f"{site.url}/corpus?run={run}")

    page.locator(".row-link").first.click()
    expect(page.locator(".turn").first).to_be_visible()
    found["conversation"] = violations(page)
    picture(page, f"conversation-{theme}")

    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    found["shortcuts"] = violations(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("Control+k")
    expect(page.get_by_label("Go to a page or a run")).to_be_visible()
    found["palette"] = violations(page)
    picture(page, f"palette-{theme}")
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_errors(site: Site, open_page: OpenPage, picture: Picture, theme: str) -> None:
    page = open_page(f"{site.url}/runs/run-none", theme=theme, quiet=False)
    expect(page.get_by_role("alert")).to_be_visible()
    assert violations(page) == []
    picture(page, f"error-{theme}")
    page.goto(f"{site.url}/corpus/run-none.0.0")
    expect(page.get_by_role("alert")).to_be_visible()
    assert violations(page) == []
    page.goto(f"{site.url}/nowhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    assert violations(page) == []
    picture(page, f"no-page-{theme}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_narrow(site: Site, run: str, open_page: OpenPage, picture: Picture, theme: str) -> None:
    page = open_page(f"{site.url}/runs", theme=theme, width=320, height=700, quiet=False)
    conversation = site.send("GET", f"/api/v1/conversations?run={run}&limit=1")["items"][0]["id"]
    found: dict[str, object] = {}
    for name, path, shown in (
        ("runs", "/runs", ".grid-row"),
        ("runs without a match", "/runs?q=nothing-like-this", ".empty"),
        ("runs-form", "/runs?form=open", ".start-fields"),
        ("run", f"/runs/{run}", ".counters"),
        ("corpus", "/corpus", ".grid-row"),
        ("corpus without a match", "/corpus?reason=nothing-like-this", ".empty"),
        ("conversation", f"/corpus/{conversation}?turn=1", ".turn"),
        ("no run", "/runs/run-none", "[role=alert]"),
        ("no page", "/nowhere", "h1"),
    ):
        page.goto(site.url + path)
        expect(page.locator(shown).first).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if said := violations(page):
            found[name] = said
        until_it_fits(page, 320)
        picture(page, f"narrow-{name.replace(' ', '-')}-{theme}")
    assert found == {}
    page.get_by_role("button", name="Open the menu").click()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Corpus").click()
    expect(page).to_have_title("Corpus - convo")
