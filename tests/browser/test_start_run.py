"""Start a run and check the cost first: by mouse, and by keyboard alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.reading import choose_by_key, until_told
from tests.browser.site import Site, held_from

RUN_PAGE = re.compile(r"/runs/(run-[a-z0-9]+)$")
MOST = "10,?000,?000"
DOLLARS = re.compile(r"^\$\d[\d.,]*$")

Picture = Callable[[Page, str], None]


def config_field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Run config")


def total(page: Page) -> float:
    text = page.get_by_test_id("total").inner_text()
    assert DOLLARS.match(text), text
    return float(text[1:].replace(",", ""))


def choose(page: Page, config: str) -> None:
    config_field(page).click()
    page.get_by_role("option", name=re.compile(rf"^{config} v\d")).click()
    expect(page.get_by_role("region", name="Estimate")).to_have_attribute("aria-busy", "false")


def run_id(page: Page) -> str:
    expect(page).to_have_url(RUN_PAGE)
    found = RUN_PAGE.search(page.url)
    assert found
    return found[1]


def test_by_mouse(site: Site, open_page: OpenPage, picture: Picture) -> None:
    # What runs of a config came to moves its estimate, so this one has none.
    dear = site.send("GET", "/api/v1/run-configs/dear")["body"]
    site.send("POST", "/api/v1/run-configs", {**dear, "name": "never-run"})
    before = len(site.runs())
    page = open_page(site.url)
    expect(page.get_by_role("heading", level=1, name="Runs")).to_be_visible()

    page.get_by_role("button", name="Start run").click()
    config_field(page).click()
    option = page.get_by_role("option", name="never-run")
    expect(option).to_contain_text("v1, dialogue, 6 conversations")
    option.click()

    estimate = page.get_by_role("region", name="Estimate")
    for split in ("generation", "judge", "memory", "roughen"):
        expect(estimate.locator("dt", has_text=re.compile(f"^{split}$"))).to_be_visible()
    expect(estimate).to_contain_text("about 5 of 6")
    expect(estimate).to_contain_text("per accepted conversation")
    expect(page.get_by_text("6 in the config")).to_be_visible()
    expect(page.get_by_text("11 in the config")).to_be_visible()
    expect(estimate).to_have_attribute("aria-busy", "false")
    six = total(page)

    page.get_by_label("Target count").fill("12")
    expect(estimate).to_contain_text("of 12")
    expect(estimate).to_have_attribute("aria-busy", "false")
    assert total(page) == pytest.approx(2 * six, rel=0.01)
    picture(page, "start-form")

    page.get_by_role("button", name="Start run").click()
    warning = page.get_by_role("alert")
    expect(warning).to_contain_text("Confirm runs estimated above (USD)")
    expect(warning).to_contain_text("$0.0001")
    expect(warning).to_contain_text(page.get_by_test_id("total").inner_text())
    assert len(site.runs()) == before
    picture(page, "start-form-warning")

    page.get_by_role("button", name="Start anyway").dblclick()
    run = run_id(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator('[data-counter="Accepted"] dd')).not_to_have_text("0")
    assert site.until(run, "completed")["target"] == 12
    expect(page.locator(".page-title .status")).to_have_text("completed")
    assert len(site.runs()) == before + 1, "a double click starts one run"
    picture(page, "run")


def test_by_keyboard_alone(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs")
    expect(page.get_by_role("heading", level=1, name="Runs")).to_be_visible()
    keys = page.keyboard

    keys.press("n")
    expect(config_field(page)).to_be_focused()
    keys.type("dear")
    option = page.get_by_role("listbox").get_by_role("option")
    expect(option).to_have_count(1)
    choose_by_key(page, option)
    expect(page.get_by_test_id("total")).to_be_visible()

    keys.press("Tab")
    expect(page.get_by_label("Target count")).to_be_focused()
    keys.type("5")
    keys.press("Tab")
    expect(page.get_by_label("Run seed")).to_be_focused()
    keys.type("77")
    keys.press("Tab")
    keys.type("by hand")
    expect(page.get_by_role("region", name="Estimate")).to_contain_text("of 5")
    expect(page.get_by_role("region", name="Estimate")).to_have_attribute("aria-busy", "false")
    keys.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    keys.press("Enter")

    run = run_id(page)
    expect(page).to_have_title("by hand - convo")
    row = site.until(run, "completed")
    assert (row["name"], row["target"], row["seed"]) == ("by hand", 5, 77)


def test_any_change_takes_the_warning_back(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs?form=open")
    choose(page, "dear")
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("button", name="Start anyway")).to_be_visible()

    page.get_by_label("Run seed").fill("3")

    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("button", name="Start run")).to_be_visible()


def test_a_cheap_run_starts_at_the_first_click(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs?form=open")
    choose(page, "fake-config")
    page.get_by_role("button", name="Start run").click()

    row = site.until(run_id(page), "completed")
    assert row["target"] == 6
    expect(page.get_by_role("heading", level=1)).to_contain_text("fake-config 20")


def test_it_can_wait_for_the_off_peak_window(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs?form=open")
    choose(page, "fake-config")
    expect(page.get_by_label("Start at next off-peak window")).to_have_count(0)
    choose(page, "by-night")
    now = total(page)

    page.get_by_label("Start at next off-peak window").check()
    expect(page.get_by_role("region", name="Estimate")).to_have_attribute("aria-busy", "false")
    assert total(page) == pytest.approx(now / 2, rel=0.01)
    page.get_by_role("button", name="Start run").click()

    row = site.until(run_id(page), "queued")
    assert row["not_before"] is not None
    expect(page.locator(".page-title .status")).to_have_text("queued")


def test_what_is_wrong_is_said_at_its_field(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs?form=open", quiet=False)
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_text("Choose a run config")).to_be_visible()

    choose(page, "fake-config")
    target = page.get_by_label("Target count")
    for text, said in (("many", "A whole number"), ("99999999", MOST)):
        target.fill(text)
        expect(target).to_have_attribute("aria-invalid", "true")
        expect(target).to_have_accessible_description(re.compile(said))
    before = len(site.runs())
    page.get_by_role("button", name="Start run").click()
    expect(target).to_have_accessible_description(re.compile(MOST))
    assert len(site.runs()) == before


def test_a_run_is_steered(site: Site, open_page: OpenPage) -> None:
    site.provider.program(held_from(16))
    run = site.start(target_count=24)
    page = open_page(f"{site.url}/runs/{run}")
    status = page.locator(".page-title .status")
    expect(status).to_have_text("running")
    page.get_by_role("button", name="Pause").click()
    expect(status).to_have_text("paused")
    page.get_by_role("button", name="Resume").click()
    expect(status).to_have_text("running")
    page.get_by_role("button", name="Kick").click()
    until_told(page, r"^(\d+ threads? sent again|No thread had an open step)$")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_contain_text("are aborted")
    page.get_by_role("button", name="Cancel the run").click()
    expect(status).to_have_text("cancelled")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


def test_a_run_that_is_seen_late_is_waited_for(site: Site, open_page: OpenPage) -> None:
    """The read model of a busy machine is behind: the page of the run is gone to when there is one."""
    looks: list[bool] = []

    def started(route: Route) -> None:
        route.fulfill(response=route.fetch(), status=202)

    def look(route: Route) -> None:
        looks.append(len(looks) == 2)
        if looks[-1]:
            route.continue_()
        else:
            route.fulfill(response=route.fetch(), json={"items": [], "total": 0})

    page = open_page(f"{site.url}/runs?form=open")
    choose(page, "fake-config")
    page.route("**/api/v1/runs", started)
    page.route(re.compile(r"/api/v1/runs\?id=run-\w+&limit=1$"), look)
    page.get_by_role("button", name="Start run").click()
    site.until(run_id(page), "completed")
    assert looks == [False, False, True]
    expect(page.locator(".page-title .status")).to_have_text("completed")
