"""What axe-core finds wrong with a page, by WCAG 2.2 AA."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

_AXE = (
    Path(__file__).parents[2]
    / "services/gateway/convo_gateway/web/node_modules/axe-core/axe.min.js"
)
_RUN = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})"


@cache
def _script() -> str:
    return _AXE.read_text()


def violations(page: Page) -> list[str]:
    """One line for each element that breaks a rule."""
    page.evaluate(_script())
    found = page.evaluate(_RUN)["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]
