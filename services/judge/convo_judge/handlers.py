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
            case verdict.Unparsed() | verdict.OutOfRange() | verdict.Contradictory():
                return _failed(step, "judge_unparsed", found.detail, call, again=True)
            case verdict.Truncated():
                return _failed(step, "judge_truncated", found.detail, call, again=True)
            case verdict.RefusedToJudge():
                return _failed(step, "judge_failed", found.detail, call)
            case _:
                assert_never(found)


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
