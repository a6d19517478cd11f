"""The page of a run in its states: what it says, and that everybody can read it."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import scroll_to, section, until_it_fits
from tests.browser.showroom import REASONS, Showroom, a_showroom

Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def room(infrastructure: Infrastructure) -> Iterator[Showroom]:
    with a_showroom(infrastructure) as running:
        yield running


def test_reasons_stand_in_precedence_order(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}")
    rows = section(page, "Reject reasons").locator("tbody tr")
    expect(rows).to_have_count(len(REASONS))
    told = [[cell.strip() for cell in row.split("\t")] for row in rows.all_inner_texts()]
    assert [(name, layer, int(n)) for name, layer, n, _ in told] == [
        (name, f"{layer} {('pipeline', 'mechanical', 'diversity', 'judge')[layer]}", n)
        for name, layer, _, n in REASONS
    ]
    assert told[1][3].replace("\xa0", " ") == "33 %"
    rows.nth(2).locator("td").nth(2).click()
    expect(page).to_have_url(re.compile(f"/corpus\\?run={room.finished}&reason=assistant_embodied"))


def test_counters_lead_to_what_they_count(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}")
    counters = page.locator(".counter")
    expect(counters.locator("dt")).to_have_text(
        ["Generated", "Accepted", "Rejected", "Failed", "Rate", "ETA"]
    )
    expect(page.locator('[data-counter="ETA"] dd')).to_have_text("–")
    page.locator('[data-counter="Accepted"] a').focus()
    expect(page.get_by_role("tooltip")).to_contain_text(
        "Also counts conversations later edited or flagged"
    )
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"run={room.finished}&status=accepted"))


def test_unknown_costs_are_never_nothing(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}")
    cost = section(page, "Cost")
    expect(cost).to_contain_text("2 calls of unknown cost (no answer came back): at most $0.061")
    expect(cost).to_contain_text("40 calls to a model without a price: cost unknown")
    judge = cost.locator("tbody tr", has_text="grader")
    expect(judge.locator("td").last).to_have_text("unknown")
    expect(cost.locator("dd").first).to_have_text("$1.30")
    expect(cost).to_contain_text("285 % over what was spent")


def test_diversity_under_the_floor_is_said(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}")
    diversity = section(page, "Diversity")
    expect(diversity).to_contain_text("below floor")
    expect(diversity).to_contain_text("4 of 100 conversations")
    expect(diversity.locator(".big-number svg")).to_be_visible()
    expect(diversity.get_by_role("img")).to_have_accessible_name(re.compile("the floor is 0.990"))
    diversity.get_by_text("Show as table").click()
    expect(diversity.locator("tbody tr")).to_have_count(4)


def test_D09_fourteen_of_twenty_alike_turn_the_page_red(
    room: Showroom, open_page: OpenPage
) -> None:
    page = open_page(f"{room.url}/runs/{room.alike}")
    number = section(page, "Diversity").locator(".big-number[data-bad]")
    expect(number).to_have_css("color", "rgb(166, 30, 30)")
    assert float(number.inner_text()) < 0.5
    expect(page.locator(".notice")).to_contain_text("(diversity_floor): distinct-3 of the last 100")
    expect(page.locator(".notice")).to_contain_text("See under Distributions what repeats")

    section(page, "Diversity").get_by_role("link", name="Turn lengths").click()
    spread = section(page, "Distributions")
    expect(spread).to_contain_text("last 100 of 12,431 accepted")
    expect(spread.locator(".grams tbody tr")).to_have_count(3)
    begins = spread.locator(".openings").first.locator("tbody tr").first
    expect(begins).to_have_text(re.compile(r"^hi there can7[01]7[01]\s%$"))
    expect(spread).to_contain_text("Each with each of 100 conversations: 4,950 pairs.")
    expect(spread.locator(".facts dd").nth(1)).to_contain_text("1.000")
    spread.get_by_text("All", exact=True).click()
    expect(spread).to_contain_text("12,400 of 12,431 accepted counted so far")
    expect(spread).to_contain_text(re.compile(r"about [\d,]+ different of 480,000, ± 1.6 %"))
    expect(spread).to_contain_text("8,100 to 8,140")
    expect(spread).not_to_contain_text("one more")
    expect(spread).to_contain_text("a sample of 60 of 12,400 accepted")


def test_a_sick_judge_is_said_with_its_numbers(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.sick}")
    expect(page.locator(".notice").first).to_contain_text("judge_sick")
    expect(page.locator(".notice").first).to_contain_text("then resume")
    judge = section(page, "Judge")
    _see(page, "Judge", 2)
    first = judge.get_by_role("article", name="Judge fake/judge", exact=True)
    expect(first.locator(".judge-condition")).to_have_text("sick")
    expect(first.get_by_role("alert")).to_contain_text("14 of its last 50 answers")
    expect(first).to_contain_text(
        "The judge answered 412 times: 398 scored, 12 unparsed, 2 truncated."
    )
    expect(first).to_contain_text("Of the last 50: 36 scored, 12 unparsed, 2 truncated.")
    expect(first.get_by_role("img")).to_have_accessible_name(re.compile("Mean 3.52, .* 398 scores"))
    expect(first).to_contain_text("39 of 44 conversations passed or failed the same way twice")
    expect(first).to_contain_text("Rechecks cost $0.0184 in 44 calls.")
    expect(judge.locator(".judge").nth(1)).to_contain_text("Not asked twice")
    expect(judge.locator(".decisions tbody tr").first).to_contain_text("passed")
    expect(judge).to_contain_text(re.compile(r"of 40 conversations decided the same way .*kappa 0"))
    expect(judge).to_contain_text(re.compile(r"Among people: \d of \d conversations the same"))


def _see(page: Page, part: str, columns: int) -> None:
    """Scroll to a part until its columns are drawn."""
    scroll_to(page, section(page, part), section(page, part).locator(".columns"), columns)


def test_events_can_be_narrowed(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}")
    events = section(page, "Events")
    expect(events.get_by_role("listitem")).to_have_count(4)
    events.get_by_label("Which events").select_option("Kicks")
    expect(events.get_by_role("listitem")).to_have_text(
        [re.compile("Kicked 20 threads sent again")]
    )


def test_why_it_stands_and_what_to_do(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.blocked}")
    expect(page.locator(".page-title .status")).to_have_text("paused")
    notice = page.locator(".notice")
    expect(notice).to_contain_text("backend_auth")
    expect(notice).to_contain_text("refused the key in FAKE_KEY")
    expect(notice).to_contain_text("then resume")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.goto(f"{room.url}/runs/{room.waiting}")
    expect(page.locator(".notice")).to_contain_text("It waits for its start at")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()


def test_keys_walk_rows_and_runs(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}")
    expect(section(page, "Last 10 rejects").get_by_role("listitem")).to_have_count(6)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="stage_direction").first).to_be_focused()
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile("reason=stage_direction"))
    page.go_back()
    expect(page.locator(".counters")).to_be_visible()
    page.keyboard.press("]")
    expect(page).not_to_have_url(re.compile(f"{room.finished}$"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("[")
    expect(page).to_have_url(re.compile(f"/runs/{room.finished}$"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_read_it(
    room: Showroom, open_page: OpenPage, picture: Picture, theme: str
) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}", theme=theme)
    expect(section(page, "Throughput").get_by_role("img")).to_be_visible()
    expect(section(page, "Diversity").get_by_role("img")).to_be_visible()
    picture(page, f"run-finished-{theme}")
    for summary in page.locator("details > summary").all():
        summary.click()
    found = {"finished": violations(page)}
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("menuitem", name="Whole run")).to_be_visible()
    found["export"] = violations(page)
    for run in (room.blocked, room.alike, room.sick, room.waiting):
        page.goto(f"{room.url}/runs/{run}")
        expect(page.locator(".notice").first).to_be_visible()
        if run == room.sick:
            _see(page, "Judge", 2)
            picture(page, f"run-sick-judge-{theme}")
        if run == room.alike:
            _see(page, "Distributions", 3)
            picture(page, f"run-alike-{theme}")
        found[run] = violations(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog", name="Cancel the run “By night”?")).to_be_visible()
    found["cancel"] = violations(page)
    picture(page, f"run-cancel-{theme}")
    assert {name: said for name, said in found.items() if said} == {}


def test_a_phone_shows_all_of_it(room: Showroom, open_page: OpenPage, picture: Picture) -> None:
    page = open_page(f"{room.url}/runs/{room.finished}", width=320, height=800)
    expect(section(page, "Pipeline")).to_be_visible()
    expect(section(page, "Diversity").get_by_role("img")).to_be_visible()
    until_it_fits(page, 320)
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    picture(page, "phone-run-finished")
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{room.url}/runs/{room.alike}")
    _see(page, "Distributions", 3)
    until_it_fits(page, 320)
    assert violations(page) == []
    picture(page, "phone-run-alike")
    page.goto(f"{room.url}/runs/{room.sick}")
    _see(page, "Judge", 2)
    until_it_fits(page, 320)
    assert violations(page) == []
    picture(page, "phone-run-sick-judge")
