"""Exports: asked for on a run and on the corpus, made in the background, downloaded."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from convo_gateway.exports.verify import verify_folder
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import address, until_it_fits
from tests.browser.site import Site

Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def run(site: Site) -> str:
    return site.completed(name="to export")


def test_a_run_is_exported_and_what_is_downloaded_verifies(
    site: Site, run: str, open_page: OpenPage, picture: Picture, tmp_path: Path
) -> None:
    page = open_page(f"{site.url}/runs/{run}")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("menuitem", name="Data set").click()
    dialog = page.get_by_role("dialog", name="Export of this run")
    dialog.get_by_label("Format").select_option(label="Parquet, as Hugging Face lays it out")
    dialog.get_by_label("Splits").fill("train=0.9")
    expect(dialog.get_by_text("The shares add up to 0.9, not 1")).to_be_visible()
    dialog.get_by_label("Splits").fill("train=0.5, test=0.5")
    dialog.get_by_text("Reviews, compression and name").click()
    dialog.get_by_label("Name (optional)").fill("My <data> set")
    picture(page, "export-dialog")
    dialog.get_by_role("button", name="Start export").click()

    card = page.get_by_role("article", name="My <data> set").first
    expect(card.get_by_text("done", exact=True)).to_be_visible()
    expect(card.get_by_role("link", name=f"run {run}")).to_be_visible()
    expect(card.get_by_role("link", name="manifest.json")).to_be_visible()
    with page.expect_download() as download:
        card.get_by_role("link", name="Download").click()
    with tarfile.open(fileobj=io.BytesIO(download.value.path().read_bytes())) as tar:
        tar.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    checked = verify_folder(folder)
    assert checked.differences == ()
    assert checked.rows > 0


def test_a_filter_is_exported_by_keyboard_and_deleted(
    site: Site, run: str, open_page: OpenPage
) -> None:
    page = open_page(f"{site.url}/corpus?run={run}&status=accepted")
    button = page.get_by_role("button", name="Export", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Export what the filter shows")
    expect(dialog.get_by_label("Format")).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Start export").press("Enter")
    card = page.get_by_role("article", name="Conversations of a filter").first
    expect(card.get_by_text("done", exact=True)).to_be_visible()
    export = address(page)["export"]
    made = site.send("GET", f"/api/v1/exports/{export}")
    assert made["source"]["filter"]["status"] == ["accepted"]
    assert set(made["made"]["counts"]["statuses"]) == {"accepted"}
    card.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete export").click()
    expect(page.get_by_text(export)).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_read_it(
    site: Site, run: str, open_page: OpenPage, picture: Picture, theme: str
) -> None:
    begun = site.send("POST", "/api/v1/exports", {"source": {"run": run}, "name": "x" * 300})
    page = open_page(f"{site.url}/exports?run={run}&export={begun['id']}", theme=theme)
    expect(page.get_by_role("link", name="Download").first).to_be_visible()
    expect(page.get_by_role("link", name="README.md")).to_be_visible()
    found = {"exports": violations(page)}
    picture(page, f"exports-{theme}")
    page.set_viewport_size({"width": 320, "height": 800})
    found["narrow"] = violations(page)
    until_it_fits(page, 320)
    picture(page, f"exports-narrow-{theme}")
    page.goto(f"{site.url}/corpus?run={run}")
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_text("Reviews, compression and name").click()
    expect(page.get_by_label("Licence (optional)")).to_be_visible()
    found["dialog"] = violations(page)
    picture(page, f"export-dialog-narrow-{theme}")
    page.goto(f"{site.url}/exports?run=run-nothing")
    expect(page.get_by_text("No exports yet")).to_be_visible()
    found["none"] = violations(page)
    assert {name: said for name, said in found.items() if said} == {}
