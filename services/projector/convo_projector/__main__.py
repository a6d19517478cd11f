"""``python -m convo_projector``: the service."""

import sys

from convo_events.service import Parts, run_service
from convo_projector.follow import Projector


async def build(parts: Parts) -> Projector:
    """The room on its parts."""
    return Projector(parts)


if __name__ == "__main__":
    sys.exit(run_service("projector", build))
