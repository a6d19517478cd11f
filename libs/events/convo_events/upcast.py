"""Old event shapes brought to today's: one small function for each retired version.

Every event written so far is version 1, so the table is empty. To retire a version: give the event class its new
``v``, keep the old golden file, and add ``("type", old_v): function`` here.
"""

from collections.abc import Callable
from typing import Any

Body = dict[str, Any]

UPCASTERS: dict[tuple[str, int], Callable[[Body], Body]] = {}
"""(type, version) to a function that returns the body in the next version."""


def upcast(body: Body, table: dict[tuple[str, int], Callable[[Body], Body]] = UPCASTERS) -> Body:
    """The body after every upcaster that applies, oldest first."""
    while (step := table.get((body["type"], body.get("v", 1)))) is not None:
        body = step(body)
    return body
