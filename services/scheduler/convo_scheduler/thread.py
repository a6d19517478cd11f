"""The next step of a thread, or the verdict of its conversation. Pure.

One step is due at a time. A step that waited is asked for again under its own number; a new try after a useless answer
is a new step, because a finished step is never done again.
"""

from dataclasses import dataclass

from convo_events.conversations import Hit
from convo_events.plan import draw
from convo_events.reasons import Layer, precedence
from convo_events.snapshot import Snapshot
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    Drawn,
    StepKind,
    StepRequested,
)
from convo_events.threads import ThreadState, evolve

MOST_LOSSES = 2
"""Calls of one step that may be lost with their worker before the conversation fails."""

MOST_WHY = 500
"""Characters of why something was given up."""

ThreadEvent = StepRequested | ConversationAccepted | ConversationRejected | ConversationFailed


@dataclass(frozen=True, slots=True)
class Setting:
    """What a decision stands on besides the thread."""

    snapshot: Snapshot
    snapshot_hash: str
    leader: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """Passed every layer; the run's serial point decides whether it is still far enough from what was accepted."""

    state: ThreadState


def open_thread(run: str, thread: int, setting: Setting) -> StepRequested:
    """The first step of a thread."""
    return _begin(run, thread, conversation=0, step=1, setting=setting)


def decide(state: ThreadState, setting: Setting) -> list[ThreadEvent] | Candidate:
    """What follows for a thread that is due, or that waits under an older control epoch."""
    if state.phase == "waiting":
        return [_again(state, setting)]
    match state.last:
        case "generated":
            # A script is whole as it is: where it is too short, the filters say so.
            if state.turns < state.planned and setting.snapshot.config.speaks_in_turn:
                return [_next(state, "generate", setting)]
            drawn = draw(setting.snapshot, state.thread, state.conversation)
            return [_next(state, "roughen" if drawn.roughen else "filter", setting)]
        case "roughened":
            return [_next(state, "filter", setting)]
        case "filtered":
            return _after_filters(state, setting)
        case "judged":
            return (
                Candidate(state)
                if state.passed
                else _close(_below_threshold(state, setting), state, setting)
            )
        case "deferred" | "blocked":
            if state.tries > setting.snapshot.config.retries:
                return _give_up(state, _stage_failure(state), setting)
            return [_again(state, setting)]
        case "lost":
            if state.losses > MOST_LOSSES:
                return _give_up(state, _stage_failure(state), setting)
            return [_again(state, setting)]
        case "failed":
            return _after_failure(state, setting)
        case "settled":
            return _go_on(state, setting)
        case "remembered":
            return _next_conversation(state, setting)
        case _:
            return []


def accept(state: ThreadState, setting: Setting) -> list[ThreadEvent]:
    """The verdict of a candidate that is far enough from all accepted ones, and the thread's next step."""
    verdict = ConversationAccepted(
        run=state.run,
        thread=state.thread,
        conversation=state.conversation,
        leader=setting.leader,
        last=_is_last(state, setting),
        score=state.score,
        signature=state.signature,
    )
    return _close(verdict, state, setting)


def reject_near(state: ThreadState, hit: Hit, setting: Setting) -> list[ThreadEvent]:
    """The verdict of a candidate that something accepted meanwhile is too near to."""
    return _close(_rejected(state, hit, (), setting), state, setting)


def _after_filters(state: ThreadState, setting: Setting) -> list[ThreadEvent] | Candidate:
    if state.hits:
        return _close(_rejected(state, state.hits[0], state.hits[1:], setting), state, setting)
    if setting.snapshot.config.judge is None:
        return Candidate(state)
    return [_next(state, "judge", setting)]


def _give_up(state: ThreadState, reason: str, setting: Setting) -> list[ThreadEvent]:
    """What follows when a step cannot be done: only roughening and memory can be gone without."""
    why = ": ".join(part for part in (reason, state.detail) if part)[:MOST_WHY]
    match state.kind:
        case "roughen":
            return [_next(state, "filter", setting, gave_up=why)]
        case "memory":
            return _next_conversation(state, setting, gave_up=why)
        case _:
            return _close(_failed(state, reason, setting), state, setting)


def _after_failure(state: ThreadState, setting: Setting) -> list[ThreadEvent]:
    config = setting.snapshot.config
    allowed = config.judge.retries if state.kind == "judge" and config.judge else config.retries
    if state.retryable and state.tries <= allowed:
        return [_next(state, state.kind, setting)]
    return _give_up(state, state.reason, setting)


def _stage_failure(state: ThreadState) -> str:
    if state.kind in ("roughen", "memory"):
        return state.reason or "its calls were lost with their workers"
    return {"generate": "generation_failed", "judge": "judge_failed"}.get(
        state.kind, "pipeline_failed"
    )


def _below_threshold(state: ThreadState, setting: Setting) -> ConversationRejected:
    judging = setting.snapshot.config.judge
    threshold = judging.threshold if judging else 0.0
    hit = Hit(
        reason="judge_below_threshold",
        layer=int(Layer.JUDGE),
        precedence=precedence(Layer.JUDGE, "judge_below_threshold"),
        detail=f"score {state.score:g} is under the threshold {threshold:g}",
    )
    return _rejected(state, hit, (), setting)


def _rejected(
    state: ThreadState, hit: Hit, also: tuple[Hit, ...], setting: Setting
) -> ConversationRejected:
    return ConversationRejected(
        run=state.run,
        thread=state.thread,
        conversation=state.conversation,
        leader=setting.leader,
        last=_is_last(state, setting),
        hit=hit,
        also=also,
        score=state.score,
    )


def _failed(state: ThreadState, reason: str, setting: Setting) -> ConversationFailed:
    return ConversationFailed(
        run=state.run,
        thread=state.thread,
        conversation=state.conversation,
        leader=setting.leader,
        last=_is_last(state, setting),
        reason=reason,
        detail=state.detail,
    )


def _is_last(state: ThreadState, setting: Setting) -> bool:
    return state.conversation + 1 >= setting.snapshot.quota(state.thread)


def _close(
    verdict: ConversationAccepted | ConversationRejected | ConversationFailed,
    state: ThreadState,
    setting: Setting,
) -> list[ThreadEvent]:
    return [verdict, *_go_on(evolve(state, verdict), setting)]


def _go_on(state: ThreadState, setting: Setting) -> list[ThreadEvent]:
    """What follows a verdict: the memory of an accepted conversation where another one comes, else that one."""
    remembers = setting.snapshot.config.memory is not None and state.verdict == "accepted"
    if remembers and not _is_last(state, setting):
        return [_next(state, "memory", setting)]
    return _next_conversation(state, setting)


def _next_conversation(
    state: ThreadState, setting: Setting, *, gave_up: str = ""
) -> list[ThreadEvent]:
    """The first step of the thread's next conversation; nothing where it was the last."""
    if _is_last(state, setting):
        return []
    number, step = state.conversation + 1, state.step + 1
    return [_begin(state.run, state.thread, number, step, setting, gave_up)]


def _begin(
    run: str, thread: int, conversation: int, step: int, setting: Setting, gave_up: str = ""
) -> StepRequested:
    drawn = draw(setting.snapshot, thread, conversation)
    return StepRequested(
        run=run,
        thread=thread,
        conversation=conversation,
        leader=setting.leader,
        epoch=setting.epoch,
        step=step,
        kind="generate",
        turn=0,
        emit=1,
        snapshot=setting.snapshot_hash,
        draw=Drawn(persona=drawn.persona.name, voice=drawn.voice.name, turns=drawn.turns),
        gave_up=gave_up,
    )


def _next(
    state: ThreadState, kind: StepKind, setting: Setting, *, gave_up: str = ""
) -> StepRequested:
    return StepRequested(
        run=state.run,
        thread=state.thread,
        conversation=state.conversation,
        leader=setting.leader,
        epoch=setting.epoch,
        step=state.step + 1,
        kind=kind,
        turn=state.turns,
        emit=1,
        snapshot=setting.snapshot_hash,
        gave_up=gave_up,
    )


def _again(state: ThreadState, setting: Setting) -> StepRequested:
    return StepRequested(
        run=state.run,
        thread=state.thread,
        conversation=state.conversation,
        leader=setting.leader,
        epoch=setting.epoch,
        step=state.step,
        kind=state.kind,
        turn=state.turn,
        emit=state.emit + 1,
        snapshot=setting.snapshot_hash,
    )
