"""How tests read the page of a run, and wait for it. The pages forbid the evaluation of text, so waiting asks again."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

COUNTERS = ("Generated", "Accepted", "Rejected", "Failed")
_ASKED_EVERY_MS = 50
_PATIENCE_MS = 40_000


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
    """Return as soon as it holds."""
    for _ in range(_PATIENCE_MS // _ASKED_EVERY_MS):
        if holds():
            return
        page.wait_for_timeout(_ASKED_EVERY_MS)
    raise AssertionError(f"it never held: {what}")


def until_it_moves(page: Page, generated: int = 2) -> None:
    """Return when so many conversations were generated."""
    expect(page.locator(".counters")).to_be_visible()
    until(page, lambda: counters(page)["Generated"] >= generated, "the run moves")


def open_first_row(page: Page) -> None:
    """Open the first row of a list by keys alone."""
    row = page.locator(".grid-row").first
    expect(row).to_be_visible()
    # The keys are there a moment after the row is.
    until(page, lambda: _chosen_by_key(page, row), "the first row is chosen")
    page.keyboard.press("Enter")


def _chosen_by_key(page: Page, row: Locator) -> bool:
    page.keyboard.press("j")
    return row.get_attribute("aria-selected") == "true"
