"""``python -m convo_filters``: the service."""

import sys

from convo_events.service import Parts, run_service
from convo_filters.handlers import Filters


async def build(parts: Parts) -> Filters:
    """The room on its parts."""
    return Filters(parts)


if __name__ == "__main__":
    sys.exit(run_service("filters", build))
