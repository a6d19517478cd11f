"""The page of a conversation: what was said, why it was rejected, and how it came about."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from operator import itemgetter

import asyncpg
import pytest
from playwright.sync_api import Page, expect

from convo_events.snapshot import ImportSource
from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import until, until_it_fits
from tests.browser.showroom import LONG, Showroom, a_showroom
from tests.gateway.read_model import ReadModel
from tests.journeys.configs import snapshot

Picture = Callable[[Page, str], None]
FEW_TURNS = 60
_COPY = """
insert into run_view select (jsonb_populate_record(v, jsonb_build_object('run', $2::text))).* from run_view v
where v.run = $1
"""
TABS = ("Verdicts", "Prompts", "Calls", "History", "JSON")


@pytest.fixture(scope="module")
def room(infrastructure: Infrastructure) -> Iterator[Showroom]:
    with a_showroom(infrastructure) as running:
        yield running


def test_hostile_text_is_only_text(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus/{room.duplicate}")
    turns = page.get_by_role("list", name="Turns").get_by_role("listitem")
    expect(turns).to_have_count(4)
    expect(turns.nth(1)).to_contain_text("<b>bold</b> <img src=x onerror=alert(1)>")
    assert turns.nth(1).locator("b, img").count() == 0
    text = page.locator(".turn-text").nth(1).inner_text()
    assert "\u202e" not in text
    assert "U+202E" in text
    expect(page.locator('[title="U+202E, right-to-left override"]').first).to_be_visible()


def test_words_that_fired_are_marked(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus/{room.duplicate}")
    second = page.locator(".turn").nth(1)
    expect(second.locator("mark")).to_have_text(["U+202E", "*smiles*", "*nods*"])
    expect(second.locator("mark").nth(1)).to_have_attribute("title", "stage_direction")
    expect(page.locator(".recorded-reason")).to_contain_text("stage_direction")
    page.get_by_role("link", name="Go to turn 2").click()
    expect(page).to_have_url(re.compile(r"turn=1"))
    expect(second).to_have_attribute("data-chosen", "true")
    expect(second).to_be_in_viewport()


def test_verdicts_stand_in_precedence_order(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus/{room.duplicate}")
    hits = page.locator(".hit strong")
    expect(hits).to_have_text(
        ["stage_direction", "stage_direction", "garbled_text", "near_duplicate"]
    )
    expect(page.locator(".hit").first).to_contain_text("recorded")
    last = page.locator(".hit").last
    expect(last).to_contain_text("similarity 0.813")
    expect(last).to_contain_text("the same old words")
    expect(page.locator(".criteria")).to_contain_text("natural 1.5")
    last.get_by_role("link", name=room.twin).click()
    expect(page).to_have_url(re.compile(f"/corpus/{room.twin}$"))
    expect(page.locator(".page-title .status")).to_have_text("accepted")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_score_stands_beside_what_the_rubric_says_of_it(
    room: Showroom, open_page: OpenPage
) -> None:
    page = open_page(f"{room.url}/corpus/{room.finished}.5.0")
    said = page.locator(".criteria dd")
    expect(said).to_have_count(2)
    expect(said.first).to_contain_text("talks so.")
    expect(said.last).to_have_text("It is stiff.")


def test_calls_prompts_history_and_json(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus/{room.duplicate}?tab=calls")
    rows = page.locator(".calls tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("640\xa0ms")
    expect(rows.nth(1)).to_contain_text("up to $0.0012")
    expect(rows.nth(2)).to_contain_text("unknown")
    page.get_by_role("tab", name="Prompts").click()
    expect(page).to_have_url(re.compile("tab=prompts"))
    expect(page.locator(".prompt")).to_have_count(2)
    expect(page.locator(".prompt").last).to_contain_text("You are a helpful assistant.")
    page.get_by_role("tab", name="History").click()
    expect(page.locator(".story li strong")).to_have_text(
        ["step.requested"] * 3 + ["conversation.rejected"]
    )
    page.get_by_role("tab", name="JSON").click()
    expect(page.locator(".json")).to_contain_text(f'"id": "{room.duplicate}"')
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == f"{room.duplicate}.json"


def test_neighbours_are_those_of_the_list(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus?run={room.finished}&status=rejected")
    page.locator(".row-link").nth(1).click()
    expect(page).to_have_url(re.compile(f"/corpus/{room.finished}.8.0\\?.*status=rejected"))
    expect(page.get_by_role("button", name="Next")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("]")
    expect(page).to_have_url(re.compile(f"{room.finished}.7.0\\?"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Conversation 7.0")
    before = page.get_by_role("button", name="Previous")
    expect(before).to_have_attribute("aria-disabled", "false")
    before.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Conversation 8.0")
    expect(before).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("[")
    expect(page.get_by_role("heading", level=1)).to_have_text("Conversation 9.0")
    expect(page.get_by_role("button", name="Previous")).to_have_attribute("aria-disabled", "true")


def test_of_a_long_conversation_only_what_is_near_is_in_the_page(
    room: Showroom, open_page: OpenPage
) -> None:
    page = open_page(f"{room.url}/corpus/{room.long}?turn={LONG - 100}")
    turns = page.locator(".turn")
    chosen = page.locator(f"#turn-{LONG - 100}")
    expect(chosen).to_be_in_viewport()
    expect(chosen).to_have_attribute("data-chosen", "true")
    expect(chosen).to_have_attribute("aria-posinset", str(LONG - 99))
    expect(chosen).to_have_attribute("aria-setsize", str(LONG))
    assert turns.count() < FEW_TURNS
    assert page.locator(".turns *").count() < FEW_TURNS * 12
    expect(page.locator(".turns-note")).to_contain_text("The download under JSON has all")

    page.keyboard.press("End")
    last = page.locator(f"#turn-{LONG - 1}")
    expect(last).to_be_in_viewport()
    expect(chosen).to_have_count(1)  # what the address names stays
    assert turns.count() < FEW_TURNS
    page.keyboard.press("Home")
    expect(page.locator("#turn-0")).to_be_in_viewport()
    expect(last).to_have_count(0)
    until(page, lambda: overlaps(page) == [], "no turn covers another one")


def test_keys_walk_over_turns(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus/{room.long}")
    expect(page.locator("#turn-0")).to_be_in_viewport()
    focus = page.locator(".turn-number:focus")
    for number in (1, 2, 3):
        page.keyboard.press("j")
        expect(focus).to_have_text(str(number))
    for _ in range(30):
        page.keyboard.press("j")
    expect(focus).to_have_text("33")
    expect(page.locator("#turn-32")).to_be_in_viewport()
    page.keyboard.press("k")
    expect(focus).to_have_text("32")
    page.keyboard.press("Tab")
    expect(focus).to_have_text("33")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#turn-32$"))


def overlaps(page: Page) -> list[str]:
    """Turns that cover a part of the next one."""
    boxes = page.locator(".turn").evaluate_all(
        "all => all.map(turn => [turn.id, turn.getBoundingClientRect()])"
        ".map(([id, box]) => [id, box.top, box.bottom])"
    )
    return [
        one[0] for one, other in pairwise(sorted(boxes, key=itemgetter(1))) if other[1] < one[2]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_read_it(
    room: Showroom, open_page: OpenPage, picture: Picture, theme: str
) -> None:
    page = open_page(f"{room.url}/corpus/{room.duplicate}?turn=1", theme=theme)
    found = {}
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
        expect(page.get_by_text("Loading")).to_have_count(0)
        found[tab] = violations(page)
        picture(page, f"conversation-{tab.lower()}-{theme}")
    assert {name: said for name, said in found.items() if said} == {}


def test_a_phone_shows_all_of_it(room: Showroom, open_page: OpenPage, picture: Picture) -> None:
    page = open_page(f"{room.url}/corpus/{room.duplicate}", width=320, height=800)
    expect(page.locator(".hit").first).to_be_visible()
    until_it_fits(page, 320)
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    picture(page, "phone-conversation")


def test_d05_a_reject_stands_beside_its_neighbour(
    room: Showroom, open_page: OpenPage, picture: Picture
) -> None:
    """The words that both have are marked in both; by keyboard, on a narrow screen, and hostile text is only text."""
    rows, run = room.read_model, "run-of-two"
    room.loop.run(rows.execute(_COPY, room.finished, run))
    theirs = ("Well then:", "So <img src=x onerror=alert(1)> pay \u202etxt.exe today, please do.")
    mine = ("Oh <img src=x onerror=alert(1)> pay \u202etxt.exe today, or never.", "No. " * 900)
    other = room.loop.run(rows.conversation(run, 30, turns=theirs * 50))
    near = {"reason": "near_duplicate", "layer": 2, "precedence": 1, "detail": "Most of it."}
    near |= {"neighbour": other, "similarity": 0.81}
    own = room.loop.run(
        rows.conversation(run, 31, turns=mine * 40, status="rejected", layer=2, hit=near)
    )
    page = open_page(f"{room.url}/corpus/{own}", width=320, theme="dark")
    page.get_by_role("link", name="Side by side").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Too near to another conversation")
    expect(page.locator(".alike-facts")).to_contain_text("Similarity 0.810")
    expect(page.locator(".alike-facts")).to_contain_text("Limit 0.7")
    here = page.get_by_role("region", name="This conversation")
    there = page.get_by_role("region", name="The other one")
    for one in (here, there):
        expect(one.locator("mark").first).to_contain_text("img src=x onerror=alert(1)> pay U+202E")
        assert one.locator("img").count() == 0
    assert violations(page) == []
    until_it_fits(page, 320)
    picture(page, "alike-narrow-dark")

    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "light")
    assert violations(page) == []
    picture(page, "alike-light")
    page.get_by_role("button", name="Turn 1 and turn 2").first.press("Enter")
    number = here.get_by_role("button", name="Passage 1: go to it in the other one")
    expect(number).to_be_focused()
    page.keyboard.press("Enter")
    back = there.get_by_role("button", name="Passage 1: go to it in the other one")
    expect(back).to_be_focused()
    expect(back).to_be_in_viewport()
    there.get_by_role("link", name="Later turns").click()
    expect(page).to_have_url(re.compile("theirs=60"))
    expect(there.get_by_text("Turns 61 to 100 of 100")).to_be_visible()
    there.get_by_role("link", name=other).click()
    expect(page).to_have_url(re.compile(f"/corpus/{other}$"))


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_what_was_brought_in_says_where_it_comes_from(
    room: Showroom, open_page: OpenPage, theme: str, width: int
) -> None:
    name = room.loop.run(_brought_in(room.read_model, f"run-read-{theme}-{width}"))
    page = open_page(f"{room.url}/corpus/{name}", theme=theme, width=width)
    origin = page.get_by_role("region", name="Where it comes from")
    expect(origin.locator("p").first).to_have_text("Row 1,017 of old <b>.jsonl")
    expect(page.locator(".conversation-facts")).not_to_contain_text("planned")

    origin.get_by_text("System message", exact=True).click()
    system = origin.locator("pre").first
    expect(system).to_contain_text("<img src=x onerror=alert(1)> U+202E")
    expect(origin.locator("pre").first.locator("img")).to_have_count(0)
    expect(system).not_to_contain_text("The end.")
    origin.get_by_role("button", name=re.compile("Show all")).click()
    expect(system).to_contain_text("The end.")
    origin.get_by_text("2 more fields of the row", exact=True).click()
    expect(origin.locator("dd").last).to_have_text('{"of":["bees",null]}')
    expect(origin).to_contain_text("Too much to keep: picture")
    until_it_fits(page, width)
    assert violations(page) == []

    origin.get_by_role("link", name="old <b>.jsonl").click()
    expect(page).to_have_url(re.compile(r"/imports/imp-1$"))


async def _brought_in(rows: ReadModel, run: str) -> str:
    """A conversation that was row 1,017 of an import which is still there."""
    source = ImportSource(
        id="imp-1", name="old <b>.jsonl", sha256="b" * 64, count=9, turns=18, characters=90
    )
    frozen = snapshot(3).model_copy(update={"source": source})
    for table, row in (
        ("snapshot", {"hash": frozen.hash(), "body": frozen.body()}),
        (
            "import_source",
            {"id": "imp-1", "name": source.name, "format": "jsonl", "status": "ready"},
        ),
    ):
        with suppress(asyncpg.UniqueViolationError):
            await rows.insert(table, **row)
    await rows.run(run, mode="import", snapshot=frozen.hash())
    of = {"persona": "imported", "voice": "imported", "planned_turns": 0}
    name = await rows.conversation(run, 0, turns=("Hi", "Hello"), **of)
    system = "<img src=x onerror=alert(1)> \u202e Be kind. " + "And brief. " * 400 + "The end."
    metadata = {"system": system, "topic": {"of": ["bees", None]}, "<i>": "x" * 300}
    await rows.origin(name, 1_017, metadata=metadata, left_out=["picture"])
    return name
