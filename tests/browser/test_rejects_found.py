"""Find out why conversations were rejected: by mouse, and by keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.reading import open_first_row, section
from tests.browser.site import Site
from tests.fake_provider.rules import Answer, Match, Rule

ACTED = "*smiles warmly* Here is what you could do about it this week, one step at a time."


@pytest.fixture(scope="module")
def run(site: Site) -> str:
    """A finished run with rejects of layers 1 and 3."""
    acts = Rule(Match(model="writer", text="helpful assistant", probability=0.4), Answer(ACTED))
    site.provider.program(acts, accept_share=0.6, seed=5)
    return site.completed(name="fewer than hoped", target_count=40)


def test_by_mouse(site: Site, run: str, open_page: OpenPage) -> None:
    told = site.send("GET", f"/api/v1/runs/{run}")
    rejects = site.send("GET", f"/api/v1/runs/{run}/rejects")
    page = open_page(f"{site.url}/runs")
    page.get_by_role("link", name="fewer than hoped").click()
    bar = page.get_by_role("img", name=f"{told['accepted']} accepted")
    expect(bar.locator('[data-verdict="accepted"]')).to_have_css(
        "background-color", "rgb(26, 127, 75)"
    )
    expect(bar.locator('[data-verdict="rejected"]')).to_be_visible()
    for name in ("Generated", "Accepted", "Rejected", "Failed"):
        expect(page.locator(f'[data-counter="{name}"] dd')).to_have_text(str(told[name.lower()]))

    rows = section(page, "Reject reasons").locator("tbody tr")
    expect(rows).to_have_count(len(rejects["reasons"]))
    for at, reason in enumerate(rejects["reasons"]):
        row = rows.nth(at)
        expect(row).to_contain_text(reason["reason"])
        expect(row.locator("td").nth(1)).to_contain_text(str(reason["layer"]))
        expect(row.locator("td").nth(2)).to_have_text(str(reason["count"]))

    last = section(page, "Last 10 rejects").get_by_role("listitem")
    expect(last).to_have_count(10)
    acted = last.filter(has_text="stage_direction").first
    acted.get_by_role("link").click()
    expect(page.locator(".recorded-reason")).to_contain_text("stage_direction")
    expect(page.locator(".turn mark").first).to_contain_text("*smiles warmly*")
    page.go_back()

    expect(section(page, "Diversity")).to_contain_text(f"{told['accepted']} of 100 conversations")
    distinct = told["produced"]["diversity"]["distinct3"]
    expect(section(page, "Diversity")).to_contain_text(f"{distinct:.3f}")
    cost = section(page, "Cost")
    expect(cost).to_contain_text("Estimate at the start")
    expect(cost).to_contain_text(re.compile(r"\d %\s?(over|under) what was spent"))

    browse = section(page, "Pipeline").get_by_role("link", name="Browse conversations")
    browse.click()
    expect(page).to_have_url(re.compile(f"/corpus\\?run={run}$"))
    expect(page.locator(".grid-row").first).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Whole run").click()
    path = download.value.path()
    assert len(path.read_text().splitlines()) == 40


def test_by_keyboard(site: Site, run: str, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs?q=fewer")
    open_first_row(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    first = section(page, "Last 10 rejects").get_by_role("link").first
    expect(first).to_be_visible()
    reasons = site.send("GET", f"/api/v1/runs/{run}/rejects")["reasons"]
    expect(section(page, "Reject reasons").locator("tbody tr")).to_have_count(len(reasons))
    for _ in range(len(reasons) + 1):
        page.keyboard.press("j")
    expect(first).to_be_focused()
    page.keyboard.press("o")
    expect(page.locator(".recorded-reason")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("button", name="Next")).to_have_attribute("aria-disabled", "false")
    address = page.url
    page.keyboard.press("]")
    expect(page).not_to_have_url(address)
    page.go_back()
    expect(page).to_have_url(address)
    page.go_back()
    expect(section(page, "Pipeline")).to_be_visible()
    section(page, "Pipeline").get_by_role("link", name="Browse conversations").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/corpus\\?run={run}$"))
