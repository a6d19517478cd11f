"""The corpus: narrowed, searched in any script, looked into and walked by keys; all of it in the address."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.axe import violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.long_list import LongList, a_list
from tests.browser.reading import address, until_address, until_it_fits
from tests.gateway.read_model import ReadModel
from tests.listing import list_new

Picture = Callable[[Page, str], None]

MANY = 960
_CONVERSATIONS = """
insert into conversation select (jsonb_populate_record(c, jsonb_build_object(
  'id', $2 || '.' || n || '.0', 'run', $2, 'thread', n, 'preview', 'Question number ' || n, 'seq', n, 'settled_seq', n,
  'status', case when n % 8 = 0 then 'rejected' when n % 80 = 1 then 'failed' else 'accepted' end,
  'reason', case when n % 16 = 0 then 'stage_direction' when n % 8 = 0 then 'wrong_length'
    when n % 80 = 1 then 'judge_failed' else '' end,
  'layer', case when n % 8 = 0 then 1 when n % 80 = 1 then 0 end,
  'score', case when n % 80 <> 1 then n % 40 / 10.0 + 1 end,
  'persona', 'persona-' || n % 12, 'voice', 'voice-' || n % 3, 'turns', 2 + n % 7, 'words', 40 + n,
  'cost_micro', 1000 * n, 'created_at', c.created_at + n * interval '1 minute'))).*
from conversation c, generate_series(1, $1) n where c.id = 'run-b.0.0'
"""
_TURNS = """
insert into turn (conversation, number, role, body, finish)
select c.id, n, case n when 0 then 'user' else 'assistant' end,
  case when n = 1 then 'It depends on the weather.' when c.thread = 700 then 'أين طلبي؟ أريد استرداد المال'
    when c.thread = 701 then '我想要退款，谢谢你们' else 'Question number ' || c.thread end, 'stop'
from conversation c, generate_series(0, 1) n where c.run = $1 and c.id <> 'run-b.0.0'
"""


async def fill(read_model: ReadModel) -> None:
    await read_model.run("run-b", name="By day", config="slow")
    await read_model.run("run-a", name="Nightly", config="quick", mode="sessions", language="en")
    await read_model.conversation("run-b", 0, turns=("The first of all", "Yes."))
    await read_model.execute(_CONVERSATIONS, MANY - 1, "run-a")
    await read_model.execute(_TURNS, "run-a")
    await list_new(read_model.url, "run-a")


@pytest.fixture(scope="module")
def corpus(infrastructure: Infrastructure) -> Iterator[LongList]:
    with a_list(infrastructure, 0) as running:
        running.loop.run(fill(running.read_model))
        yield running


def matches(page: Page) -> Locator:
    return page.locator(".matches")


def active(page: Page) -> str:
    return page.locator('.grid-row[aria-selected="true"] .row-link').inner_text()


def test_filters_survive_reload_and_back(corpus: LongList, open_page: OpenPage) -> None:
    page = open_page(f"{corpus.url}/corpus")
    expect(matches(page)).to_have_text("960 conversations")
    filters = page.get_by_role("complementary", name="Filters")
    filters.get_by_label("rejected 119").click()
    expect(matches(page)).to_have_text("119 of 960 conversations")
    filters.get_by_label("stage_direction 59").click()
    expect(matches(page)).to_have_text("59 of 960 conversations")
    # The other choices of a field say what they would leave.
    expect(filters.get_by_label("wrong_length 60")).to_be_visible()
    until_address(page, {"status": "rejected", "reason": "stage_direction"})

    length = page.get_by_label("Turns, at least")
    length.press_sequentially("8", delay=10)
    expect(matches(page)).to_have_text("9 of 960 conversations")
    page.reload()
    expect(matches(page)).to_have_text("9 of 960 conversations")
    expect(length).to_have_value("8")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "10")
    # Typing replaces; choosing is a step of the history.
    page.go_back()
    expect(matches(page)).to_have_text("119 of 960 conversations")

    page.get_by_role("button", name="Do not filter by Verdict: rejected").click()
    expect(matches(page)).to_have_text("960 conversations")
    expect(page).to_have_url(f"{corpus.url}/corpus")


def test_text_is_found_in_arabic_and_chinese(corpus: LongList, open_page: OpenPage) -> None:
    page = open_page(f"{corpus.url}/corpus?status=accepted")
    search = page.get_by_label("Search the text of the turns")
    search.fill('"weather it"')
    expect(page.get_by_text("No conversation is like that")).to_be_visible()
    search.fill("退款")
    expect(matches(page)).to_have_text("1 of 960 conversations")
    expect(page.locator(".row-id")).to_have_count(1)
    expect(page.locator(".row-id")).to_have_text("run-a.701.0")
    until_address(page, {"status": "accepted", "q": "退款"})
    page.get_by_role("button", name="Clear filters").click()
    expect(matches(page)).to_have_text("960 conversations")
    expect(search).to_have_value("")
    search.fill("طلبي المال")
    expect(matches(page)).to_have_text("1 of 960 conversations")
    expect(page.get_by_text("run-a.700.0", exact=True)).to_be_visible()


def test_keys_look_into_rows_and_every_look_has_its_address(
    corpus: LongList, open_page: OpenPage, picture: Picture
) -> None:
    page = open_page(f"{corpus.url}/corpus?sort=-score&status=accepted")
    expect(page.locator(".grid-row").first).to_be_visible()
    peek = page.get_by_role("region", name="Peek")
    page.keyboard.press("p")
    expect(peek).to_be_visible()
    first = active(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    shown = active(page)
    assert shown != first
    look = f"run-a.{shown.removeprefix('Question number ')}.0"
    until_address(page, {"status": "accepted", "sort": "-score", "peek": look})
    expect(peek.get_by_text(shown, exact=True)).to_be_visible()
    picture(page, "corpus-peek")
    assert violations_in_both_themes(page) == []

    # The address of the look is enough; K walks on from it, Escape closes it.
    page.reload()
    expect(peek.get_by_text(shown, exact=True)).to_be_visible()
    expect(page.locator('.grid-row[aria-selected="true"]')).to_be_visible()
    page.keyboard.press("k")
    expect(peek.get_by_text(active(page), exact=True)).to_be_visible()
    assert active(page) not in (first, shown)
    page.keyboard.press("Escape")
    expect(peek).to_be_hidden()
    until_address(page, {"status": "accepted", "sort": "-score"})

    # Opened, its neighbours are those of the same list in the same order.
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(r"/corpus/run-a\.\d+\.0\?"))
    until_address(page, {"status": "accepted", "sort": "-score"})
    here = page.url
    following, before = (page.get_by_role("button", name=name) for name in ("Next", "Previous"))
    expect(following).to_have_attribute("aria-disabled", "false")
    following.click()
    expect(page).not_to_have_url(here)
    expect(before).to_have_attribute("aria-disabled", "false")
    before.click()
    expect(page).to_have_url(here)


def test_a_view_keeps_filter_columns_and_density(
    corpus: LongList, open_page: OpenPage, picture: Picture
) -> None:
    page = open_page(f"{corpus.url}/corpus?status=failed&sort=cost&density=compact")
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="Words").click()
    expect(page.get_by_role("checkbox", name="Words")).to_be_checked()
    page.get_by_role("checkbox", name="Reason").click()
    expect(page.get_by_role("checkbox", name="Reason")).not_to_be_checked()
    page.keyboard.press("Escape")
    expect(page.get_by_role("columnheader", name="Words")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Reason")).to_be_hidden()
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save as a new view").click()
    page.get_by_label("Name").fill("What failed")
    picture(page, "corpus-save-view")
    page.get_by_role("button", name="Save view").click()
    expect(page).to_have_url(re.compile(r"view=view-\w+"))
    saved = address(page)

    page.goto(f"{corpus.url}/corpus")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="What failed").click()
    expect(matches(page)).to_have_text("12 of 960 conversations")
    until_address(page, saved)
    expect(page.get_by_role("columnheader", name="Words")).to_be_visible()

    page.get_by_role("button", name="What failed").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete view").click()
    expect(page.get_by_role("button", name="Views")).to_be_visible()
    expect(page).to_have_url(re.compile("status=failed(?!.*view=)"))


@pytest.mark.parametrize("width", [1280, 320])
def test_the_page_is_accessible(
    corpus: LongList, open_page: OpenPage, picture: Picture, width: int
) -> None:
    page = open_page(f"{corpus.url}/corpus?persona=persona-3&cost=..0.5", width=width, height=800)
    expect(matches(page)).to_have_text("42 of 960 conversations")
    if width == 320:
        page.get_by_role("button", name="Filters (2)").click()
    expect(page.get_by_role("complementary", name="Filters")).to_be_visible()
    assert violations_in_both_themes(page) == []
    until_it_fits(page, width)
    picture(page, f"corpus-filters-{width}")


@pytest.fixture
def alone(infrastructure: Infrastructure) -> Iterator[LongList]:
    """A gateway of a test that removes what it has, which others would miss."""
    with a_list(infrastructure, 0) as running:
        yield running


def test_s08_what_is_gone_is_asked_for_once_more_and_never_again(
    alone: LongList, open_page: OpenPage
) -> None:
    async def begin(read_model: ReadModel) -> None:
        await read_model.run("run-gone")
        await read_model.conversation("run-gone", 0, turns=("Hello",), status="open")

    async def remove(read_model: ReadModel) -> None:
        for table in ("conversation", "corpus", "run_view"):
            await read_model.execute(f"delete from {table} where run = 'run-gone'")

    alone.loop.run(begin(alone.read_model))
    page = open_page("about:blank", quiet=False)
    page.clock.install()
    answers: list[int] = []
    page.on(
        "response",
        lambda reply: answers.append(reply.status) if "/run-gone.0.0?" in reply.url else None,
    )
    page.goto(f"{alone.url}/corpus/run-gone.0.0?tab=json")
    expect(page.locator(".turn")).to_be_visible()
    alone.loop.run(remove(alone.read_model))
    page.clock.fast_forward(5_000)
    expect(page.get_by_role("alert")).to_contain_text("There is no conversation run-gone.0.0")
    for _ in range(5):
        page.clock.fast_forward(5_000)
    # Whatever was asked for before this is answered before it.
    page.evaluate("fetch('/api/v1/views').then((reply) => reply.text())")
    assert answers.count(404) == 1
