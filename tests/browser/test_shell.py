"""What surrounds every page: menu, palette, keys, theme, connection, and pages that are not there."""

import re

from playwright.sync_api import expect

from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.conftest import OpenPage
from tests.browser.long_list import a_list
from tests.browser.reading import flip, until_idle
from tests.browser.site import Site


def test_palette_goes_places(site: Site, open_page: OpenPage) -> None:
    site.start(name="to be found")
    page = open_page(f"{site.url}/corpus")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    until_idle(page)
    page.keyboard.press("Control+k")
    page.get_by_label("Go to a page or a run").fill("to be found")
    page.get_by_role("button", name=re.compile("to be found")).click()
    expect(page).to_have_title("to be found - convo")


def test_keys_are_listed_and_can_be_switched_off(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("c")
    expect(page).to_have_title("Corpus - convo")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Go to Runs")
    flip(dialog.get_by_label("Shortcuts of a single key"))
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("?")
    page.keyboard.press("g")
    page.keyboard.press("r")
    expect(page).to_have_title("Corpus - convo")
    expect(dialog).to_have_count(0)


def test_theme_is_kept_and_there_before_the_page(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs", quiet=False)
    page.get_by_role("button", name="Theme").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    root = page.locator("html")
    expect(root).to_have_attribute("data-mantine-color-scheme", "dark")
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload(wait_until="domcontentloaded")
    expect(root).to_have_attribute("data-mantine-color-scheme", "dark")


def test_the_gateway_has_a_theme_for_those_without_one(
    infrastructure: Infrastructure, open_page: OpenPage
) -> None:
    with a_list(infrastructure, 0, CONVO_UI_THEME="dark") as gateway:
        page = open_page(f"{gateway.url}/runs", theme="light")
        root = page.locator("html")
        expect(root).to_have_attribute("data-mantine-color-scheme", "dark")
        page.get_by_role("button", name="Theme").click()
        page.get_by_role("menuitemradio", name="System").click()
        expect(root).to_have_attribute("data-mantine-color-scheme", "light")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(root).to_have_attribute("data-mantine-color-scheme", "light")


def test_first_tab_skips_to_the_content(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Skip to content")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_badge_tells_when_the_line_is_lost(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs", quiet=False)
    badge = page.locator(".connection")
    expect(badge).to_have_text("live")
    page.context.set_offline(True)
    expect(badge).to_have_text("offline")
    page.context.set_offline(False)
    expect(badge).to_have_text("live")


def test_page_that_cannot_be_loaded_waits_for_the_gateway(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/runs", quiet=False)
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Runs")
    page.route("**/assets/ExportsPage*", lambda route: route.abort())
    page.route("**/healthz", lambda route: route.abort())
    page.get_by_role("navigation").get_by_role("link", name="Exports", exact=True).click()
    expect(title).to_have_text("This page is not loaded")
    page.unroute_all(behavior="ignoreErrors")
    expect(title).to_have_text("Exports")


def test_hidden_characters_in_the_name_of_a_run_are_shown(site: Site, open_page: OpenPage) -> None:
    run = site.start(name="pay \u202etxt")
    page = open_page(f"{site.url}/runs/{run}")
    expect(page.get_by_role("heading", level=1)).to_have_text("pay U+202Etxt")


def test_what_is_not_there_is_said(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/nowhere/at/all", quiet=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    page.goto(f"{site.url}/runs/run-none")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("There is no run run-none.")
    expect(alert).to_contain_text(re.compile("Request [0-9a-f]{32}"))
