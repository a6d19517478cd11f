"""What the judge is asked for a conversation, and what becomes of its answer. Pure."""

from typing import assert_never

from convo_events.catalog import Judging as Rubric
from convo_events.catalog import RoleModel
from convo_events.outcomes import Compared, Judged, StepFact, StepFailed
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.usage import Call
from convo_events.verdict_cache import request_key
from convo_judge import comparison, rubric, verdict
from convo_models.backends.protocol import ChatReply, ChatRequest
from convo_models.json_answers import Json
from convo_models.paid_work import Order
from convo_models.past import Past
from convo_models.prompts import TemplateProblem


class Judging:
    """The craft of stage ``judge``."""

    def order(
        self, step: StepRequested, snapshot: Snapshot, drawn: Draw, past: Past
    ) -> Order | StepFailed:
        """The question that the step is for, with the conversation fenced off as data."""
        judging = snapshot.config.judge
        if judging is None:
            return _failed(step, "judge_failed", "the config has no judge", None)
        chosen = snapshot.judges()[step.seat]
        try:
            messages, schema, name = _asked(step, snapshot, judging, drawn, past, chosen)
        except TemplateProblem as problem:
            return _failed(step, "judge_failed", str(problem), None)
        except KeyError as missing:
            detail = f"the prompt set has no example {missing} to compare with"
            return _failed(step, "judge_failed", detail, None)
        if isinstance(messages, rubric.TooLong):
            return _failed(step, "context_exceeded", messages.detail, None)
        request = ChatRequest(
            model=chosen.model,
            messages=messages,
            max_tokens=chosen.max_tokens,
            temperature=chosen.temperature,
            top_p=chosen.top_p,
            seed=_seed(step, judging, drawn) if chosen.send_seed else None,
            response_schema=schema,
            schema_name=name,
        )
        return Order("judge", request, chosen, _cache_key(step, snapshot, judging, chosen, request))

    def read(
        self,
        step: StepRequested,
        snapshot: Snapshot,
        drawn: Draw,
        past: Past,
        reply: ChatReply,
        call: Call,
    ) -> StepFact:
        """An answer, or a state of its own for each way in which there is none: never a low score."""
        judging = snapshot.config.judge
        if judging is None:
            return _failed(step, "judge_failed", "the config has no judge", call)
        if step.purpose == "comparison":
            return _compared(step, judging, reply, call)
        found = verdict.read(reply.text, reply.finish, reply.refusal, judging)
        match found:
            case verdict.Scored():
                judge = f"{call.backend}/{call.model}"
                return judged(step, judging, found, judge=judge, note=found.detail, call=call)
            case _:
                return _broken(step, found, call)


def judged(
    step: StepRequested, judging: Rubric, found: verdict.Scored, *, judge: str, **fields: object
) -> Judged:
    """The verdict that a step came back with.

    Args:
        step: What was asked for.
        judging: The rubric.
        found: The scores.
        judge: Backend and model of the judge, with a slash between them.
        fields: What else is known of the verdict.
    """
    return Judged.of(
        step,
        score=found.score,
        scale_min=judging.scale[0],
        scale_max=judging.scale[1],
        threshold=judging.threshold,
        criteria=found.criteria,
        judge=judge,
        purpose=step.purpose,
        seat=step.seat,
        sample=step.sample,
        earlier=step.earlier,
        **fields,
    )


def _asked(
    step: StepRequested,
    snapshot: Snapshot,
    judging: Rubric,
    drawn: Draw,
    past: Past,
    chosen: RoleModel,
) -> tuple[tuple[tuple[str, str], ...] | rubric.TooLong, dict[str, Json], str]:
    """Messages, and the schema of the answer with its name."""
    if step.purpose == "comparison" and judging.comparison is not None:
        swapped = step.sample == 1
        messages = comparison.messages(
            snapshot, judging, judging.comparison, past.turns, swapped=swapped, judge=chosen
        )
        return messages, comparison.schema(chosen.max_tokens), "comparison"
    messages = rubric.messages(
        snapshot, drawn, past.turns, memory=past.memory, judge=chosen, sample=step.sample
    )
    ordered = rubric.in_order(judging, drawn, step.sample)
    return messages, rubric.schema(ordered, chosen.max_tokens), "verdict"


def _seed(step: StepRequested, judging: Rubric, drawn: Draw) -> int:
    """The plan's seed. With a cache, that of a first sample must not depend on what was tried before in its thread."""
    if judging.cache and step.purpose == "verdict" and step.sample == 0:
        return drawn.judge_seed(step.seat, step.retry)
    return drawn.call_seed(step.step)


def _cache_key(
    step: StepRequested,
    snapshot: Snapshot,
    judging: Rubric,
    chosen: RoleModel,
    request: ChatRequest,
) -> str:
    """The key of a request that an earlier answer will do for: a first sample, never a repeat of one."""
    if not judging.cache or step.purpose != "verdict" or step.sample > 0:
        return ""
    backend = snapshot.backend(chosen.backend)
    return request_key(backend, request.body(backend))


def _compared(step: StepRequested, judging: Rubric, reply: ChatReply, call: Call) -> StepFact:
    swapped = step.sample == 1
    found = comparison.read(reply.text, reply.finish, reply.refusal, swapped=swapped)
    if not isinstance(found, comparison.Preferred):
        return _broken(step, found, call)
    return Compared.of(
        step,
        reference=judging.comparison.example if judging.comparison else "",
        swapped=swapped,
        better=found.better,
        why=found.why,
        judge=f"{call.backend}/{call.model}",
        call=call,
    )


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
