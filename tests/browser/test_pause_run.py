"""Pause a run and pick it up later: by mouse, and by keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.reading import (
    COUNTERS,
    counter,
    counters,
    open_first_row,
    section,
    until_it_moves,
)
from tests.browser.site import Site
from tests.fake_provider.rules import Match, Rule, Silence


def start(site: Site, name: str, target: int) -> str:
    body = {"config": "fake-config", "name": name, "target_count": target}
    return str(site.send("POST", "/api/v1/runs", body)["id"])


def ends_as_it_is_told(site: Site, page: Page, run: str, target: int) -> None:
    """The page comes to the end by itself, and shows what REST says; nothing was sent twice."""
    site.until(run, "completed")
    expect(page.locator(".page-title .status")).to_have_text("completed")
    told = site.send("GET", f"/api/v1/runs/{run}")
    for name in COUNTERS:
        expect(counter(page, name)).to_have_text(str(told[name.lower()]))
    assert told["accepted"] + told["rejected"] + told["failed"] == target
    assert site.provider.stats().repeated_after_ok == {}


@pytest.fixture(autouse=True)
def slow_provider(site: Site) -> None:
    site.provider.program(latency=0.25)


def test_by_mouse(site: Site, open_page: OpenPage) -> None:
    run = start(site, "to be paused", 24)
    page = open_page(f"{site.url}/runs")
    row = page.locator(".grid-row", has_text="to be paused")
    expect(row.locator(".status")).to_have_text("running")
    row.get_by_role("link", name="to be paused").click()
    expect(page).to_have_url(re.compile(f"/runs/{run}$"))
    until_it_moves(page)
    for name in ("Pause", "Kick", "Cancel"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()

    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".page-title .status")).to_have_text("paused")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.get_by_text("Pausing:")).to_have_count(0)  # what was under way is through
    expect(counter(page, "ETA")).to_have_text("–")
    calls = site.provider.stats().requests
    stopped = counters(page)
    bar = page.get_by_role("img", name=re.compile("accepted")).get_attribute("aria-label")
    page.reload()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    assert counters(page) == stopped
    assert page.get_by_role("img", name=re.compile("accepted")).get_attribute("aria-label") == bar
    assert site.provider.stats().requests == calls

    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".page-title .status")).to_have_text("running")
    ends_as_it_is_told(site, page, run, 24)


def test_by_keyboard(site: Site, open_page: OpenPage) -> None:
    run = start(site, "by keys", 24)
    page = open_page(f"{site.url}/runs?q=by+keys")
    open_first_row(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    until_it_moves(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Enter")
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_focused()  # it is the same button
    expect(page.locator(".page-title .status")).to_have_text("paused")
    page.keyboard.press("Shift+P")
    expect(page.locator(".page-title .status")).to_have_text("running")
    ends_as_it_is_told(site, page, run, 24)


def test_pausing_shows_what_is_in_flight(site: Site, open_page: OpenPage) -> None:
    site.provider.program(Rule(Match(model="writer"), Silence(), times=2), latency=0.05)
    run = start(site, "stuck calls", 12)
    site.provider.until(lambda stats: stats.in_flight == 2)
    page = open_page(f"{site.url}/runs/{run}")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".notice")).to_contain_text("Pausing: 2 model calls in flight finish")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Pausing:")).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    dialog = page.get_by_role("dialog", name="Cancel the run “stuck calls”?")
    expect(dialog).to_contain_text("in flight are aborted")
    expect(dialog).to_contain_text("for good")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Cancel the run").click()
    site.until(run, "cancelled")
    expect(page.locator(".page-title .status")).to_have_text("cancelled")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_kick_says_how_many_threads(site: Site, open_page: OpenPage) -> None:
    run = start(site, "to be kicked", 24)
    page = open_page(f"{site.url}/runs/{run}")
    until_it_moves(page)
    kick = page.get_by_role("button", name="Kick")
    kick.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("every thread's next conversation again")
    kick.click()
    expect(
        page.get_by_text(re.compile(r"^(\d+ threads? sent again|No thread had)"))
    ).to_be_visible()
    ends_as_it_is_told(site, page, run, 24)
    expect(section(page, "Events")).to_contain_text("Kicked")


def test_a_refused_command_says_why(site: Site, open_page: OpenPage) -> None:
    run = start(site, "too late", 24)
    page = open_page("about:blank", quiet=False)
    page.route_web_socket("**/live*", lambda socket: socket.close())
    page.clock.install()
    page.goto(f"{site.url}/runs/{run}")
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    site.send("POST", f"/api/v1/runs/{run}/actions/cancel", {"confirm": True})
    site.until(run, "cancelled")
    pause.click()
    toast = page.get_by_role("alert").filter(has_text="No pause")
    expect(toast).to_contain_text(f"cannot pause run {run}: it is cancelled")
