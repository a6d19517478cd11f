"""``python -m convo_judge``: the service."""

import sys

from convo_events.service import Parts, run_service
from convo_judge.earlier import EarlierVerdicts
from convo_judge.handlers import Judging
from convo_models.paid_room import PaidRoom


async def build(parts: Parts) -> PaidRoom:
    """The room on its parts."""
    return PaidRoom(parts, "judge", Judging(), earlier=EarlierVerdicts(parts.pool))


if __name__ == "__main__":
    sys.exit(run_service("judge", build))
