"""Review by keyboard alone: decide, edit, take back, meet somebody else, and many at once."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.axe import violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.reading import section, until
from tests.browser.site import Site

Picture = Callable[[Page, str], None]
CUT_OFF = """() => [...document.querySelectorAll(".review-preview")].filter((one) =>
  one.getBoundingClientRect().right > one.closest('[role="gridcell"]').getBoundingClientRect().right + 1
).map((one) => one.textContent)"""
"""Texts of the list that go on beyond their cell, where nothing says that they do."""


def until_said(site: Site, page: Page, conversation: str, decision: str) -> dict[str, Any]:
    """The latest review of a conversation when it says so."""

    def latest() -> dict[str, Any]:
        found = site.send("GET", f"/api/v1/conversations/{conversation}/review")["latest"]
        return dict(found or {})

    until(page, lambda: latest().get("decision") == decision, f"{conversation} is {decision!r}")
    return latest()


def test_by_keyboard_alone(site: Site, open_page: OpenPage, picture: Picture) -> None:
    run = site.completed()
    page = open_page(f"{site.url}/review?run={run}", quiet=False)
    expect(page.get_by_text("0 of 6 reviewed, 0 by you")).to_be_visible()
    keys = page.keyboard

    # Nothing can be said of a conversation before it is there.
    expect(page.locator(".review-title a")).to_be_visible()
    keys.press("a")
    expect(page.get_by_label("Your name")).to_be_focused()
    keys.type("Ana")
    keys.press("Tab")
    page.get_by_role("heading", level=1).focus()
    first = page.locator(".review-title a").inner_text()
    keys.press("a")
    expect(page.get_by_text("1 of 6 reviewed, 1 by you")).to_be_visible()
    second = page.locator(".review-title a")
    expect(second).not_to_have_text(first)
    until_said(site, page, first, "accepted")

    keys.press("u")
    expect(second).to_have_text(first)
    expect(section(page, "Your review")).to_contain_text("no decision")
    until_said(site, page, first, "")

    keys.press("e")
    field = page.get_by_role("textbox", name=re.compile("^Turn [0-9]+, text$"))
    expect(field).to_be_focused()
    keys.press("Control+a")
    keys.type("As an AI language model I must say: [insert name here]")
    keys.press("Control+Enter")
    expect(page.locator(".review-edited")).to_be_visible()
    expect(page.locator(".review-diff ins").first).to_be_visible()
    keys.press("f")
    alert = page.get_by_role("alert", name=re.compile("hits rules"))
    expect(alert).to_contain_text("placeholder")
    picture(page, "review-rules-hit")
    assert violations_in_both_themes(page) == []
    alert.get_by_role("button", name="Save it all the same").focus()
    keys.press("Enter")
    expect(second).not_to_have_text(first)
    said = until_said(site, page, first, "flagged")
    assert said["reviewer"] == "Ana"
    assert len(said["edits"]) == 1

    page.goto(f"{site.url}/corpus/{first}")
    expect(page.locator(".verdict-list .review-diff ins").first).to_be_visible()


def test_somebody_else_was_faster(site: Site, open_page: OpenPage, picture: Picture) -> None:
    run = site.completed()
    page = open_page(f"{site.url}/review?run={run}", width=390, height=844, quiet=False)
    expect(page.get_by_text("0 of 6 reviewed")).to_be_visible()
    page.get_by_label("Your name").fill("Ana")
    name = page.locator(".review-title a").inner_text()
    page.get_by_label("Note").fill("my note")
    site.send(
        "PUT",
        f"/api/v1/conversations/{name}/review",
        {"reviewer": "Ben", "decision": "rejected", "reason": "rude"},
        **{"If-Match": '"v0"'},
    )
    page.get_by_role("button", name="Accept", exact=False).click()
    alert = page.get_by_role("alert", name="Not saved: Ben reviewed it meanwhile")
    expect(alert).to_contain_text("Theirs: rejected, rude")
    expect(alert).to_contain_text("Yours: accepted")
    squeezed = alert.evaluate("(one) => one.scrollHeight - one.clientHeight")
    assert squeezed <= 1, "its buttons are to be seen"
    expect(page.get_by_label("Note")).to_have_value("my note")
    assert violations_in_both_themes(page) == []
    picture(page, "review-conflict-phone")
    alert.get_by_role("button", name="Save mine after it").click()
    expect(page.get_by_text("1 of 6 reviewed, 1 by you")).to_be_visible()
    found = site.send("GET", f"/api/v1/conversations/{name}/review")
    assert [one["reviewer"] for one in found["history"]] == ["Ana", "Ben"]
    assert found["latest"]["note"] == "my note"


def test_many_at_once(site: Site, open_page: OpenPage, picture: Picture) -> None:
    run = site.completed()
    page = open_page(f"{site.url}/review?run={run}&show=list")
    expect(page.get_by_text("0 of 6 reviewed")).to_be_visible()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("*")
    expect(page.get_by_text("6 ticked")).to_be_visible()
    assert page.evaluate(CUT_OFF) == [], "texts end in their cells"
    picture(page, "review-list")
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Flag").click()
    expect(page.get_by_text("6 reviews saved, 0 refused")).to_be_visible()
    expect(page.get_by_text("6 of 6 reviewed, 6 by you")).to_be_visible()
    before = site.loop.run(site.pipeline.view(run))
    assert before["accepted"] + before["rejected"] + before["failed"] == 6

    page.get_by_label("Which").select_option("persona")
    expect(page).to_have_url(re.compile("per=persona"))
    expect(page.locator(".grid-row").first).to_be_visible()
