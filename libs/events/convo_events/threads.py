"""Where a thread stands: a pure fold of its events. The projector keeps it, the scheduler decides on it.

``applies`` is the gate: an event that is not the expected next one of its thread is archived as late and moves nothing.
Terminal is absorbing, and decisions of a deposed leader are void.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from convo_events.ballots import FIRST, Ballot, Piece
from convo_events.codec import Event
from convo_events.conversations import Hit
from convo_events.outcomes import (
    CallAborted,
    CallLost,
    Compared,
    Filtered,
    Generated,
    Judged,
    Remembered,
    Roughened,
    StepBlocked,
    StepDeferred,
    StepFact,
    StepFailed,
)
from convo_events.steps import StepKind, StepRequested, Verdict

Phase = Literal["waiting", "due", "closed"]
Last = Literal[
    "generated",
    "roughened",
    "filtered",
    "judged",
    "compared",
    "settled",
    "remembered",
    "failed",
    "deferred",
    "blocked",
    "lost",
]
Settled = Literal["accepted", "rejected", "failed"]


@dataclass(frozen=True, slots=True)
class ThreadState:
    """A thread after its last event."""

    run: str
    thread: int
    conversation: int
    """Number of the conversation under way, or of the last one settled."""
    step: int
    """Number of the last step requested, from 1."""
    kind: StepKind
    """Stage of that step."""
    turn: int
    """Turn that the step was for."""
    emit: int
    """How often the step was requested."""
    epoch: int
    """Control epoch of the last request."""
    phase: Phase
    """waiting for an outcome, due for a decision, or closed."""
    planned: int = 0
    """Turns that the plan asks of the conversation."""
    turns: int = 0
    """Turns that the conversation has."""
    tries: int = 0
    """Failed tries at the present piece of work that used up a retry."""
    losses: int = 0
    """Calls of the present piece of work that were lost with their worker."""
    last: Last | None = None
    """What came back; None while waiting for the first outcome."""
    not_before: datetime | None = None
    """deferred: when the step is due again."""
    hits: tuple[Hit, ...] = ()
    """filtered: what was found, in precedence order."""
    signature: str = ""
    """filtered: for the near-duplicate index."""
    fingerprint: str = ""
    """filtered: for the index over all runs."""
    looked_at: int = 0
    """filtered: position in that index up to which the filters have looked."""
    score: float | None = None
    """judged: the score."""
    passed: bool = False
    """judged: whether the score reaches the threshold."""
    verdict: Settled | None = None
    """What became of the conversation; None while it is open."""
    reason: str = ""
    """failed, deferred, blocked: the code."""
    detail: str = ""
    """failed, deferred, blocked: for people."""
    retryable: bool = False
    """failed: whether a new try may end otherwise."""
    piece: Annotated[Piece, Field(exclude_if=lambda piece: piece == FIRST)] = FIRST
    """judge: what is asked for."""
    retry: Annotated[int, Field(exclude_if=lambda count: count == 0)] = 0
    """judge: answers to the same question that were of no use before this step."""
    ballots: Annotated[tuple[Ballot, ...], Field(exclude_if=lambda ballots: not ballots)] = ()
    """judged: what the judges have said, in order; empty once the conversation has its verdict."""

    @property
    def settled(self) -> bool:
        """Whether the conversation has its verdict; only its memory can still follow."""
        return self.verdict is not None or self.last == "settled"


STATE: TypeAdapter[ThreadState] = TypeAdapter(ThreadState)
"""To and from JSON."""


def applies(state: ThreadState | None, event: Event) -> bool:
    """Whether the event is the expected next one of its thread. Fences of run and leader are checked before."""
    match event:
        case StepRequested():
            return _request_applies(state, event)
        case CallAborted():
            return False
        case StepFact():
            return state is not None and state.phase == "waiting" and event.step == state.step
        case Verdict():
            return (
                state is not None
                and state.phase == "due"
                and not state.settled
                and event.conversation == state.conversation
            )
        case _:
            return False


def _request_applies(state: ThreadState | None, event: StepRequested) -> bool:
    if state is None:
        return event.step == 1 and event.conversation == 0
    if event.step == state.step:
        again = state.phase == "waiting" or state.last in ("deferred", "blocked", "lost")
        return again and event.emit > state.emit
    if state.phase != "due" or event.step != state.step + 1:
        return False
    if event.kind == "memory":
        return state.settled and event.conversation == state.conversation
    return event.conversation == state.conversation + int(state.settled)


def evolve(state: ThreadState | None, event: Event) -> ThreadState:
    """The state after an event that applies."""
    if isinstance(event, StepRequested):
        return _requested(state, event)
    if state is None:
        raise ValueError(f"{type(event).__name__} before any request")
    return replace(state, **_came_back(state, event))


def _came_back(state: ThreadState, event: Event) -> dict[str, Any]:
    """The fields that an outcome or a verdict changes."""
    match event:
        case Generated():
            turns = event.first_turn + len(event.turns)
            return _DUE | {"last": "generated", "turns": turns, "tries": 0, "losses": 0}
        case Roughened():
            return _DUE | {"last": "roughened", "tries": 0, "losses": 0}
        case Remembered():
            return _DUE | {"last": "remembered", "tries": 0, "losses": 0}
        case Filtered():
            found = {
                "hits": event.hits,
                "signature": event.signature,
                "fingerprint": event.fingerprint,
                "looked_at": event.looked_at,
            }
            return _DUE | {"last": "filtered", "tries": 0} | found
        case Judged() | Compared():
            return _DUE | {"tries": 0, "losses": 0} | _cast(state, event)
        case StepFailed():
            again = {"retryable": event.retryable, "tries": state.tries + 1}
            return _DUE | {"last": "failed"} | _why(event) | again
        case StepDeferred():
            later = {"not_before": event.not_before, "tries": state.tries + int(event.counts)}
            return _DUE | {"last": "deferred"} | _why(event) | later
        case StepBlocked():
            return _DUE | {"last": "blocked"} | _why(event)
        case CallLost():
            return _DUE | {"last": "lost", "losses": state.losses + 1}
        case Verdict():
            phase = "closed" if event.last else "due"
            verdict = event.type.removeprefix("conversation.")
            settled = {
                "verdict": verdict,
                "tries": 0,
                "losses": 0,
                "piece": FIRST,
                "retry": 0,
                "ballots": (),
            }
            looked = {"hits": (), "signature": "", "fingerprint": ""}
            return {"phase": phase, "last": "settled"} | settled | looked
        case _:
            raise ValueError(f"{type(event).__name__} is not about a thread")


_DUE: dict[str, Any] = {"phase": "due"}


def _cast(state: ThreadState, event: Judged | Compared) -> dict[str, Any]:
    """The judge's answer beside those before it. A recheck is none of the verdict's."""
    if isinstance(event, Compared):
        ballot = Ballot(state.piece, better=event.better)
        return {"last": "compared", "ballots": (*state.ballots, ballot)}
    ballot = Ballot(state.piece, score=event.score)
    found: dict[str, Any] = {"last": "judged", "ballots": (*state.ballots, ballot)}
    if event.purpose == "recheck":
        return found
    return found | {"score": event.score, "passed": event.score >= event.threshold}


def without_answer(state: ThreadState) -> ThreadState:
    """The state of a judge's step that is given up: the piece has no answer, and the next one may follow."""
    if state.kind != "judge" or any(ballot.piece == state.piece for ballot in state.ballots):
        return state
    reason = state.reason if state.last == "failed" else "judge_failed"
    ballot = Ballot(state.piece, reason=reason, detail=state.detail)
    return replace(state, ballots=(*state.ballots, ballot))


def _why(event: StepFailed | StepDeferred | StepBlocked) -> dict[str, Any]:
    return {"reason": event.reason, "detail": event.detail}


def _requested(state: ThreadState | None, event: StepRequested) -> ThreadState:
    if state is not None and event.conversation == state.conversation:
        # Tries and losses belong to one piece of work: another kind of it starts afresh.
        piece = Piece(event.purpose, event.seat, event.sample)
        same = event.kind == state.kind and piece == state.piece
        left = state if same else without_answer(state)
        return replace(
            left,
            piece=piece,
            retry=event.retry,
            tries=state.tries if same else 0,
            losses=state.losses if same else 0,
            step=event.step,
            kind=event.kind,
            turn=event.turn,
            emit=event.emit,
            epoch=event.epoch,
            phase="waiting",
            not_before=None,
            reason="",
            detail="",
        )
    return ThreadState(
        run=event.run,
        thread=event.thread,
        conversation=event.conversation,
        step=event.step,
        kind=event.kind,
        turn=event.turn,
        emit=event.emit,
        epoch=event.epoch,
        phase="waiting",
        planned=event.draw.turns if event.draw else 0,
    )
