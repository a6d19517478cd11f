"""What all crafts of the generator share: an order to a role's model, and failures. Pure."""

from convo_events.outcomes import StepFailed
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.usage import Call, CallRole
from convo_generator.dialogue import Messages
from convo_generator.malformed import Malformed
from convo_models.backends.protocol import ChatReply, ChatRequest
from convo_models.json_answers import Json
from convo_models.paid_work import Order


def order(
    step: StepRequested,
    snapshot: Snapshot,
    drawn: Draw,
    role: CallRole,
    messages: Messages,
    schema: dict[str, Json] | None = None,
    schema_name: str = "",
) -> Order:
    """The messages for a role's model, sampled as the config says, with the seed of the plan."""
    chosen = snapshot.role(role)
    request = ChatRequest(
        model=chosen.model,
        messages=messages,
        max_tokens=chosen.max_tokens,
        temperature=chosen.temperature,
        top_p=chosen.top_p,
        seed=drawn.call_seed(step.step) if chosen.send_seed else None,
        response_schema=schema,
        schema_name=schema_name or "conversation",
    )
    return Order(role, request)


def failed(
    step: StepRequested, reason: str, detail: str, call: Call | None, *, again: bool = False
) -> StepFailed:
    """A step that came back with nothing usable; ``again`` where a new try may end otherwise."""
    return StepFailed.of(step, reason=reason, detail=detail, retryable=again, call=call)


def unusable(step: StepRequested, reply: ChatReply, call: Call) -> StepFailed | None:
    """Why there is no answer in a reply at all; None where there is one."""
    if reply.refusal is not None or reply.finish == "content_filter":
        why = reply.refusal or "the provider's content filter stopped the answer"
        return failed(step, "backend_refused", why[:300], call)
    if not reply.text.strip():
        return failed(step, "malformed_output", "the model answered without text", call, again=True)
    return None


def malformed_reply(
    step: StepRequested, reply: ChatReply, what: Malformed, call: Call
) -> StepFailed:
    """An answer that is not what was asked for; asked again."""
    cut = " (cut off by the token limit: raise max_tokens)" if reply.finish == "length" else ""
    return failed(step, "malformed_output", what.detail + cut, call, again=True)
