"""What the judge is asked for a conversation, and what becomes of its answer. Pure."""

from typing import assert_never

from convo_events.outcomes import Judged, StepFact, StepFailed
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.usage import Call
from convo_judge import rubric, verdict
from convo_models.backends.protocol import ChatReply, ChatRequest
from convo_models.paid_work import Order
from convo_models.past import Past
from convo_models.prompts import TemplateProblem


class Judging:
    """The craft of stage ``judge``."""

    def order(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw, past: Past
    ) -> Order | StepFailed:
        """The rubric with the conversation fenced off as data."""
        judging = snapshot.config.judge
        if judging is None:
            return _failed(step, "judge_failed", "the config has no judge", None)
        try:
            messages = rubric.messages(snapshot, drawn, past.turns, memory=past.memory)
        except TemplateProblem as problem:
            return _failed(step, "judge_failed", str(problem), None)
        if isinstance(messages, rubric.TooLong):
            return _failed(step, "context_exceeded", messages.detail, None)
        chosen = snapshot.role("judge")
        request = ChatRequest(
            model=chosen.model,
            messages=messages,
            max_tokens=chosen.max_tokens,
            temperature=chosen.temperature,
            top_p=chosen.top_p,
            seed=drawn.call_seed(step.step) if chosen.send_seed else None,
            response_schema=rubric.schema(judging, chosen.max_tokens),
            schema_name="verdict",
        )
        return Order("judge", request)

    def read(
        self,
        step: StepRequested,
        snapshot: Snapshot,
        drawn: Draw,
        past: Past,
        reply: ChatReply,
        call: Call,
    ) -> StepFact:
        """A score, or a state of its own for each way in which there is none: never a low score."""
        judging = snapshot.config.judge
        if judging is None:
            return _failed(step, "judge_failed", "the config has no judge", call)
        found = verdict.read(reply.text, reply.finish, reply.refusal, judging)
        match found:
            case verdict.Scored():
                return Judged.of(
                    step,
                    score=found.score,
                    scale_min=judging.scale[0],
                    scale_max=judging.scale[1],
                    threshold=judging.threshold,
                    criteria=found.criteria,
                    call=call,
                )
            case _:
                return _broken(step, found, call)


def _broken(step: StepRequested, found: verdict.Broken, call: Call) -> StepFailed:
    """The failure that an answer without a verdict is, with the state that it is in."""
    match found:
        case verdict.Unparsed():
            reason, state = "judge_unparsed", "unparsed"
        case verdict.OutOfRange():
            reason, state = "judge_unparsed", "out_of_range"
        case verdict.Contradictory():
            reason, state = "judge_unparsed", "contradictory"
        case verdict.Truncated():
            reason, state = "judge_truncated", "truncated"
        case verdict.RefusedToJudge():
            reason, state = "judge_failed", "refused"
        case _:
            assert_never(found)
    return StepFailed.of(
        step,
        reason=reason,
        detail=found.detail,
        retryable=state != "refused",
        state=state,
        call=call,
    )


def _failed(step: StepRequested, reason: str, detail: str, call: Call | None) -> StepFailed:
    return StepFailed.of(step, reason=reason, detail=detail, retryable=False, call=call)
