"""The next step of a thread, or the verdict of its conversation. Pure.

One step is due at a time. A step that waited is asked for again under its own number; a new try after a useless answer
is a new step, because a finished step is never done again.
"""

from dataclasses import dataclass, replace

from convo_events.ballots import FIRST, Piece
from convo_events.conversations import Hit
from convo_events.plan import draw
from convo_events.snapshot import Snapshot
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    Drawn,
    StepKind,
    StepRequested,
)
from convo_events.threads import ThreadState, evolve, without_answer
from convo_scheduler import judging
from convo_scheduler.judge_watch import failed_at_judge, limits_of

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
    doubt: bool = False
    """Whether a judge may be sick and nobody can tell yet: what failed at it waits."""


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
            return [_next(state, "roughen" if _is_roughened(state, setting) else "filter", setting)]
        case "roughened":
            return [_next(state, "filter", setting)]
        case "filtered":
            return _after_filters(state, setting)
        case "judged" | "compared":
            return _after_answer(state, setting)
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


def _is_roughened(state: ThreadState, setting: Setting) -> bool:
    snapshot = setting.snapshot
    if snapshot.config.roughen is None:
        return False
    return draw(snapshot, state.thread, state.conversation).roughen


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
        fingerprint=state.fingerprint,
        tally=judging.tally_of(state, setting.snapshot),
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


def _after_answer(state: ThreadState, setting: Setting) -> list[ThreadEvent] | Candidate:
    """The next question to the judges, or what all their answers come to."""
    snapshot = setting.snapshot
    piece = judging.asked_next(state, snapshot)
    if piece is not None:
        return [_next(state, "judge", setting, piece=piece)]
    found = judging.judged(state, snapshot)
    if found is None:
        reason, detail = judging.failure(state)
        failed = replace(state, detail=detail)
        return _close(_failed(failed, reason, setting), state, setting)
    state = replace(state, score=found.score, passed=found.passes)
    hit = judging.rejection(state, found, snapshot)
    if hit is None:
        return Candidate(state)
    return _close(_rejected(state, hit, (), setting), state, setting)


def _give_up(state: ThreadState, reason: str, setting: Setting) -> list[ThreadEvent] | Candidate:
    """What follows when a step cannot be done: roughening, memory and one answer of several can be gone without."""
    why = ": ".join(part for part in (reason, state.detail) if part)[:MOST_WHY]
    match state.kind:
        case "roughen":
            return [_next(state, "filter", setting, gave_up=why)]
        case "memory":
            return _next_conversation(state, setting, gave_up=why)
        case "judge":
            return _after_answer(without_answer(state), setting)
        case _:
            return _close(_failed(state, reason, setting), state, setting)


def _after_failure(state: ThreadState, setting: Setting) -> list[ThreadEvent] | Candidate:
    if _is_tried_again(state, setting):
        retry = state.retry + 1 if state.kind == "judge" else 0
        return [_next(state, state.kind, setting, piece=state.piece, retry=retry)]
    if setting.doubt and failed_at_judge(state):
        return []
    return _give_up(state, state.reason, setting)


def loses_its_judge(state: ThreadState, setting: Setting) -> bool:
    """Whether nothing is left to try, and the conversation suffers for what a judge did not say."""
    return failed_at_judge(state) and not _is_tried_again(state, setting)


def _is_tried_again(state: ThreadState, setting: Setting) -> bool:
    if state.retryable and state.tries <= _retries(state, setting):
        return True
    # From before a pause: what a sick judge did is not held against the conversation.
    is_old = state.epoch < setting.epoch and limits_of(setting.snapshot) is not None
    return is_old and failed_at_judge(state)


def _retries(state: ThreadState, setting: Setting) -> int:
    """New tries after an answer of no use; a recheck has none, for nothing depends on it."""
    config = setting.snapshot.config
    if state.kind != "judge" or config.judge is None:
        return config.retries
    return 0 if state.piece.purpose == "recheck" else config.judge.retries


def _stage_failure(state: ThreadState) -> str:
    if state.kind in ("roughen", "memory"):
        return state.reason or "its calls were lost with their workers"
    return {"generate": "generation_failed", "judge": "judge_failed"}.get(
        state.kind, "pipeline_failed"
    )


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
        tally=judging.tally_of(state, setting.snapshot),
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
        tally=judging.tally_of(state, setting.snapshot),
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
    state: ThreadState,
    kind: StepKind,
    setting: Setting,
    *,
    gave_up: str = "",
    piece: Piece = FIRST,
    retry: int = 0,
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
        retry=retry,
        **judging.question(state, piece),
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
        retry=state.retry,
        **judging.question(state, state.piece),
    )
