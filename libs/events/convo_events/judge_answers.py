"""What a judge's answer came to: a score, or the way in which it was none. Pure."""

from typing import Literal, get_args

from convo_events.codec import Event
from convo_events.outcomes import Compared, Judged, StepFailed

AnswerState = Literal[
    "scored",
    "compared",
    "unparsed",
    "truncated",
    "out_of_range",
    "contradictory",
    "refused",
    "other",
]
"""``compared``: it said which of two is better, and gives no score. ``other``: the call failed for good without an
answer, such as a request that the provider does not take."""
STATES: tuple[AnswerState, ...] = get_args(AnswerState)
GOOD: frozenset[AnswerState] = frozenset({"scored", "compared"})
FAILURES: tuple[AnswerState, ...] = tuple(state for state in STATES if state not in GOOD)
_BEFORE_STATES: dict[str, AnswerState] = {
    "judge_unparsed": "unparsed",
    "judge_truncated": "truncated",
    "judge_failed": "refused",
}
"""What the reason says where an event is older than the state that it carries now."""

JudgeAnswer = Judged | Compared | StepFailed


def answer_of(event: Event) -> tuple[JudgeAnswer, AnswerState] | None:
    """A judge's answer and what became of it; None for every other event.

    A verdict that was taken from the cache is no answer: nobody was asked. Nor is a wait for the provider.
    """
    match event:
        case Judged():
            return None if event.cached_from else (event, "scored")
        case Compared():
            return event, "compared"
        case StepFailed(call=call) if call is not None and call.role == "judge":
            return event, _failure(event, is_error=bool(call.error))
        case _:
            return None


def _failure(event: StepFailed, *, is_error: bool) -> AnswerState:
    if event.state:
        return event.state
    return "other" if is_error else _BEFORE_STATES.get(event.reason, "other")


def judge_of(event: JudgeAnswer) -> str:
    """``backend/model`` of the judge that answered."""
    call = event.call
    return f"{call.backend}/{call.model}" if call is not None else getattr(event, "judge", "")
