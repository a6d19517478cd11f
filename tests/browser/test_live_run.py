"""A run that is watched while it goes: through an outage of the gateway, and no counter ever falls."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.axe import violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.own_gateway import own_gateway
from tests.browser.reading import COUNTERS, counter, section, until, until_it_fits, until_it_moves
from tests.browser.site import Site, held_from
from tests.fake_provider.rules import Answer, Held, Match, Rule, Window

WATCH = """
window.badges = []; window.falls = []; window.seen = {};
const look = () => {
  const badge = document.querySelector('.connection')?.textContent;
  if (badge && window.badges.at(-1) !== badge) window.badges.push(badge);
  for (const name of ['Generated', 'Accepted', 'Rejected', 'Failed']) {
    const shown = document.querySelector(`[data-counter=${name}] dd`);
    if (!shown) continue;
    const value = Number(shown.textContent.replaceAll(',', ''));
    if (value < (window.seen[name] ?? 0)) window.falls.push([name, window.seen[name], value]);
    window.seen[name] = value;
  }
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Sees whatever is drawn, however short."""


Frames = list[str | bytes]
FRAME_BYTES = 2_000


def watch(page: Page, url: str) -> Frames:
    """Open a run; every frame that its websockets bring from now on."""
    frames: Frames = []
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame))
    )
    page.add_init_script(WATCH)
    page.goto(url)
    until_it_moves(page)
    return frames


def changes_are_small(frames: Frames) -> None:
    """Every change fits into 2 kB."""
    sizes = [len(frame) for frame in map(as_bytes, frames) if b'"op":"delta"' in frame[:20]]
    assert sizes
    assert max(sizes) < FRAME_BYTES


def as_bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame


def test_the_gateway_is_killed_and_comes_back(
    site: Site, open_page: OpenPage, tmp_path: Path
) -> None:
    site.provider.program(held_from(16))
    run = site.start(name="watched", target_count=48)
    page = open_page("about:blank", quiet=False)
    page.clock.install()
    badge = page.locator(".connection")
    with own_gateway(site, tmp_path / "gateway.log") as gateway:
        frames = watch(page, f"{gateway.url}/runs/{run}")
        expect(badge).to_have_text("live")
        before = page.evaluate("window.seen.Generated")
        shown = len(page.evaluate("window.badges"))

        gateway.kill()
        until(page, lambda: page.evaluate("window.badges")[shown:], "the line is lost")
        page.clock.fast_forward(10_000)
        expect(badge).to_have_text("offline")
        assert page.evaluate("window.seen.Generated") >= before, "what was known stays"
        site.provider.program(held_from(16))
        site.loop.run(site.pipeline.until(run, lambda view: view["generated"] > before))
        assert page.evaluate("window.badges")[shown:] == ["reconnecting", "offline"]

        gateway.start()
        page.clock.fast_forward(10_000)
        expect(badge).to_have_text("live")
        until(page, lambda: page.evaluate("window.seen.Generated") > before, "it goes on")
        site.provider.program()
        site.until(run, "completed")
        expect(page.locator(".page-title .status")).to_have_text("completed")
        told = site.send("GET", f"/api/v1/runs/{run}")
        for name in COUNTERS:
            expect(counter(page, name)).to_have_text(str(told[name.lower()]))
    assert page.evaluate("window.falls") == []
    changes_are_small(frames)


def test_rejects_come_in_as_they_are_made(site: Site, open_page: OpenPage) -> None:
    acts = Rule(
        Match(model="writer", text="helpful assistant"), Answer("*smiles warmly* Hello to you all.")
    )
    # The eighth user and those after it wait: it goes on while all of it is looked at.
    waits = Rule(Match(model="writer", text="You write:", window=Window(first=8)), Held())
    site.provider.program(acts, waits)
    run = site.start(name="watched", target_count=24)
    page = open_page("about:blank")
    frames = watch(page, f"{site.url}/runs/{run}")
    last = section(page, "Last 10 rejects").get_by_role("listitem")
    expect(last).to_have_count(7)
    expect(last.first).to_contain_text("*smiles warmly*")
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    until_it_fits(page, 320)
    assert violations_in_both_themes(page) == []
    expect(page.locator(".page-title .status")).to_have_text("running")
    site.provider.program(acts)
    site.until(run, "completed")
    expect(last).to_have_count(10)
    expect(page.locator(".reasons tbody tr td").nth(2)).to_have_text("24")
    newest = site.send("GET", f"/api/v1/runs/{run}/rejects")["last"]
    expect(last.locator(".last-reject-id")).to_have_text(
        [one["id"][len(run) + 1 :] for one in newest]
    )
    changes_are_small(frames)
