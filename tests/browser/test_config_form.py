"""Write a run config: from scratch by mouse, by its problems, by keyboard alone, and against somebody else."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import flip, until_it_fits
from tests.browser.site import Site

Picture = Callable[[Page, str], None]
CONFIGS = "/catalog/run-configs"
API = "/api/v1/run-configs"


def problems(page: Page) -> Locator:
    """What there is to fix, as the check says it now."""
    summary = page.get_by_role("region", name="Problems")
    expect(summary).to_have_attribute("aria-busy", "false")
    return summary


def add(page: Page, many: str, *names: str) -> None:
    """Add objects of the catalog in one go."""
    page.get_by_role("button", name=f"Add {many}").click()
    dialog = page.get_by_role("dialog")
    for name in names:
        dialog.get_by_role("checkbox", name=name, exact=True).check()
    dialog.get_by_role("button", name=f"Add {len(names)}").click()
    expect(dialog).to_have_count(0)


def choose(field: Locator, option: str) -> None:
    """Choose from a list that opens."""
    field.click()
    field.page.get_by_role("option", name=option).click()


def copy_of(site: Site, name: str, **changes: object) -> None:
    """A config like `fake-config`."""
    body = site.send("GET", f"{API}/fake-config")["body"]
    site.send("POST", API, {**body, "name": name, **changes})


def test_from_scratch_by_mouse(site: Site, open_page: OpenPage, picture: Picture) -> None:
    page = open_page(f"{site.url}{CONFIGS}/new")
    expect(problems(page)).to_contain_text("6 problems to fix")
    page.get_by_label("Name", exact=True).fill("by-mouse")
    page.get_by_label("Target count").fill("1,000")
    choose(page.get_by_role("combobox", name="Prompt set"), "plain")
    add(page, "personas", "ana", "bo")
    page.get_by_label("Weight of bo").fill("3")
    mix = page.get_by_role("group", name="Personas")
    expect(mix).to_contain_text("25.0")
    expect(mix).to_contain_text("75.0")
    add(page, "voices", "short")
    add(page, "pools", "topics")
    page.get_by_label("Share of range 1").fill("2")
    page.get_by_role("button", name="Add a range").click()
    expect(page.get_by_label("Fewest turns of range 2")).to_be_focused()
    chart = page.get_by_role("img", name=re.compile("Share of conversations by number of turns"))
    expect(chart).to_have_accessible_name(re.compile("4 turns 22.2 %.*12 turns 16.7 %"))
    for role in ("user", "assistant"):
        group = page.get_by_role("group", name=re.compile(f"^{role} "))
        choose(group.get_by_role("combobox", name="Backend"), "fake")
        choose(group.get_by_role("combobox", name="Model"), "writer")
        expect(group).to_contain_text("$2.00 in, $8.00 out per million tokens")
    flip(page.get_by_role("switch", name="Judge"))
    expect(problems(page)).to_contain_text("Judge, criterion 1, name")
    page.get_by_label("Name of criterion 1").fill("natural")
    page.get_by_label("Question of criterion 1").fill("Is it <b>natural</b>?")
    page.get_by_text("What scores look like (0 of 5 described)").click()
    page.get_by_label("Score 5 of criterion 1").fill("Nobody would notice.")
    expect(page.get_by_text("What scores look like (1 of 5 described)")).to_be_visible()
    expect(page.get_by_label("Pause the run when it is sick")).to_be_checked()
    page.get_by_label("Most answers without a verdict").fill("0.1")
    page.get_by_label("Least agreement with itself").fill("")
    judge = page.get_by_role("group", name=re.compile("^judge "))
    choose(judge.get_by_role("combobox", name="Backend"), "fake")
    choose(judge.get_by_role("combobox", name="Model"), "judge")
    rule = page.locator(".rule", has_text="wrong_length")
    rule.get_by_text("parameters, all at default").click()
    rule.get_by_label("Most words").fill("50")
    flip(page.locator(".rule", has_text="role_order").get_by_role("switch").first)
    expect(problems(page)).to_contain_text("Nothing to fix")
    estimate = page.get_by_role("region", name="Estimate")
    expect(estimate.get_by_test_id("total")).to_contain_text("$")
    expect(estimate).to_contain_text("of 1,000")
    page.get_by_text("YAML", exact=True).click()
    expect(page.get_by_role("region", name="YAML")).to_contain_text(
        'question: "Is it <b>natural</b>?"'
    )
    picture(page, "config-yaml")

    page.get_by_role("textbox", name="Note").fill("made by hand")
    page.get_by_role("button", name="Save run config").dblclick()
    expect(page).to_have_url(f"{site.url}{CONFIGS}/by-mouse")

    saved = site.send("GET", f"{API}/by-mouse")
    assert (saved["version"], saved["note"]) == (1, "made by hand"), "a double click saves once"
    body = saved["body"]
    assert body["target_count"] == 1_000
    assert body["personas"] == [{"name": "ana", "weight": 1}, {"name": "bo", "weight": 3}]
    assert [row["turns"] for row in body["length_mix"]] == [[4, 8], [10, 12]]
    assert body["judge"]["criteria"][0]["question"] == "Is it <b>natural</b>?"
    assert body["judge"]["criteria"][0]["anchors"] == {"5": "Nobody would notice."}
    health = body["judge"]["health"]
    assert (health["max_failure_rate"], health["min_answers"]) == (0.1, 20)
    assert health["min_self_agreement"] is None
    assert body["rules"]["wrong_length"]["parameters"] == {"most_words": 50}
    assert body["rules"]["role_order"]["enabled"] is False
    assert body["roles"]["judge"]["model"] == "judge"


def test_problems_lead_to_their_fields(site: Site, open_page: OpenPage, picture: Picture) -> None:
    rules = {"wrong_length": {"parameters": {"most_words": 0}}}
    copy_of(
        site,
        "broken",
        rules=rules,
        personas=[{"name": f"nobody-{n}"} for n in range(60)] + [{"name": "bo"}],
        pools=["topics", "no-pool"],
    )
    page = open_page(f"{site.url}{CONFIGS}/broken/edit")
    expect(problems(page)).to_contain_text("62 problems to fix")
    expect(page.get_by_role("region", name="Estimate")).to_contain_text("nothing to fix")
    picture(page, "config-problems")

    problems(page).get_by_role("button", name="Personas, row 60, name").click()
    expect(page.get_by_label("Weight of nobody-59")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(problems(page)).to_contain_text("61 problems to fix")

    problems(page).get_by_role("button", name="Rules, wrong length, most words").click()
    rule = page.locator(".rule", has_text="wrong_length")
    expect(rule.get_by_label("Most words")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("900")

    problems(page).get_by_role("button", name="Pools, row 2").first.click()
    expect(page.get_by_role("button", name="Remove no-pool")).to_be_focused()
    page.keyboard.press("Enter")
    expect(problems(page)).to_contain_text("59 problems to fix")
    expect(page.get_by_role("link", name=re.compile("^Basics$"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^Who and what 59"))).to_be_visible()

    page.get_by_role("button", name="Save and start run").click()
    expect(problems(page).get_by_role("button").first).to_be_focused()
    assert site.send("GET", f"{API}/broken")["version"] == 1, "no run could start from it"


def test_the_length_mix_by_keyboard_alone(site: Site, open_page: OpenPage) -> None:
    copy_of(site, "by-keys")
    page = open_page(f"{site.url}{CONFIGS}/by-keys/edit")
    keys = page.keyboard
    expect(problems(page)).to_contain_text("Nothing to fix")

    page.get_by_role("link", name="Length mix").focus()
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Length mix")).to_be_focused()
    keys.press("Tab")
    expect(page.get_by_label("Fewest turns of range 1")).to_be_focused()
    for text in ("2", "6", "30"):
        keys.press("Control+a")
        keys.type(text)
        keys.press("Tab")
    expect(page.get_by_role("button", name="Add a range")).to_be_focused()
    keys.press("Enter")
    for text in ("9", "x", "70"):
        keys.press("Control+a")
        keys.type(text)
        keys.press("Tab")
    expect(problems(page)).to_contain_text("Length mix, row 2, most turns")
    problems(page).get_by_role("button").first.focus()
    keys.press("Enter")
    expect(page.get_by_label("Most turns of range 2")).to_be_focused()
    keys.press("Control+a")
    keys.type("12")
    chart = page.get_by_role("img", name=re.compile("Share of conversations"))
    expect(chart).to_have_accessible_name(re.compile("2 turns 10.0 %.*10 turns 35.0 %"))
    expect(problems(page)).to_contain_text("Nothing to fix")
    keys.press("Control+s")
    expect(page).to_have_url(f"{site.url}{CONFIGS}/by-keys")
    saved = site.send("GET", f"{API}/by-keys")
    assert [(r["turns"], r["share"]) for r in saved["body"]["length_mix"]] == [
        ([2, 6], 30),
        ([9, 12], 70),
    ]


def test_somebody_else_was_faster(site: Site, open_page: OpenPage) -> None:
    copy_of(site, "shared")
    page = open_page(f"{site.url}{CONFIGS}/shared/edit", quiet=False)
    page.get_by_role("textbox", name="Retries", exact=True).fill("7")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Runs").click()
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(f"{site.url}{CONFIGS}/shared/edit")

    theirs = site.send("GET", f"{API}/shared")["body"] | {"threads": 5, "retries": 4}
    site.send("PUT", f"{API}/shared", theirs, **{"If-Match": '"v1"'})
    page.get_by_role("button", name="Save version 2").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("/threads")
    expect(dialog).to_contain_text("/retries")
    dialog.get_by_role("button", name="Merge").click()
    expect(page.get_by_label("Threads")).to_have_value("5")
    expect(page.get_by_role("textbox", name="Retries", exact=True)).to_have_value("7")

    page.get_by_role("button", name="Save version 3").click()
    expect(page).to_have_url(f"{site.url}{CONFIGS}/shared")
    saved = site.send("GET", f"{API}/shared")
    assert (saved["version"], saved["body"]["threads"], saved["body"]["retries"]) == (3, 5, 7)


def test_saved_and_started(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}{CONFIGS}/new?from=fake-config")
    page.get_by_label("Name", exact=True).fill("copied")
    expect(problems(page)).to_contain_text("Nothing to fix")
    page.get_by_role("button", name="Save and start run").click()
    expect(page.get_by_role("combobox", name="Run config")).to_have_value("copied")
    expect(page.get_by_role("region", name="Estimate")).to_have_attribute("aria-busy", "false")
    page.get_by_role("link", name="Preview").click()
    expect(page).to_have_url(f"{site.url}{CONFIGS}/copied/preview")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_used_by_everybody(
    site: Site, open_page: OpenPage, picture: Picture, theme: str
) -> None:
    page = open_page(f"{site.url}{CONFIGS}/new", theme=theme)
    expect(problems(page)).to_contain_text("6 problems to fix")
    flip(page.get_by_role("switch", name="Roughen"))
    page.locator(".rule details").first.evaluate("element => element.open = true")
    page.get_by_role("button", name="Save and preview").click()
    expect(page.get_by_label("Name", exact=True)).to_have_attribute("aria-invalid", "true")
    picture(page, f"config-{theme}")
    assert violations(page) == []
    page.get_by_role("button", name="Add personas").click()
    expect(
        page.get_by_role("dialog").get_by_role("checkbox", name="ana", exact=True)
    ).to_be_visible()
    picture(page, f"config-pick-{theme}")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.set_viewport_size({"width": 320, "height": 700})
    until_it_fits(page, 320)
    picture(page, f"config-phone-{theme}")
