"""The next step of a thread where turns are roughened, and where a persona comes back and remembers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import Memory, Roughening
from convo_events.outcomes import Remembered, Roughened
from convo_events.plan import draw
from convo_events.steps import (
    ConversationAccepted,
    ConversationRejected,
    StepKind,
    StepRequested,
    Verdict,
)
from convo_events.threads import Last, ThreadState, applies, evolve
from convo_scheduler.thread import MOST_LOSSES, Setting, accept, decide, open_thread
from tests.histories import history, verdicts
from tests.journeys.configs import snapshot

SNAPSHOT = snapshot(
    7,
    threads=2,
    turns=4,
    retries=1,
    mode="sessions",
    memory=Memory(),
    roughen=Roughening(share=0.5),
)
HASH = "ab" * 32
SETTING = Setting(SNAPSHOT, HASH, leader=7, epoch=3)
FORGETFUL = Setting(snapshot(7, threads=2, turns=4, mode="sessions"), HASH, leader=7, epoch=3)
ROUGH = [draw(SNAPSHOT, 0, number).roughen for number in range(4)]


def due(last: Last, kind: StepKind, number: int = 0, **changes: object) -> ThreadState:
    """Thread 0 come back with something at step 9."""
    opened = evolve(None, open_thread("run-a", 0, SETTING))
    fields = {"conversation": number, "step": 9, "turns": 4, **changes}
    return replace(opened, phase="due", last=last, kind=kind, **fields)  # type: ignore[arg-type]


def asked(state: ThreadState, setting: Setting = SETTING) -> StepRequested:
    (event,) = decide(state, setting)  # type: ignore[misc]
    assert isinstance(event, StepRequested)
    return event


def test_both_kinds_of_conversations_are_there() -> None:
    assert set(ROUGH) == {True, False}


@pytest.mark.parametrize("number", range(4))
def test_the_plan_says_which_conversations_are_roughened_after_their_last_turn(number: int) -> None:
    kind = "roughen" if ROUGH[number] else "filter"
    state = due("generated", "generate", number)
    assert (asked(state).kind, asked(state).turn, asked(state).step) == (kind, 4, 10)
    assert asked(replace(state, turns=3)).kind == "generate"


def test_what_is_roughened_goes_to_the_filters() -> None:
    assert asked(due("roughened", "roughen")).kind == "filter"


@pytest.mark.parametrize(
    "state",
    [
        due("failed", "roughen", retryable=True, tries=2, reason="malformed_output", detail="no"),
        due("failed", "roughen", retryable=False, tries=1, reason="malformed_output", detail="no"),
        due("deferred", "roughen", tries=2, reason="malformed_output", detail="no"),
    ],
)
def test_a_conversation_goes_on_without_roughening(state: ThreadState) -> None:
    event = asked(state)
    assert (event.kind, event.gave_up) == ("filter", "malformed_output: no")
    assert (evolve(state, event).tries, evolve(state, event).losses) == (0, 0)


def test_a_useless_roughening_is_tried_anew_first() -> None:
    event = asked(due("failed", "roughen", retryable=True, tries=1, reason="malformed_output"))
    assert (event.kind, event.step, event.gave_up) == ("roughen", 10, "")


def test_losses_of_the_roughening_are_not_the_judges() -> None:
    state = due("lost", "roughen", losses=MOST_LOSSES + 1)
    event = asked(state)
    assert (event.kind, event.gave_up) == ("filter", "its calls were lost with their workers")
    assert evolve(state, event).losses == 0


def test_an_accepted_conversation_is_remembered_before_the_next_one() -> None:
    verdict, memory = accept(due("judged", "judge", passed=True, score=4.0), SETTING)
    assert isinstance(verdict, ConversationAccepted)
    assert isinstance(memory, StepRequested)
    assert (memory.kind, memory.conversation, memory.step, memory.turn) == ("memory", 0, 10, 4)
    state = evolve(evolve(due("judged", "judge"), verdict), memory)
    assert (state.phase, state.verdict) == ("waiting", "accepted")
    assert not applies(state, verdict)
    following = asked(replace(state, phase="due", last="remembered"))
    assert (following.kind, following.conversation, following.step) == ("generate", 1, 11)


def test_what_is_not_accepted_is_not_remembered() -> None:
    verdict, following = decide(due("judged", "judge", passed=False, score=1.0), SETTING)  # type: ignore[misc]
    assert isinstance(verdict, ConversationRejected)
    assert (following.kind, following.conversation) == ("generate", 1)


def test_the_last_conversation_of_a_thread_is_not_remembered() -> None:
    state = due("judged", "judge", 3, passed=True, score=4.0)
    (verdict,) = accept(state, SETTING)
    assert isinstance(verdict, ConversationAccepted)
    assert verdict.last
    closed = evolve(state, verdict)
    assert closed.phase == "closed"
    assert decide(closed, SETTING) == []


def test_without_memory_personas_come_back_all_the_same() -> None:
    _, following = accept(due("judged", "judge", passed=True, score=4.0), FORGETFUL)
    assert isinstance(following, StepRequested)
    assert (following.kind, following.conversation) == ("generate", 1)


@pytest.mark.parametrize("last", ["failed", "deferred", "lost"])
def test_a_thread_goes_on_without_a_memory_that_cannot_be_made(last: Last) -> None:
    state = due(last, "memory", verdict="accepted", tries=2, losses=MOST_LOSSES + 1, reason="x")
    event = asked(state)
    assert (event.kind, event.conversation, event.gave_up) == ("generate", 1, "x")
    assert event.draw is not None


@pytest.mark.parametrize("last", ["deferred", "blocked", "lost"])
def test_a_memory_that_waited_is_asked_for_again(last: Last) -> None:
    event = asked(due(last, "memory", verdict="accepted", emit=2))
    assert (event.kind, event.step, event.emit, event.conversation) == ("memory", 9, 3, 0)


def test_kick_and_resume_ask_for_a_memory_under_its_own_number() -> None:
    state = replace(due("settled", "memory", verdict="accepted", emit=1), phase="waiting")
    assert (asked(state).step, asked(state).kind, asked(state).emit) == (9, "memory", 2)


@given(st.integers(0, 100_000), st.integers(0, 250))
@settings(max_examples=60, deadline=None)
def test_every_history_remembers_the_accepted_and_only_those_in_order(
    seed: int, moves: int
) -> None:
    found = history(SNAPSHOT, seed, moves)
    assert found.log[-1][1].type == "run.completed"
    assert sorted((v.thread, v.conversation) for v in verdicts(found)) == [
        *((0, n) for n in range(4)),
        *((1, n) for n in range(3)),
    ]
    accepted: set[tuple[int, int]] = set()
    begun: dict[int, int] = {}
    roughened: set[tuple[int, int]] = set()
    counted: set[str] = set()
    for event_id, event in found.log:
        if event_id not in found.counted or event_id in counted:
            continue
        counted.add(event_id)
        place = (getattr(event, "thread", 0), getattr(event, "conversation", 0))
        match event:
            case StepRequested() if event.draw is not None:
                assert place[1] == begun.get(place[0], -1) + 1, "conversations come in order"
                begun[place[0]] = place[1]
            case StepRequested(kind="memory"):
                assert place in accepted
                assert place[1] == begun[place[0]], "before the next one begins"
            case Remembered():
                assert place in accepted
            case Roughened():
                assert draw(SNAPSHOT, *place).roughen
                assert place not in roughened, "once a conversation"
                roughened.add(place)
            case Verdict():
                if isinstance(event, ConversationAccepted):
                    accepted.add(place)


@given(st.integers(0, 10_000), st.integers(0, 150))
@settings(max_examples=40, deadline=None)
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
