"""Other settings for a run that is through: what would flip, looked into and kept under a name."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import flip, until
from tests.browser.site import Site

WIDER = """() => [...document.querySelectorAll("main *")]
  .filter((one) => document.documentElement.scrollWidth > 320 && one.getBoundingClientRect().right > 320)
  .map((one) => one.outerHTML.slice(0, 120)).slice(0, 20)"""
"""What stands out of a page of 320 pixels."""

Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def run(site: Site) -> str:
    return site.completed(name="to try")


def test_other_settings_are_tried_looked_into_and_kept(
    site: Site, run: str, open_page: OpenPage, picture: Picture
) -> None:
    page = open_page(f"{site.url}/runs/{run}")
    page.get_by_role("link", name="Try other settings").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible()
    expect(page.get_by_role("button", name="See what flips")).to_be_disabled()

    flip(page.get_by_role("switch", name="empty_turn"))
    rule = page.locator("li.rule", has=page.get_by_role("switch", name="wrong_length"))
    rule.get_by_text("parameters, all at default").click()
    fewest = rule.get_by_label("Fewest words")
    fewest.fill("900")
    expect(page.get_by_role("status").get_by_text("empty_turn off")).to_be_visible()
    page.get_by_role("button", name="See what flips").click()

    table = page.get_by_role("table").filter(has_text="wrong_length")
    expect(table).to_be_visible()
    accepted = site.send("GET", f"/api/v1/runs/{run}")["accepted"]
    grid = page.get_by_role("grid", name="Conversations that flip")
    expect(grid).to_have_attribute("aria-rowcount", str(accepted + 1))
    expect(grid.get_by_text("accepted", exact=True).first).to_be_visible()
    expect(grid.get_by_text("wrong_length").first).to_be_visible()
    picture(page, "replay")

    grid.focus()
    page.keyboard.press("p")
    expect(page.get_by_role("region", name="Peek")).to_be_visible()
    page.keyboard.press("Escape")

    page.reload()
    expect(fewest).to_have_value("900")
    expect(grid).to_be_visible()
    page.get_by_label("Name", exact=True).fill("nine-hundred words")
    expect(page.get_by_text("Lower-case letters, digits")).to_be_visible()
    expect(page.get_by_role("button", name="Keep as verdict set")).to_be_disabled()
    page.get_by_label("Name", exact=True).fill("nine-hundred")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Kept as nine-hundred")).to_be_visible()

    page.goto(f"{site.url}/runs/{run}")
    page.get_by_role("region", name="Verdict sets").get_by_role("link", name="nine-hundred").click()
    expect(page.get_by_role("heading", name="Verdict set nine-hundred")).to_be_visible()
    expect(page.get_by_role("grid", name="Conversations that flip")).to_be_visible()
    assert site.send("GET", f"/api/v1/runs/{run}")["accepted"] == accepted

    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete verdict set").click()
    expect(page.get_by_role("heading", name="to try")).to_be_visible()
    expect(page.get_by_role("region", name="Verdict sets")).to_have_count(0)
    assert site.send("GET", f"/api/v1/runs/{run}/verdict-sets")["items"] == []


def test_what_cannot_be_is_said_at_its_field(site: Site, run: str, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs/{run}/replay", quiet=False)
    page.get_by_label("Judge threshold").fill("99")
    page.get_by_label("Near-duplicate limit").fill("0.1")
    page.get_by_role("button", name="See what flips").click()
    expect(page.get_by_text("greater than 0.3").first).to_be_visible()
    page.get_by_label("Near-duplicate limit").fill("0.5")
    page.get_by_role("button", name="See what flips").click()
    expect(page.get_by_text("not on the run's scale").first).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_read_it(
    site: Site, run: str, open_page: OpenPage, picture: Picture, theme: str
) -> None:
    page = open_page(f'{site.url}/runs/{run}/replay?with={{"threshold":5}}', theme=theme)
    page.get_by_role("button", name="See what flips").click()
    result = page.get_by_role("heading", name="Before and after")
    expect(result).to_be_visible()
    found = {"wide": violations(page)}
    picture(page, f"replay-{theme}")
    page.set_viewport_size({"width": 320, "height": 800})
    until(page, lambda: page.evaluate(WIDER) == [], "nothing stands out")
    found["narrow"] = violations(page)
    result.scroll_into_view_if_needed()
    picture(page, f"replay-narrow-{theme}")
    page.get_by_role("grid").scroll_into_view_if_needed()
    picture(page, f"replay-narrow-flips-{theme}")
    assert {name: said for name, said in found.items() if said} == {}
