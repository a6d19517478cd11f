"""What a page costs: the work of its main thread. Others on the machine do not change it; a slow machine does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import orjson
from playwright.sync_api import Browser, Page

_TASK = "ThreadControllerImpl::RunTask"
_KNOWN = """() => {
  const words = new Map();
  for (let at = 0; at < 400_000; at++) {
    const word = `word ${at % 5_000}`;
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  return words.size;
}"""
_KNOWN_MS = 60.0
"""What that takes where the limits of tests come from."""


@dataclass
class Work:
    """Tasks of main threads, in milliseconds of processor time."""

    tasks_ms: list[float] = field(default_factory=list)

    @property
    def longest_ms(self) -> float:
        return max(self.tasks_ms)


@contextmanager
def watched_work(browser: Browser, page: Page) -> Iterator[Work]:
    """What is done meanwhile; to be read after the end."""
    work = Work()
    browser.start_tracing(page=page, categories=["toplevel"])
    try:
        yield work
    finally:
        trace = orjson.loads(browser.stop_tracing())["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in trace
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    work.tasks_ms += [
        event["tdur"] / 1_000
        for event in trace
        if event["name"] == _TASK and (event["pid"], event["tid"]) in mains and "tdur" in event
    ]


def slowness(browser: Browser, page: Page) -> float:
    """How many times as long as there the page's main thread works here for the same; at least 1."""
    with watched_work(browser, page) as known:
        page.evaluate(_KNOWN)
    return max(1.0, known.longest_ms / _KNOWN_MS)
