"""How tests read pages, and wait for them. The pages forbid the evaluation of text, so waiting asks again."""

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Locator, Page, expect

PATIENCE_MS = 60_000
"""How long a test waits for what has to come; nothing is lost where it comes at once."""
COUNTERS = ("Generated", "Accepted", "Rejected", "Failed")
KEEP_NOTIFICATIONS = """
window.notified = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node instanceof Element)
        for (const one of [node, ...node.querySelectorAll("*")])
          if (one.matches(".mantine-Notification-root")) window.notified.push(one.textContent);
}).observe(document, { subtree: true, childList: true });
"""
"""A script of each page: notifications go by themselves, sooner than a test on a busy machine may look."""
_ASKED_EVERY_MS = 50
_IDLE = "() => new Promise((done) => requestIdleCallback(() => done()))"
_WIDTH = "document.documentElement.scrollWidth"


def section(page: Page, name: str) -> Locator:
    """A part of the page by its heading."""
    return page.get_by_role("region", name=name, exact=True)


def counter(page: Page, name: str) -> Locator:
    """The value of a counter."""
    return page.locator(f'[data-counter="{name}"] dd')


def counters(page: Page) -> dict[str, int]:
    """The counters of conversations."""
    return {name: int(counter(page, name).inner_text()) for name in COUNTERS}


def until(page: Page, holds: Callable[[], object], what: str) -> None:
    """Return as soon as it holds; asking has to change nothing, or nothing more than once."""
    for _ in range(PATIENCE_MS // _ASKED_EVERY_MS):
        if holds():
            return
        page.wait_for_timeout(_ASKED_EVERY_MS)
    raise AssertionError(f"it never held: {what}")


def until_it_moves(page: Page, generated: int = 2) -> None:
    """Return when so many conversations were generated."""
    expect(page.locator(".counters")).to_be_visible()
    until(page, lambda: counters(page)["Generated"] >= generated, "the run moves")


def until_told(page: Page, pattern: str) -> None:
    """Return when a notification has said so, even if it is gone by now."""
    until(
        page,
        lambda: any(re.search(pattern, said) for said in page.evaluate("window.notified")),
        f"a notification says {pattern}",
    )


def until_idle(page: Page) -> None:
    """Return when a page has done what follows on its being drawn, such as to listen to Escape."""
    page.evaluate(_IDLE)


def until_it_fits(page: Page, width: int) -> None:
    """Return when nothing sticks out at the right: what is as wide as its box follows a moment after the box."""
    until(page, lambda: page.evaluate(_WIDTH) <= width, f"it fits into {width} pixels")


def until_address(page: Page, wanted: dict[str, str]) -> None:
    """Return when the search of the address says this and nothing else, in whatever order."""
    until(page, lambda: address(page) == wanted, f"the address says {wanted}")


def address(page: Page) -> dict[str, str]:
    """What the search of the address says, whatever its order."""
    return dict(parse_qsl(urlsplit(page.url).query))


def scroll_to(page: Page, part: Locator, shown: Locator, many: int) -> None:
    """Scroll to a part that is read when somebody sees it, until it shows so much; what is above it may still grow."""

    def shows() -> bool:
        part.evaluate("part => part.scrollIntoView()")
        return shown.count() == many

    until(page, shows, "the part is read")
    part.evaluate("part => part.scrollIntoView()")


def flip(switch: Locator) -> None:
    """Turn a switch by its key: its box is hidden, and may move while the page grows."""
    was = switch.is_checked()
    switch.press("Space")
    expect(switch).to_be_checked(checked=not was)


def choose_by_key(page: Page, option: Locator) -> None:
    """Choose the one option that a list shows; the list takes keys a moment after it is shown."""

    def is_chosen() -> bool:
        page.keyboard.press("ArrowDown")
        return option.get_attribute("data-combobox-selected") == "true"

    until(page, is_chosen, "the option is chosen")
    page.keyboard.press("Enter")


def open_first_row(page: Page) -> None:
    """Open the first row of a list by keys alone."""
    row = page.locator(".grid-row").first
    expect(row).to_be_visible()
    page.keyboard.press("j")
    expect(row).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
