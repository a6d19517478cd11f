"""A run that is watched while it goes: through an outage of the gateway, and no counter ever falls."""

import signal

from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.reading import COUNTERS, counter, section, until, until_it_moves
from tests.browser.site import Site
from tests.fake_provider.rules import Answer, Match, Rule

WATCH = """
window.badges = []; window.falls = []; window.seen = {};
setInterval(() => {
  const badge = document.querySelector('.connection')?.textContent;
  if (badge && window.badges.at(-1) !== badge) window.badges.push(badge);
  for (const name of ['Generated', 'Accepted', 'Rejected', 'Failed']) {
    const shown = document.querySelector(`[data-counter=${name}] dd`);
    if (!shown) continue;
    const value = Number(shown.textContent.replaceAll(',', ''));
    if (value < (window.seen[name] ?? 0)) window.falls.push([name, window.seen[name], value]);
    window.seen[name] = value;
  }
}, 20);
"""


def watched(open_page: OpenPage, site: Site, target: int) -> tuple[Page, str]:
    body = {"config": "fake-config", "name": "watched", "target_count": target}
    run = str(site.send("POST", "/api/v1/runs", body)["id"])
    page = open_page("about:blank", quiet=False)
    page.add_init_script(WATCH)
    page.goto(f"{site.url}/runs/{run}")
    until_it_moves(page)
    return page, run


def test_the_gateway_is_killed_and_comes_back(site: Site, open_page: OpenPage) -> None:
    site.provider.program(latency=0.3)
    page, run = watched(open_page, site, 60)
    badge = page.locator(".connection")
    expect(badge).to_have_text("live")
    before = page.evaluate("window.seen.Generated")

    site.loop.run(site.pipeline.stack.restart("gateway", signal.SIGKILL))
    until(page, lambda: len(page.evaluate("window.badges")) >= 3, "the badge tells it")
    expect(badge).to_have_text("live")
    until(page, lambda: page.evaluate("window.seen.Generated") > before, "it goes on")

    site.until(run, "completed")
    expect(page.locator(".page-title .status")).to_have_text("completed")
    told = site.send("GET", f"/api/v1/runs/{run}")
    for name in COUNTERS:
        expect(counter(page, name)).to_have_text(str(told[name.lower()]))
    assert page.evaluate("window.falls") == []
    assert page.evaluate("window.badges").count("live") >= 2


def test_rejects_come_in_as_they_are_made(site: Site, open_page: OpenPage) -> None:
    acts = Rule(
        Match(model="writer", text="helpful assistant"), Answer("*smiles warmly* Hello to you all.")
    )
    site.provider.program(acts, latency=0.3)
    page, run = watched(open_page, site, 16)
    last = section(page, "Last 10 rejects").get_by_role("listitem")
    expect(last.first).to_contain_text("*smiles warmly*")
    assert violations(page) == []
    site.until(run, "completed")
    expect(last).to_have_count(10)
    expect(page.locator(".reasons tbody tr td").nth(2)).to_have_text("16")
    newest = site.send("GET", f"/api/v1/runs/{run}/rejects")["last"]
    expect(last.locator(".last-reject-id")).to_have_text(
        [one["id"][len(run) + 1 :] for one in newest]
    )
