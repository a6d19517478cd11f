"""The craft of stage ``gen``: each kind of step has one of its own. Pure."""

from convo_events.outcomes import StepFact, StepFailed
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepKind, StepRequested
from convo_events.usage import Call
from convo_generator.memory import Remembering
from convo_generator.roughen import Roughen
from convo_generator.writing import Writing
from convo_models.backends.protocol import ChatReply
from convo_models.paid_room import Craft
from convo_models.paid_work import Order
from convo_models.past import Past


class Generating:
    """Hands each step to its craft."""

    def __init__(self) -> None:
        """One craft a kind of step."""
        self._crafts: dict[StepKind, Craft] = {
            "generate": Writing(),
            "roughen": Roughen(),
            "memory": Remembering(),
        }

    def order(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw, past: Past
    ) -> Order | StepFailed:
        """What to ask for a step, or why nothing can be asked."""
        return self._crafts[step.kind].order(step, snapshot, drawn, past)

    def read(
        self,
        step: StepRequested,
        snapshot: Snapshot,
        drawn: Draw,
        past: Past,
        reply: ChatReply,
        call: Call,
    ) -> StepFact:
        """What an answer is worth."""
        return self._crafts[step.kind].read(step, snapshot, drawn, past, reply, call)
