"""Catalog objects written, compared, restored and archived: by mouse, by keys alone, and by two people at once."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.reading import flip, open_first_row, section
from tests.browser.site import Site

Picture = Callable[[Page, str], None]


def persona(site: Site, name: str, **fields: object) -> None:
    """Write a persona."""
    body = {"name": name, "summary": f"{name} asks about bread.", **fields}
    site.send("POST", "/api/v1/personas", body)


def versions(site: Site, kind: str, name: str) -> list[dict[str, object]]:
    """Versions of an object, newest first."""
    found: list[dict[str, object]] = site.send("GET", f"/api/v1/{kind}/{name}/versions")["items"]
    return found


def save_button(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Save"))


def test_create_edit_compare_restore_by_mouse(
    site: Site, open_page: OpenPage, picture: Picture
) -> None:
    page = open_page(f"{site.url}/catalog/personas", quiet=False)
    page.get_by_role("link", name="New persona").click()
    save_button(page).click()
    problems = page.get_by_role("alert")
    expect(problems).to_contain_text("2 things to put right")
    problems.get_by_role("button", name="/summary").click()
    expect(page.get_by_label("Summary")).to_be_focused()
    page.get_by_label("Name").fill("mara-restorer")
    page.get_by_label("Summary").fill("Mara restores clocks in Graz.")
    page.get_by_label("Traits").fill("patient\nhates plastic\npatient")
    expect(page.get_by_text("1 line said before")).to_be_visible()
    page.get_by_role("button", name="Keep the first of each").click()
    page.get_by_label("Note").fill("first draft")
    save_button(page).dblclick()
    expect(page.get_by_role("heading", level=1, name="mara-restorer", exact=True)).to_be_visible()
    expect(page.get_by_text("Note: first draft")).to_be_visible()
    assert [entry["version"] for entry in versions(site, "personas", "mara-restorer")] == [1]

    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Summary").fill("Mara restores church clocks in Graz.")
    page.get_by_label("Note").fill("which clocks")
    save_button(page).click()
    expect(page.get_by_text("Mara restores church clocks in Graz.")).to_be_visible()
    page.get_by_role("link", name="Versions").click()
    changes = section(page, "From version 1 to 2")
    expect(changes).to_contain_text("/summary")
    expect(changes).to_contain_text("Mara restores clocks in Graz.")
    expect(section(page, "As text")).to_contain_text("-removedsummary: Mara restores clocks")
    picture(page, "catalog-versions")

    page.get_by_role("button", name="Restore version 1").click()
    dialog = page.get_by_role("dialog", name="Restore version 1?")
    dialog.get_by_role("button", name="Restore", exact=True).dblclick()
    expect(page.get_by_role("heading", name="3 versions")).to_be_visible()
    assert [entry["version"] for entry in versions(site, "personas", "mara-restorer")] == [3, 2, 1]
    page.get_by_label("From version 1").click()
    expect(page.get_by_text("Both versions say the same.")).to_be_visible()
    expect(page).to_have_url(re.compile("from=1"))


def test_edit_by_keys_alone(site: Site, open_page: OpenPage) -> None:
    persona(site, "key-only")
    page = open_page(f"{site.url}/runs")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    keys = page.keyboard
    keys.press("g")
    keys.press("k")
    expect(page).to_have_title("Prompt sets - convo")
    keys.press("?")
    help_ = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(help_).to_contain_text("Go to Catalog")
    keys.press("Escape")
    expect(help_).to_have_count(0)
    page.goto(f"{site.url}/catalog/personas")
    expect(page.locator(".grid-row").first).to_be_visible()
    keys.press("/")
    expect(page.get_by_label("Search personas")).to_be_focused()
    keys.type("key-only")
    expect(page.locator(".grid-row")).to_have_count(1)
    expect(page).to_have_url(re.compile("q=key-only"))
    keys.press("Enter")
    open_first_row(page)
    expect(page).to_have_title("key-only - convo")
    keys.press("e")
    expect(page).to_have_title("Edit key-only - convo")
    summary = page.get_by_label("Summary")
    for _ in range(20):
        keys.press("Tab")
        if summary.evaluate("field => field === document.activeElement"):
            break
    expect(summary).to_be_focused()
    keys.press("End")
    keys.type(" And rye.")
    page.get_by_role("link", name="Corpus", exact=True).focus()
    keys.press("Enter")
    guard = page.get_by_role("dialog", name="Leave without saving?")
    expect(guard.get_by_role("button", name="Stay")).to_be_focused()
    keys.press("Enter")
    expect(guard).to_have_count(0)
    expect(page).to_have_title("Edit key-only - convo")
    keys.press("Control+s")
    expect(page).to_have_title("key-only - convo")
    expect(page.get_by_text("key-only asks about bread. And rye.")).to_be_visible()


def test_prompt_set_is_rendered_while_it_is_typed(
    site: Site, open_page: OpenPage, picture: Picture
) -> None:
    persona(site, "aa-typed-for")
    site.send(
        "POST",
        "/api/v1/prompt-sets",
        {
            "name": "typed",
            "modes": ["dialogue"],
            "segments": {"user": "Ask of {{ topics }}.", "assistant": "Answer."},
        },
    )
    page = open_page(f"{site.url}/catalog/prompt-sets/typed/edit")
    user = page.get_by_label("Text of segment user")
    user.fill("Be {{ persona.age }}.\nAsk as {{ nobody }} of {{ topics }}.")
    written = section(page, "Segment user")
    expect(written).to_contain_text("Line 1: persona has no field 'age'")
    expect(written).to_contain_text("Line 2: unknown variable 'nobody'")
    expect(written.locator("[data-bad]")).to_have_count(2)
    picture(page, "catalog-unknown-variable")
    user.fill("Be ")
    page.get_by_role("button", name=re.compile("^Insert persona.summary")).click()
    expect(user).to_have_value("Be {{ persona.summary }}")
    sent = section(page, "As it would be sent")
    expect(sent).to_contain_text("Be aa-typed-for asks about bread.")
    expect(written.locator(".line-problems li")).to_have_count(0)
    user.fill("Of {{ topics }}.")
    sent.get_by_label("topics").fill("copper pans")
    expect(sent).to_contain_text("Of copper pans.")


def test_backend_with_cheaper_hours(site: Site, open_page: OpenPage, picture: Picture) -> None:
    page = open_page(f"{site.url}/catalog/backends/new", quiet=False)
    expect(page.get_by_text("never the key")).to_be_visible()
    page.get_by_role("textbox", name="Name").fill("priced")
    page.get_by_label("Base URL").fill("https://api.example.com/v1")
    page.get_by_role("textbox", name="Model").fill("gpt-4o-mini")
    page.get_by_role("button", name="Fill from genai-prices").click()
    expect(page.get_by_role("textbox", name="Input", exact=False).first).to_have_value("0.15")
    page.get_by_role("button", name="Add window").click()
    night = page.get_by_role("group", name=re.compile("22:00-06:00"))
    save_button(page).click()
    problems = page.get_by_role("alert")
    problems.get_by_role("button", name="/models/0/prices/off_peak/0/rates/output").click()
    expect(night.get_by_role("textbox", name="Output")).to_be_focused()
    night.get_by_role("textbox", name="Input").first.fill("0.1")
    night.get_by_role("textbox", name="Output").fill("0.4")
    night.get_by_role("button", name="Fri", exact=True).click()
    night.get_by_role("combobox", name="Time zone").fill("Berlin")
    page.get_by_role("option", name="Europe/Berlin").click()
    picture(page, "catalog-backend-prices")
    save_button(page).click()
    row = page.get_by_role("row", name="Mon-Thu 22:00-06:00 Europe/Berlin")
    expect(row).to_contain_text("$0.10")
    expect(page.get_by_text("Source: genai-prices")).to_be_visible()


def test_two_people_at_once_lose_nothing(site: Site, open_page: OpenPage, picture: Picture) -> None:
    persona(site, "both-edit", traits=["old"])
    first = open_page(f"{site.url}/catalog/personas/both-edit/edit", quiet=False)
    second = open_page(f"{site.url}/catalog/personas/both-edit/edit")
    expect(first.get_by_label("Summary")).to_be_visible()
    second.get_by_label("Summary").fill("Theirs.")
    second.get_by_label("Language").fill("de")
    second.get_by_label("Note").fill("faster")
    save_button(second).click()
    expect(second.get_by_role("heading", level=1, name="both-edit", exact=True)).to_be_visible()

    first.get_by_label("Summary").fill("Mine.")
    first.get_by_label("Traits").fill("new")
    save_button(first).click()
    dialog = first.get_by_role("dialog", name="Somebody else was faster")
    expect(dialog).to_contain_text("version 2 was saved")
    expect(dialog).to_contain_text("faster")
    expect(dialog).to_contain_text("Only they changed: /language")
    expect(dialog).to_contain_text("Only you changed: /traits")
    expect(dialog).to_contain_text("Theirs.")
    picture(first, "catalog-conflict")
    dialog.get_by_label("Theirs", exact=True).check()
    dialog.get_by_role("button", name="Merge").click()
    expect(first.get_by_label("Summary")).to_have_value("Theirs.")
    first.get_by_role("button", name="Save version 3").click()
    expect(first.get_by_role("heading", level=1, name="both-edit", exact=True)).to_be_visible()
    body = site.send("GET", "/api/v1/personas/both-edit")["body"]
    assert (body["summary"], body["language"], body["traits"]) == ("Theirs.", "de", ["new"])


def test_archive_shows_where_it_is_used(site: Site, open_page: OpenPage, picture: Picture) -> None:
    persona(site, "soon-gone")
    config = site.send("GET", "/api/v1/run-configs/fake-config")["body"]
    config |= {"name": "names-soon-gone", "personas": [{"name": "soon-gone"}]}
    site.send("POST", "/api/v1/run-configs", config)
    page = open_page(f"{site.url}/catalog/personas/soon-gone")
    page.get_by_role("button", name="Archive").click()
    dialog = page.get_by_role("dialog", name="Archive persona soon-gone?")
    expect(dialog).to_contain_text("Used in 1 place")
    expect(dialog.get_by_role("link", name="names-soon-gone v1")).to_be_visible()
    picture(page, "catalog-archive")
    dialog.get_by_role("button", name="Archive").click()
    expect(page.get_by_role("button", name="Bring back")).to_be_visible()
    page.goto(f"{site.url}/catalog/personas?q=soon-gone")
    expect(page.get_by_text("No persona is like that")).to_be_visible()
    flip(page.get_by_label("Archived"))
    page.get_by_role("link", name="soon-gone").click()
    page.get_by_role("button", name="Bring back").click()
    expect(page.get_by_role("button", name="Archive")).to_be_visible()
