"""The page of a conversation whose persona came back, and whose user turns were roughened."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import until_it_fits
from tests.browser.showroom import Showroom, a_showroom

RUN = "run-returning"
MEMORY = "Has <b>three</b> hives \u202eon the roof. Waits for order 4711."
TURNS = (
    "where is my order 4711",
    "It left the warehouse on Monday, so it should be there tomorrow.",
    "I do not want it any more if it takes that long.",
    "Then refuse the parcel at the door; the money comes back on its own.",
)


@pytest.fixture(scope="module")
def room(infrastructure: Infrastructure) -> Iterator[Showroom]:
    with a_showroom(infrastructure) as running:
        running.loop.run(_fill(running))
        yield running


async def _fill(room: Showroom) -> None:
    rows = room.read_model
    await rows.run(RUN, mode="sessions", name="They come back")
    for number in range(3):
        await rows.conversation(RUN, 0, number, turns=TURNS)
    place = {"run": RUN, "thread": 0, "number": 0, "conversation": f"{RUN}.0.0"}
    await rows.insert("memory", **place, body=MEMORY, cut=True)
    await rows.execute(
        "update turn set raw = 'Where is my order 4711?' where conversation = $1 and number = 0",
        f"{RUN}.0.1",
    )
    await rows.execute(
        "update turn set kept = 'a negation was lost' where conversation = $1 and number = 2",
        f"{RUN}.0.1",
    )
    await rows.execute("update conversation set roughened = 1 where id = $1", f"{RUN}.0.1")
    gave_up = (
        "roughen_gave_up = 'malformed_output: no JSON', memory_gave_up = 'backend_refused: no'"
    )
    await rows.execute(f"update conversation set {gave_up} where id = $1", f"{RUN}.0.2")


def test_memory_stands_before_and_after(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus/{RUN}.0.1")
    page.get_by_role("tab", name="Memory").click()
    expect(page).to_have_url(re.compile("tab=memory"))
    before = page.locator(".memory pre")
    expect(before).to_have_count(1)
    expect(before).to_contain_text("<b>three</b> hives")
    assert "\u202e" not in before.inner_text()
    expect(page.locator(".memory")).to_contain_text("it was cut to what the config lets stand")
    expect(page.locator(".memory")).to_contain_text(
        "No memory could be made (backend_refused: no). The next conversation starts from the memory before."
    )
    page.locator(".memory").get_by_role("link", name=f"{RUN}.0.0").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Conversation 0.0")
    page.get_by_role("tab", name="Memory").click()
    expect(page.locator(".memory")).to_contain_text("no earlier conversation of this persona")


def test_turns_are_shown_as_typed_or_as_generated(room: Showroom, open_page: OpenPage) -> None:
    page = open_page(f"{room.url}/corpus/{RUN}.0.1")
    first, third = page.locator("#turn-0"), page.locator("#turn-2")
    expect(first.locator(".turn-text")).to_have_text(TURNS[0])
    expect(first).to_contain_text("roughened")
    expect(third).to_contain_text("not roughened: a negation was lost")
    expect(page.locator(".raw-text")).to_contain_text("1 turn roughened, 1 kept as generated.")
    page.get_by_text("As generated", exact=True).click()
    expect(page).to_have_url(re.compile("text=generated"))
    expect(first.locator(".turn-text")).to_have_text("Where is my order 4711?")
    page.reload()
    expect(first.locator(".turn-text")).to_have_text("Where is my order 4711?")
    page.get_by_text("As typed", exact=True).click()
    expect(first.locator(".turn-text")).to_have_text(TURNS[0])

    page.goto(f"{room.url}/corpus/{RUN}.0.2")
    expect(page.locator(".raw-text")).to_contain_text("No turn was roughened: malformed_output")


def test_a_conversation_without_either_says_nothing_of_them(
    room: Showroom, open_page: OpenPage
) -> None:
    page = open_page(f"{room.url}/corpus/{room.duplicate}?tab=memory&text=generated")
    expect(page.get_by_role("tab", name="Verdicts")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Memory")).to_have_count(0)
    expect(page.locator(".raw-text")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_can_be_used_by_everybody(
    room: Showroom, open_page: OpenPage, theme: str, width: int
) -> None:
    page = open_page(f"{room.url}/corpus/{RUN}.0.1?tab=memory", theme=theme, width=width)
    expect(page.locator(".memory pre")).to_be_visible()
    assert violations(page) == []
    until_it_fits(page, width)
