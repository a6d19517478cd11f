"""What the generator asks for each step, and what it makes of the answer. Pure."""

from convo_events.conversations import Role, Turn
from convo_events.outcomes import Generated, StepFact, StepFailed
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.usage import Call, CallRole
from convo_generator import dialogue, script
from convo_generator.malformed import Malformed
from convo_models.backends.protocol import ChatReply, ChatRequest
from convo_models.paid_work import Order
from convo_models.prompts import TemplateProblem


class Writing:
    """The craft of stage ``gen``, modes ``dialogue`` and ``scripted``."""

    def order(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw, turns: tuple[Turn, ...]
    ) -> Order | StepFailed:
        """The next turn in a dialogue, or the whole script."""
        role: CallRole
        try:
            if snapshot.config.mode == "scripted":
                role, messages = "script", script.messages(snapshot, drawn)
            else:
                role, messages = dialogue.messages(snapshot, drawn, turns)
        except TemplateProblem as problem:
            return _failed(step, "generation_failed", str(problem), None)
        chosen = snapshot.role(role)
        request = ChatRequest(
            model=chosen.model,
            messages=messages,
            max_tokens=chosen.max_tokens,
            temperature=chosen.temperature,
            top_p=chosen.top_p,
            seed=drawn.call_seed(step.step) if chosen.send_seed else None,
            response_schema=script.schema(drawn) if role == "script" else None,
            schema_name="conversation",
        )
        return Order(role, request)

    def read(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw, reply: ChatReply, call: Call
    ) -> StepFact:
        """New turns, or why the answer has none."""
        if reply.refusal is not None or reply.finish == "content_filter":
            why = reply.refusal or "the provider's content filter stopped the answer"
            return _failed(step, "backend_refused", why[:300], call)
        if not reply.text.strip():
            return _failed(
                step, "malformed_output", "the model answered without text", call, again=True
            )
        if snapshot.config.mode == "scripted":
            return self._script(step, reply, call)
        speaker: Role = "user" if step.turn % 2 == 0 else "assistant"
        said = dialogue.turn_from_reply(reply.text, speaker)
        if isinstance(said, Malformed):
            return _failed(step, "malformed_output", said.detail, call, again=True)
        return _generated(step, (Turn(role=speaker, text=said),), reply, call)

    def _script(self, step: StepRequested, reply: ChatReply, call: Call) -> StepFact:
        turns = script.parse(reply.text)
        if isinstance(turns, Malformed):
            cut = (
                " (cut off by the token limit: raise max_tokens)"
                if reply.finish == "length"
                else ""
            )
            return _failed(step, "malformed_output", turns.detail + cut, call, again=True)
        return _generated(step, turns, reply, call)


def _generated(
    step: StepRequested, turns: tuple[Turn, ...], reply: ChatReply, call: Call
) -> Generated:
    return Generated.of(
        step,
        turns=turns,
        first_turn=step.turn,
        finish=reply.finish,
        call=call,
    )


def _failed(
    step: StepRequested, reason: str, detail: str, call: Call | None, *, again: bool = False
) -> StepFailed:
    return StepFailed.of(
        step,
        reason=reason,
        detail=detail,
        retryable=again,
        call=call,
    )
