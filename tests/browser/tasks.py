"""What a page costs: the time that its main thread worked, which a busy machine does not change."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import orjson
from playwright.sync_api import Browser, Page

_TASK = "ThreadControllerImpl::RunTask"


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
