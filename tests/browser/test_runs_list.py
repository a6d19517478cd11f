"""The list of runs: ten thousand of them, walked, narrowed, sorted and kept fresh."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.axe import violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.long_list import MANY, LongList, a_list

LIVE = 45
"""Accepted of a live run after it has moved: none had that many before, and it is neither the fewest nor the most."""


@pytest.fixture(scope="module")
def many(infrastructure: Infrastructure) -> Iterator[LongList]:
    with a_list(infrastructure, MANY) as running:
        yield running


def rows(page: Page) -> int:
    return page.locator(".grid-row").count()


def active(page: Page) -> Locator:
    return page.locator('.grid-row[aria-selected="true"] .row-link')


def test_only_what_is_seen_is_in_the_page(many: LongList, open_page: OpenPage) -> None:
    page = open_page(many.url)
    grid = page.get_by_role("grid", name="Runs")
    expect(grid).to_have_attribute("aria-rowcount", str(MANY + 1))
    expect(page.get_by_text("run number 9999", exact=True)).to_be_visible()
    assert rows(page) < 80

    grid.focus()
    page.keyboard.press("End")
    page.keyboard.press("End")
    expect(page.locator('.grid-row[aria-selected="true"]')).to_be_visible()
    assert rows(page) < 80


def test_keys_walk_and_open(many: LongList, open_page: OpenPage) -> None:
    # The rows of the long list froze nothing, so parts of a run's page answer 404 there.
    page = open_page(many.url, quiet=False)
    expect(page.get_by_role("grid")).to_be_visible()
    for key in ("j", "j", "j", "k", "ArrowDown"):
        page.keyboard.press(key)
    expect(active(page)).to_have_text("run number 9997")
    page.keyboard.press("Home")
    expect(active(page)).to_have_text("run number 9999")
    for _ in range(4):
        page.keyboard.press("PageDown")
    expect(page.locator('.grid-row[aria-selected="true"]')).to_be_in_viewport()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/runs/run-09999$"))
    expect(page).to_have_title("run number 9999 - convo")


def test_filters_have_counts_and_live_in_the_address(many: LongList, open_page: OpenPage) -> None:
    page = open_page(many.url)
    page.get_by_role("button", name="running 99").click()
    expect(page).to_have_url(re.compile(r"\?status=running$"))
    matches = page.locator(".matches")
    expect(matches).to_have_text("99 of 10,000 runs")

    page.keyboard.press("/")
    expect(page.get_by_label("Search runs by name or id")).to_be_focused()
    page.keyboard.type("number 99")
    expect(page).to_have_url(re.compile(r"q=number\+99"))
    expect(matches).to_have_text(re.compile(r"^1 of \d+ runs$"))
    expect(page.locator(".row-link")).to_have_text(["run number 9900"])

    page.go_back()  # what was typed is no place of its own
    expect(page).to_have_url(re.compile(r"/runs$"))
    expect(matches).to_have_text("10,000 runs")

    page.goto(f"{many.url}/runs?status=failed,running&config=rare&sort=name")
    expect(page.get_by_role("button", name=re.compile("^failed"))).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("columnheader", name="Name")).to_have_attribute(
        "aria-sort", "ascending"
    )
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(re.compile(r"\?sort=name$"))
    expect(page.locator(".row-link").first).to_have_text("Name of run-00000")


def test_days_narrow_the_list(many: LongList, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.clock.install(time=datetime(2026, 3, 7, 23, 30, tzinfo=UTC))
    page.goto(f"{many.url}/runs")
    matches = page.locator(".matches")
    started = page.get_by_label("Started", exact=True)
    expect(matches).to_have_text("10,000 runs")
    started.select_option("Today")
    expect(page).to_have_url(re.compile(r"\?from=2026-03-07$"))
    # One run a minute since March 1, 12:00; the last of them began on March 8.
    expect(matches).to_have_text("2,080 runs match")
    started.select_option("Last 7 days")
    expect(page).to_have_url(re.compile(r"\?from=2026-03-01$"))
    expect(matches).to_have_text("10,000 runs match")
    page.reload()
    expect(started).to_have_value("week")

    started.select_option("From day to day")
    page.get_by_label("First day, UTC").fill("2026-03-02")
    page.get_by_label("Last day, UTC").fill("2026-03-03")
    expect(page).to_have_url(re.compile(r"\?from=2026-03-02&to=2026-03-03$"))
    expect(matches).to_have_text("2,880 runs match")
    page.go_back()
    expect(started).to_have_value("today")
    page.goto(f"{many.url}/runs?from=2026-02-30&to=2026-03-01")
    expect(matches).to_have_text("720 runs match")
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(re.compile(r"/runs$"))
    expect(started).to_have_value("any")


def test_columns_sort(many: LongList, open_page: OpenPage) -> None:
    page = open_page(many.url)
    header = page.get_by_role("columnheader", name="Accepted")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    expect(page.locator('[data-column="accepted"]').first).to_have_text("89")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    expect(page.locator('[data-column="accepted"]').first).to_have_text("0")
    expect(page).to_have_url(re.compile(r"\?sort=accepted$"))


def test_live_runs_are_refreshed_where_they_are(many: LongList, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.clock.install()
    page.goto(f"{many.url}/runs?config=rare")
    page.get_by_role("grid").focus()
    for _ in range(12):
        page.keyboard.press("PageDown")
    row = page.locator('.grid-row[aria-selected="true"]')
    expect(row).to_be_in_viewport()
    chosen = active(page).inner_text()
    place = page.locator(".grid").evaluate("box => box.scrollTop")
    seen = page.locator(".grid-row", has=page.locator('[data-status="running"]')).first
    number = int(seen.locator(".row-link").inner_text().removeprefix("run number "))
    many.set_run(f"run-{number:05}", accepted=LIVE)

    page.clock.fast_forward(10_500)

    fresh = page.locator(".grid-row", has_text=f"run number {number}")
    expect(fresh.locator('[data-column="accepted"]')).to_have_text(str(LIVE))
    expect(row).to_be_in_viewport()
    expect(active(page)).to_have_text(chosen)
    assert page.locator(".grid").evaluate("box => box.scrollTop") == place
    expect(page).to_have_url(re.compile(r"\?config=rare$"))


def test_a_run_started_elsewhere_comes_up(many: LongList, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.clock.install()
    page.goto(f"{many.url}/runs?config=late")
    expect(page.get_by_text("No run is like that")).to_be_visible()
    many.loop.run(many.read_model.run("run-late", config="late", status="queued"))

    page.clock.fast_forward(10_500)

    expect(page.get_by_role("link", name="Name of run-late")).to_be_visible()
    many.loop.run(many.read_model.execute("delete from run_view where run = 'run-late'"))


def test_an_empty_list_says_what_to_do(
    infrastructure: Infrastructure, open_page: OpenPage, picture: Callable[[Page, str], None]
) -> None:
    with a_list(infrastructure, 0) as nothing:
        page = open_page(nothing.url)
        expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
        picture(page, "runs-empty")
        assert violations_in_both_themes(page) == []
        page.get_by_role("button", name="Start run").click()
        page.get_by_role("combobox", name="Run config").click()
        expect(page.get_by_text("There is no run config yet")).to_be_visible()
        assert violations_in_both_themes(page) == []
        page.goto(f"{nothing.url}/corpus")
        expect(page.get_by_role("heading", name="No conversations yet")).to_be_visible()
        picture(page, "corpus-empty")
        assert violations_in_both_themes(page) == []
