"""Seed preview: a million conversations walked and jumped through, their prompts, and one sample made for real."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import until_idle, until_it_fits
from tests.browser.site import Site

Picture = Callable[[Page, str], None]
API = "/api/v1/run-configs"
HOSTILE = 'a nurse <img src=x onerror="window.hacked = 1"> \u202egnihtyna'


def path(site: Site, config: str, query: str = "") -> str:
    return f"{site.url}/catalog/run-configs/{config}/preview{query}"


def planned(site: Site, index: int, **plan: object) -> dict[str, object]:
    """What the API says of one conversation of the plan of `fake-config`."""
    body = {"config": "fake-config", "index": index, **plan}
    found: dict[str, object] = site.send("POST", f"{API}/preview", body)["window"][0]
    return found


def test_a_million_conversations(site: Site, open_page: OpenPage, picture: Picture) -> None:
    many = 1_000_000
    page = open_page(path(site, "fake-config", f"?count={many}"))
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", str(many + 1))
    expect(page.get_by_role("status").filter(has_text="1,000,000")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("^ana"))).to_contain_text("500,000")

    grid.focus()
    page.keyboard.press("End")
    last = planned(site, many - 1, target_count=many)
    row = page.locator(f"#plan-{many - 1}")
    expect(row).to_contain_text(str(last["seed"]))
    expect(row).to_have_attribute("aria-selected", "true")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowDown")
    expect(page.locator('[aria-selected="true"]')).to_be_in_viewport()
    grid.hover()
    for _ in range(8):
        page.mouse.wheel(0, -350)
    expect(page).not_to_have_url(re.compile("at=99998"))
    for _ in range(14):
        page.mouse.wheel(0, 350)
    expect(row).to_be_in_viewport()
    assert page.locator(".plan-grid .grid-row").count() < 40

    page.get_by_label("Go to number").fill("123,456")
    page.keyboard.press("Enter")
    there = planned(site, 123_456, target_count=many)
    expect(page.locator("#plan-123456")).to_contain_text(str(there["seed"]))
    picture(page, "preview-million")
    page.get_by_label("Seed", exact=True).fill("5")
    other = planned(site, 123_456, target_count=many, seed=5)
    assert other["seed"] != there["seed"]
    expect(page.locator("#plan-123456")).to_contain_text(str(other["seed"]))
    expect(page).to_have_url(re.compile("seed=5"))
    page.reload()
    expect(page.locator("#plan-123456")).to_contain_text(str(other["seed"]))

    page.get_by_label("Go to number").fill("1000000")
    expect(page.get_by_label("Go to number")).to_have_accessible_description("0 to 999,999")
    page.get_by_label("Count", exact=True).fill("7")
    expect(grid).to_have_attribute("aria-rowcount", "8")


def test_prompts_and_a_sample(site: Site, open_page: OpenPage, picture: Picture) -> None:
    site.send("POST", "/api/v1/personas", {"name": "hostile", "summary": HOSTILE})
    body = site.send("GET", f"{API}/fake-config")["body"]
    hostile = {**body, "name": "hostile", "personas": [{"name": "hostile"}]}
    site.send("POST", API, hostile)
    runs = len(site.runs())
    page = open_page(f"{site.url}/runs?form=open&of=hostile")
    page.get_by_role("link", name="Preview").click()
    expect(page.locator("#plan-2")).to_contain_text("hostile")

    page.get_by_role("grid").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("Conversation 2")
    user = panel.locator(".planned-prompt").first
    expect(user).to_contain_text('<img src=x onerror="window.hacked = 1"> U+202E')
    expect(user).to_contain_text(re.compile(r"about \d+ tokens"))
    expect(panel.locator(".planned-prompt h3")).to_contain_text(["user", "assistant", "judge"])
    assert page.evaluate("window.hacked") is None
    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("Conversation 3")

    panel.get_by_role("button", name="Make one real sample").dblclick()
    expect(panel.get_by_role("alert")).to_contain_text("Nothing has been called yet")
    expect(panel.get_by_role("alert")).to_contain_text("$0.00")
    picture(page, "preview-sample")
    assert len(site.runs()) == runs, "the first click only states the price"
    panel.get_by_role("button", name=re.compile("Make it for about")).dblclick()
    expect(panel.get_by_role("status")).to_contain_text("The sample is made")
    made = [run for run in site.runs() if run["kind"] == "sample"]
    assert len(made) == 1
    panel.get_by_role("link", name="Open the conversation").click()
    expect(page.locator(".turn").first).to_be_visible()
    page.go_back()
    expect(panel).to_contain_text("Conversation 3")
    until_idle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid")).to_be_focused()


def test_from_the_palette_and_what_cannot_start(site: Site, open_page: OpenPage) -> None:
    body = site.send("GET", f"{API}/fake-config")["body"]
    site.send("POST", API, {**body, "name": "unstartable", "voices": [{"name": "no-voice"}]})
    page = open_page(f"{site.url}/corpus", quiet=False)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    until_idle(page)
    page.keyboard.press("Control+k")
    page.get_by_label("Go to a page or a run").fill("preview unst")
    page.get_by_text("Preview unstartable").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="no-voice")).to_be_visible()
    page.get_by_role("link", name="Put it right").click()
    expect(page.get_by_role("region", name="Problems")).to_contain_text("Voices, row 1")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_used_by_everybody(
    site: Site, open_page: OpenPage, picture: Picture, theme: str
) -> None:
    page = open_page(path(site, "fake-config", "?count=500"), theme=theme)
    expect(page.locator("#plan-0")).to_have_attribute("aria-busy", "false")
    found = {"plan": violations(page)}
    picture(page, f"preview-{theme}")
    page.locator("#plan-1").click()
    expect(page.locator(".planned-prompt").first).to_be_visible()
    page.get_by_role("button", name="Make one real sample").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    found["prompts"] = violations(page)
    picture(page, f"preview-prompts-{theme}")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.set_viewport_size({"width": 320, "height": 700})
    until_it_fits(page, 320)
    picture(page, f"preview-phone-{theme}")
    assert {name: said for name, said in found.items() if said} == {}
