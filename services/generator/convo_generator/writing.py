"""Turns: what is asked for the next one, or for a whole script, and what an answer is worth. Pure."""

from convo_events.conversations import Role, Turn
from convo_events.outcomes import Generated, StepFact, StepFailed
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.usage import Call
from convo_generator import asking, dialogue, script
from convo_generator.malformed import Malformed
from convo_models.backends.protocol import ChatReply
from convo_models.paid_work import Order
from convo_models.past import Past
from convo_models.prompts import TemplateProblem


class Writing:
    """The craft of steps of kind ``generate``, in every mode."""

    def order(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw, past: Past
    ) -> Order | StepFailed:
        """The next turn, or the whole script."""
        try:
            if snapshot.config.speaks_in_turn:
                role, messages = dialogue.messages(snapshot, drawn, past)
                return asking.order(step, snapshot, drawn, role, messages)
            messages, schema = script.messages(snapshot, drawn), script.schema(drawn)
            return asking.order(step, snapshot, drawn, "script", messages, schema)
        except TemplateProblem as problem:
            return asking.failed(step, "generation_failed", str(problem), None)

    def read(
        self,
        step: StepRequested,
        snapshot: Snapshot,
        drawn: Draw,
        past: Past,
        reply: ChatReply,
        call: Call,
    ) -> StepFact:
        """New turns, or why the answer has none."""
        if (nothing := asking.unusable(step, reply, call)) is not None:
            return nothing
        if not snapshot.config.speaks_in_turn:
            turns = script.parse(reply.text)
            if isinstance(turns, Malformed):
                return asking.malformed_reply(step, reply, turns, call)
            return _generated(step, turns, reply, call)
        speaker: Role = "user" if step.turn % 2 == 0 else "assistant"
        said = dialogue.turn_from_reply(reply.text, speaker)
        if isinstance(said, Malformed):
            return asking.failed(step, "malformed_output", said.detail, call, again=True)
        return _generated(step, (Turn(role=speaker, text=said),), reply, call)


def _generated(
    step: StepRequested, turns: tuple[Turn, ...], reply: ChatReply, call: Call
) -> Generated:
    return Generated.of(step, turns=turns, first_turn=step.turn, finish=reply.finish, call=call)
