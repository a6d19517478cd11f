"""``python -m convo_generator``: the service."""

import sys

from convo_events.service import Parts, run_service
from convo_generator.handlers import Generating
from convo_generator.imported import Imported
from convo_models.paid_room import PaidRoom


async def build(parts: Parts) -> PaidRoom:
    """The room on its parts."""
    return PaidRoom(parts, "gen", Generating(), unasked=Imported(parts.pool))


if __name__ == "__main__":
    sys.exit(run_service("generator", build))
