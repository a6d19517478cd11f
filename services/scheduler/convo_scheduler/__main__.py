"""``python -m convo_scheduler``: the service."""

import sys

from convo_events.service import Parts, run_service
from convo_scheduler.handlers import Scheduler


async def build(parts: Parts) -> Scheduler:
    """The room on its parts."""
    return Scheduler(parts)


if __name__ == "__main__":
    sys.exit(run_service("scheduler", build))
