"""What axe-core finds wrong with a page, by WCAG 2.2 AA."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page, expect

_AXE = (
    Path(__file__).parents[2]
    / "services/gateway/convo_gateway/web/node_modules/axe-core/axe.min.js"
)
_RUN = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})"


@cache
def _script() -> str:
    return _AXE.read_text()


_SETTLE = """() => {
  for (const one of document.getAnimations())
    if (one.effect?.getComputedTiming().endTime !== Infinity) one.finish();
}"""
"""Colours on their way from one theme to the other are nobody's fault: transitions are at their end at once."""


def violations(page: Page) -> list[str]:
    """One line for each element that breaks a rule."""
    page.evaluate(_script())
    page.evaluate(_SETTLE)
    found = page.evaluate(_RUN)["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


def violations_in_both_themes(page: Page) -> list[str]:
    """The same in the light and in the dark theme of somebody who lets the system choose."""
    found = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", theme)
        found += [f"{theme}: {said}" for said in violations(page)]
    return found
