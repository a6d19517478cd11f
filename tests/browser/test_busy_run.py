"""The page of a run that makes more than 50 conversations a second answers at once."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.busy_run import BEFORE, RUN, make_busy_run
from tests.browser.conftest import OpenPage
from tests.browser.reading import counter, section
from tests.browser.showroom import Showroom, a_showroom
from tests.browser.tasks import slowness, watched_work

LONGEST_MS = 100
"""On a machine that is as fast as the one where it was measured."""
FRAME_BYTES = 2_000
SECONDS = 12
"""Long enough for everything that the page reads again while it is live."""
FRAME_MS = 50
"""Five times as often as the gateway: the page itself must not draw more than it has to."""


@pytest.fixture(scope="module")
def room(infrastructure: Infrastructure) -> Iterator[Showroom]:
    with a_showroom(infrastructure) as running:
        yield running


def test_no_task_is_long(
    room: Showroom,
    open_page: OpenPage,
    browser: Browser,
    record_property: Callable[[str, object], None],
) -> None:
    feed = room.loop.run(make_busy_run(room))
    page = open_page("about:blank")
    page.route_web_socket("**/api/v1/live*", feed.answer)
    page.goto(f"{room.url}/runs/{RUN}")
    expect(page.locator(".connection")).to_have_text("live")
    expect(section(page, "Throughput").get_by_role("img")).to_be_visible()
    expect(section(page, "Diversity").get_by_role("img")).to_be_visible()

    slower = slowness(browser, page)
    with watched_work(browser, page) as work:
        feed.run(page, room, seconds=SECONDS, frame_ms=FRAME_MS)

    record_property("longest_task_ms", work.longest_ms)
    record_property("slowness", slower)
    assert feed.outcomes / feed.seconds >= 50
    assert max(len(frame.encode()) for frame in feed.frames) < FRAME_BYTES
    assert work.longest_ms < LONGEST_MS * slower
    expect(counter(page, "Generated")).to_have_text(f"{BEFORE + feed.outcomes:,}")
    expect(section(page, "Last 10 rejects").get_by_role("listitem")).to_have_count(10)
