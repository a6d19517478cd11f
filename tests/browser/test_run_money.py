"""A cap of its own, raised where it pauses the run, and a run that waits for its hour, started at once."""

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import section
from tests.browser.site import Site
from tests.browser.test_start_run import choose, run_id

EXTRA_SHOTS = os.environ.get("CONVO_SHOTS")


def shot(page: Page, name: str) -> None:
    if EXTRA_SHOTS:
        page.screenshot(path=str(Path(EXTRA_SHOTS) / f"{name}.png"), full_page=False)


def test_a_run_paused_for_its_cap_goes_on_after_the_cap_is_raised(
    site: Site, open_page: OpenPage
) -> None:
    site.provider.program(latency=0.05)
    page = open_page(f"{site.url}/runs?form=open")
    choose(page, "fake-config")
    page.get_by_label("Target count").fill("12")
    cap = page.get_by_label("Spend cap (USD)")
    cap.fill("free")
    expect(cap).to_have_accessible_description(re.compile("An amount in US dollars"))
    cap.fill("0.009")
    expect(page.get_by_role("region", name="Estimate")).to_have_attribute("aria-busy", "false")
    shot(page, "form")
    page.get_by_role("button", name="Start run").click()
    run = run_id(page)
    site.until(run, "paused")

    expect(page.get_by_role("status").filter(has_text="spend_cap")).to_contain_text("Raise the cap")
    shot(page, "paused")
    page.get_by_role("button", name="Raise cap").click()
    dialog = page.get_by_role("dialog")
    field = dialog.get_by_label("Spend cap (USD)")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(re.compile(r"\$0.009 now; \$0.00\d+ is spent"))
    assert violations(page) == []
    shot(page, "dialog")
    page.keyboard.press("Enter")
    expect(field).to_have_accessible_description(re.compile("An amount in US dollars"))
    field.fill("5")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(section(page, "Cost")).to_contain_text("$5.00 (")
    page.get_by_role("button", name="Resume").click()

    row = site.until(run, "completed")
    assert row["spend_cap_micro"] == 5_000_000
    expect(section(page, "Events")).to_contain_text("Cap changed")
    expect(page.get_by_role("button", name="Raise cap")).to_have_count(0)


def test_a_run_that_waits_says_for_what_and_can_be_started_now(
    site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{site.url}/runs?form=open")
    choose(page, "by-night")
    offer = page.get_by_label("Start at next off-peak window")
    offer.check()
    expect(offer).to_have_accessible_description(re.compile("cost what they cost then"))
    shot(page, "offer")
    page.get_by_role("button", name="Start run").click()
    run = run_id(page)
    site.until(run, "queued")

    expect(page.get_by_role("status").filter(has_text="off-peak window of night")).to_contain_text(
        "UTC"
    )
    shot(page, "queued")
    page.get_by_role("button", name="Start now").click()

    site.until(run, "completed")
    expect(page.get_by_role("button", name="Start now")).to_have_count(0)
