"""Where a thread stands: which event counts in which phase, and what it makes of the state."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.codec import Event
from convo_events.conversations import Hit, Turn
from convo_events.outcomes import (
    CallAborted,
    CallLost,
    Filtered,
    Generated,
    Judged,
    StepBlocked,
    StepDeferred,
    StepFact,
    StepFailed,
)
from convo_events.runs import RunStarted
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    Drawn,
    StepRequested,
)
from convo_events.threads import STATE, Last, ThreadState, applies, evolve
from convo_events.usage import Call
from tests.histories import history
from tests.journeys.configs import snapshot

AT = datetime(2026, 3, 1, tzinfo=UTC)
HERE = {"run": "run-a", "thread": 0, "conversation": 1}
STEP = {**HERE, "step": 5}
CALL = Call(role="assistant", backend="b", model="m", attempt=1, step_key="k", basis="free")
HIT = Hit(reason="truncated", layer=1, precedence=3)
WAITING = ThreadState(
    run="run-a",
    thread=0,
    conversation=1,
    step=5,
    kind="generate",
    turn=2,
    emit=2,
    epoch=3,
    phase="waiting",
    turns=2,
    tries=1,
    losses=1,
)


def request(**changes: object) -> StepRequested:
    fields = {**STEP, "leader": 1, "epoch": 4, "kind": "generate", "turn": 2, "emit": 3}
    return StepRequested.model_validate({**fields, "snapshot": "s", **changes})


def due(last: Last) -> ThreadState:
    return replace(WAITING, phase="due", last=last)


AGAIN = request()
SAME = request(emit=2)
NEXT = request(step=6, emit=1)
NEXT_CONVERSATION = request(step=6, emit=1, conversation=2, turn=0)
AHEAD = request(step=7, emit=1)
ACCEPTED = ConversationAccepted(**HERE, leader=1, last=False, score=4.0)
GENERATED = Generated(
    **STEP, turns=(Turn(role="user", text="a"),), first_turn=2, finish="stop", call=CALL
)
OUTCOMES: tuple[StepFact, ...] = (
    GENERATED,
    Filtered(**STEP, hits=(HIT,), signature="AAAAAQ==", words=3),
    Judged(**STEP, score=3, scale_min=1, scale_max=5, threshold=3, criteria=(), call=CALL),
    StepFailed(**STEP, reason="malformed_output", detail="no JSON", retryable=True),
    StepDeferred(**STEP, not_before=AT, reason="rate_limited", detail="429", counts=True),
    StepBlocked(**STEP, reason="backend_auth", detail="key"),
    CallLost(**STEP, call=CALL),
)
STATES: dict[str, ThreadState | None] = {
    "none": None,
    "waiting": WAITING,
    **{
        last: due(last)
        for last in ("generated", "filtered", "judged", "failed", "deferred", "blocked", "lost")
    },
    "settled": due("settled"),
    "closed": replace(due("settled"), phase="closed"),
}
FIRST = request(step=1, emit=1, conversation=0, turn=0)
ALLOWED: list[tuple[Event, set[str]]] = [
    (FIRST, {"none"}),
    (request(step=1, emit=1, conversation=1), set()),
    (request(step=2, emit=1, conversation=0), set()),
    (AGAIN, {"waiting", "deferred", "blocked", "lost"}),
    (SAME, set()),
    (NEXT, {"generated", "filtered", "judged", "failed", "deferred", "blocked", "lost"}),
    (NEXT_CONVERSATION, {"settled"}),
    (request(step=6, emit=1, conversation=3), set()),
    (AHEAD, set()),
    *((outcome, {"waiting"}) for outcome in OUTCOMES),
    *((outcome.model_copy(update={"step": 4}), set()) for outcome in OUTCOMES),
    *((outcome.model_copy(update={"step": 6}), set()) for outcome in OUTCOMES),
    (CallAborted(**STEP, call=CALL), set()),
    (ACCEPTED, {"generated", "filtered", "judged", "failed", "deferred", "blocked", "lost"}),
    (ACCEPTED.model_copy(update={"conversation": 0}), set()),
    (ACCEPTED.model_copy(update={"conversation": 2}), set()),
    (RunStarted(run="run-a", epoch=9), set()),
]


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize(
    ("event", "allowed"), ALLOWED, ids=[f"{n}-{event.type}" for n, (event, _) in enumerate(ALLOWED)]
)
def test_an_event_counts_only_in_its_phase(event: Event, allowed: set[str], name: str) -> None:
    assert applies(STATES[name], event) == (name in allowed)


def test_the_first_request_opens_a_thread() -> None:
    state = evolve(None, FIRST)

    assert (state.phase, state.conversation, state.step, state.emit) == ("waiting", 0, 1, 1)
    assert (state.turns, state.tries, state.losses, state.last) == (0, 0, 0, None)


def test_turns_add_up_and_forgive_failed_tries() -> None:
    state = evolve(WAITING, GENERATED)

    assert (state.phase, state.last, state.turns) == ("due", "generated", 3)
    assert (state.tries, state.losses) == (0, 0)


def test_hits_are_kept_for_the_verdict() -> None:
    state = evolve(WAITING, OUTCOMES[1])

    assert (state.last, state.hits, state.signature) == ("filtered", (HIT,), "AAAAAQ==")
    assert state.tries == 0


@pytest.mark.parametrize(("score", "passed"), [(2.99, False), (3.0, True), (3.01, True)])
def test_a_score_at_the_threshold_passes(score: float, passed: bool) -> None:
    state = evolve(WAITING, OUTCOMES[2].model_copy(update={"score": score}))

    assert (state.last, state.score, state.passed) == ("judged", score, passed)


def test_a_failure_uses_up_a_try() -> None:
    state = evolve(WAITING, OUTCOMES[3])

    assert (state.last, state.tries, state.losses) == ("failed", 2, 1)
    assert (state.reason, state.detail, state.retryable) == ("malformed_output", "no JSON", True)


@pytest.mark.parametrize(("counts", "tries"), [(True, 2), (False, 1)])
def test_waiting_uses_up_a_try_only_where_it_counts(counts: bool, tries: int) -> None:
    state = evolve(WAITING, OUTCOMES[4].model_copy(update={"counts": counts}))

    assert (state.last, state.tries, state.not_before) == ("deferred", tries, AT)


def test_a_block_uses_up_nothing() -> None:
    state = evolve(WAITING, OUTCOMES[5])

    assert (state.last, state.tries, state.losses) == ("blocked", 1, 1)
    assert (state.reason, state.detail) == ("backend_auth", "key")


def test_a_lost_call_is_counted_apart() -> None:
    state = evolve(WAITING, OUTCOMES[6])

    assert (state.last, state.tries, state.losses) == ("lost", 1, 2)


@pytest.mark.parametrize(("last", "phase"), [(True, "closed"), (False, "due")])
def test_a_verdict_closes_the_thread_with_its_last_conversation(last: bool, phase: str) -> None:
    for verdict in (
        ACCEPTED,
        ConversationRejected(**HERE, leader=1, last=False, hit=HIT),
        ConversationFailed(**HERE, leader=1, last=False, reason="judge_failed"),
    ):
        state = evolve(due("judged"), verdict.model_copy(update={"last": last}))

        assert (state.phase, state.last) == (phase, "settled")
        assert (state.hits, state.signature) == ((), "")


def test_asking_again_keeps_what_was_tried() -> None:
    state = evolve(evolve(WAITING, OUTCOMES[4]), AGAIN)

    assert (state.phase, state.emit, state.epoch) == ("waiting", 3, 4)
    assert (state.tries, state.losses, state.turns) == (2, 1, 2)
    assert (state.not_before, state.reason, state.detail) == (None, "", "")


def test_the_next_conversation_starts_clean() -> None:
    before = replace(due("settled"), score=4.0, passed=True, tries=3, reason="x")
    state = evolve(
        before,
        NEXT_CONVERSATION.model_copy(update={"draw": Drawn(persona="a", voice="b", turns=2)}),
    )

    assert (state.conversation, state.step, state.turns) == (2, 6, 0)
    assert (state.tries, state.losses, state.score, state.passed) == (0, 0, None, False)
    assert (state.last, state.reason) == (None, "")


def test_nothing_happens_before_the_first_request() -> None:
    for event in (*OUTCOMES, ACCEPTED):
        with pytest.raises(ValueError, match="before any request"):
            evolve(None, event)
    with pytest.raises(ValueError, match="not about a thread"):
        evolve(WAITING, RunStarted(run="run-a", epoch=1))


@pytest.mark.parametrize("state", [s for s in STATES.values() if s is not None])
def test_a_state_is_kept_as_json(state: ThreadState) -> None:
    full = replace(state, hits=(HIT,), score=0.1, not_before=AT)

    assert STATE.validate_json(STATE.dump_json(full)) == full


SNAPSHOT = snapshot(7, threads=3, turns=2, retries=1)


@given(st.integers(0, 10_000), st.integers(0, 120))
@settings(max_examples=60, deadline=None)
def test_r07_a_replay_with_everything_twice_ends_the_same(seed: int, moves: int) -> None:
    found = history(SNAPSHOT, seed, moves)
    states: dict[int, ThreadState] = {}
    counted: set[str] = set()
    for event_id, event in [item for pair in found.log for item in (pair, pair)]:
        if event_id in counted or not hasattr(event, "thread"):
            continue
        state = states.get(event.thread)
        if applies(state, event):
            counted.add(event_id)
            states[event.thread] = evolve(state, event)

    assert states == found.threads
    assert {state.phase for state in states.values()} == {"closed"}


@given(st.integers(0, 10_000), st.integers(0, 120))
@settings(max_examples=60, deadline=None)
def test_a_thread_never_has_two_open_steps(seed: int, moves: int) -> None:
    found = history(SNAPSHOT, seed, moves)
    open_steps: dict[int, int] = {}
    counted: set[str] = set()
    for event_id, event in found.log:
        if event_id not in found.counted or event_id in counted:
            continue
        counted.add(event_id)
        match event:
            case StepRequested():
                assert open_steps.get(event.thread) in (None, event.step)
                open_steps[event.thread] = event.step
            case StepFact():
                assert open_steps.pop(event.thread) == event.step
            case _:
                assert event.thread not in open_steps  # type: ignore[union-attr]
