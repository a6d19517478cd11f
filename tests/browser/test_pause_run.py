"""Pause a run and pick it up later: by mouse, and by keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.reading import (
    COUNTERS,
    counter,
    open_first_row,
    section,
    until_it_moves,
    until_told,
)
from tests.browser.site import Site, held_from

TARGET = 24


@pytest.fixture
def run(site: Site, request: pytest.FixtureRequest) -> str:
    """A run under the name of the test: it has made some conversations, and its three threads wait for the test."""
    site.provider.program(held_from(16))
    run = site.start(name=request.node.name, target_count=TARGET)
    site.provider.until(lambda stats: (stats.requests, stats.in_flight) == (15 + 3, 3))
    return run


def ends_as_it_is_told(site: Site, page: Page, run: str) -> None:
    """Let go, the page comes to the end by itself, and shows what REST says; nothing was sent twice."""
    site.provider.program()
    site.until(run, "completed")
    expect(page.locator(".page-title .status")).to_have_text("completed")
    shows_what_is_told(site, page, run)
    told = site.send("GET", f"/api/v1/runs/{run}")
    assert told["accepted"] + told["rejected"] + told["failed"] == TARGET
    assert site.provider.stats().repeated_after_ok == {}


def shows_what_is_told(site: Site, page: Page, run: str) -> None:
    """The counters of the page are those of REST."""
    told = site.send("GET", f"/api/v1/runs/{run}")
    for name in COUNTERS:
        expect(counter(page, name)).to_have_text(str(told[name.lower()]))


def test_by_mouse(site: Site, run: str, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs")
    row = page.locator(".grid-row", has_text="test_by_mouse")
    expect(row.locator(".status")).to_have_text("running")
    row.get_by_role("link", name="test_by_mouse").click()
    expect(page).to_have_url(re.compile(f"/runs/{run}$"))
    until_it_moves(page)
    for name in ("Pause", "Kick", "Cancel"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()

    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".page-title .status")).to_have_text("paused")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.locator(".notice")).to_contain_text("Pausing: 3 model calls in flight finish")
    expect(counter(page, "ETA")).to_have_text("–")
    site.provider.program()
    expect(page.get_by_text("Pausing:")).to_have_count(0)  # what was under way is through
    site.still(run)
    shows_what_is_told(site, page, run)
    calls = site.provider.stats().requests
    bar = page.get_by_role("img", name=re.compile("accepted"))
    said = bar.get_attribute("aria-label")
    assert said
    page.reload()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    shows_what_is_told(site, page, run)
    expect(bar).to_have_accessible_name(said)
    assert site.provider.stats().requests == calls

    site.provider.program(held_from(10))
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".page-title .status")).to_have_text("running")
    ends_as_it_is_told(site, page, run)


def test_by_keyboard(site: Site, run: str, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs?q=test_by_keyboard")
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
    ends_as_it_is_told(site, page, run)


def test_pausing_shows_what_is_in_flight(site: Site, run: str, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs/{run}")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".notice")).to_contain_text("Pausing: 3 model calls in flight finish")
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Pausing:")).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    dialog = page.get_by_role("dialog", name="Cancel the run “test_pausing_shows")
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


def test_kick_says_how_many_threads(site: Site, run: str, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs/{run}")
    until_it_moves(page)
    kick = page.get_by_role("button", name="Kick")
    kick.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("every thread's next conversation again")
    kick.click()
    until_told(page, r"^(\d+ threads? sent again|No thread had an open step)$")
    ends_as_it_is_told(site, page, run)
    expect(section(page, "Events")).to_contain_text("Kicked")


def test_a_refused_command_says_why(site: Site, run: str, open_page: OpenPage) -> None:
    """The page is told of the run as it was, and nothing of its end."""
    running = site.until(run, "running")
    told = f"/api/v1/runs/{run}"
    before = site.send("GET", told)
    assert before["status"] == running["status"]
    page = open_page("about:blank", quiet=False)
    page.route_web_socket("**/live*", lambda socket: socket.close())
    page.route(f"{site.url}{told}", lambda route: route.fulfill(json=before))
    page.goto(f"{site.url}/runs/{run}")
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_be_visible()
    site.send("POST", f"{told}/actions/cancel", {"confirm": True})
    site.until(run, "cancelled")
    pause.click()
    until_told(page, f"^No pause: .*cannot pause run {run}: it is cancelled")
