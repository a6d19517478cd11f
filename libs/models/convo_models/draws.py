"""The plan of the conversations that a worker has in hand, drawn once for all their steps."""

from collections import OrderedDict

from convo_events.plan import Draw, draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested

KEPT = 4_096


class Draws:
    """The last few draws."""

    def __init__(self) -> None:
        """Start with none."""
        self._kept: OrderedDict[tuple[str, int, int], Draw] = OrderedDict()

    def get(self, step: StepRequested, snapshot: Snapshot) -> Draw:
        """The draw of the conversation that a step belongs to."""
        key = (step.snapshot, step.thread, step.conversation)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = draw(snapshot, step.thread, step.conversation)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found
