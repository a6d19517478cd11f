"""What the judges are asked next about a conversation, and what their answers come to. Pure."""

from typing import Any

from convo_events.ballots import (
    FIRST,
    Ballot,
    Piece,
    compared,
    next_piece,
    score_of,
    tally,
    unscored,
)
from convo_events.conversations import Hit, Tally
from convo_events.judging import Judging
from convo_events.plan import draw
from convo_events.reasons import Layer, precedence
from convo_events.reducing import Reduced
from convo_events.snapshot import Snapshot
from convo_events.threads import ThreadState


def judging_of(snapshot: Snapshot) -> Judging:
    """Layer 3 of a run that has one.

    Raises:
        KeyError: where the config has no judge.
    """
    judging = snapshot.config.judge
    if judging is None:
        raise KeyError("judge")
    return judging


def asked_next(state: ThreadState, snapshot: Snapshot) -> Piece | None:
    """What the judges are asked for next; None where the verdict can be given."""
    judging = judging_of(snapshot)
    recheck = judging.recheck_share > 0 and draw(snapshot, state.thread, state.conversation).recheck
    return next_piece(judging, _ballots(state), recheck=recheck)


def judged(state: ThreadState, snapshot: Snapshot) -> Reduced | None:
    """What the judges' scores come to; None where not one could be read."""
    return score_of(judging_of(snapshot), _ballots(state))


def question(state: ThreadState, piece: Piece) -> dict[str, Any]:
    """The fields of a request that say what is asked; a recheck carries what the same judge said before."""
    asked: dict[str, Any] = {"purpose": piece.purpose, "seat": piece.seat, "sample": piece.sample}
    if piece.purpose == "recheck":
        asked["earlier"] = next((b.score for b in _ballots(state) if b.piece == FIRST), None)
    return asked


def tally_of(state: ThreadState, snapshot: Snapshot) -> Tally | None:
    """How the verdict came about; None where no judge was asked, or one for a single answer."""
    if not state.ballots or snapshot.config.judge is None:
        return None
    judges = [f"{judge.backend}/{judge.model}" for judge in snapshot.judges()]
    return tally(snapshot.config.judge, judges, _ballots(state))


def rejection(state: ThreadState, found: Reduced, snapshot: Snapshot) -> Hit | None:
    """Why layer 3 rejects the conversation; None where it does not."""
    judging = judging_of(snapshot)
    if not found.passes:
        return _hit("judge_below_threshold", _below(found, judging, _ballots(state)))
    comparison = judging.comparison
    if comparison is None or comparison.worse != "reject" or compared(state.ballots) != "worse":
        return None
    detail = f"worse than the example {comparison.example}, whichever of the two comes first"
    return _hit("judge_worse_than_reference", detail)


def failure(state: ThreadState) -> tuple[str, str]:
    """Layer 0 reason, and why for people, where not one answer could be read."""
    last = unscored(state.ballots)
    if last is None:
        return "judge_failed", state.detail
    count = len(state.ballots)
    said = f"none of {count} samples was scored; the last one: {last.detail}"
    return last.reason, last.detail if count == 1 else said


def _ballots(state: ThreadState) -> tuple[Ballot, ...]:
    """What the judges said; a thread from before there were ballots has its one score."""
    if state.ballots or state.score is None:
        return state.ballots
    return (Ballot(FIRST, score=state.score),)


def _below(found: Reduced, judging: Judging, ballots: tuple[Ballot, ...]) -> str:
    verdicts = [ballot for ballot in ballots if ballot.piece.purpose == "verdict"]
    scores = [ballot.score for ballot in verdicts if ballot.score is not None]
    planned = judging.samples * (1 + len(judging.panel))
    if planned == 1:
        return f"score {found.score:g} is under the threshold {judging.threshold:g}"
    passing = sum(score >= judging.threshold for score in scores)
    if judging.reducer == "majority":
        return (
            f"{passing} of {len(scores)} scored samples reach the threshold {judging.threshold:g}; "
            f"{planned} were planned, and the mean is {found.score:.4g}"
        )
    return (
        f"score {found.score:.4g} ({judging.reducer}) is under the threshold {judging.threshold:g}; "
        f"{len(scores)} of {planned} planned samples are scored"
    )


def _hit(reason: str, detail: str) -> Hit:
    place = precedence(Layer.JUDGE, reason)
    return Hit(reason=reason, layer=int(Layer.JUDGE), precedence=place, detail=detail)
