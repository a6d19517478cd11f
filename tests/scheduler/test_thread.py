"""The next step of a thread: each decision, and what holds over whole histories."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.conversations import Hit
from convo_events.overlap import near_duplicate_hit
from convo_events.similarity import Neighbour
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    StepKind,
    StepRequested,
)
from convo_events.threads import Last, ThreadState, evolve
from convo_scheduler.thread import (
    MOST_LOSSES,
    Candidate,
    Setting,
    accept,
    decide,
    open_thread,
    reject_near,
)
from tests.histories import history, verdicts
from tests.journeys.configs import snapshot

SNAPSHOT = snapshot(5, threads=2, turns=4, retries=2)
WITHOUT_JUDGE = snapshot(5, threads=2, turns=4, judge=False)
HASH = "ab" * 32
SETTING = Setting(SNAPSHOT, HASH, leader=7, epoch=3)
HITS = (
    Hit(reason="truncated", layer=1, precedence=2),
    Hit(reason="near_duplicate", layer=2, precedence=1),
)
ASKED = evolve(None, open_thread("run-a", 0, SETTING))


def due(last: Last, kind: StepKind = "generate", **changes: object) -> ThreadState:
    """Thread 0 in its second conversation, at step 9, come back with something."""
    fields = {"conversation": 1, "step": 9, "turn": 2, "emit": 2, "turns": 3, **changes}
    return replace(ASKED, phase="due", last=last, kind=kind, **fields)  # type: ignore[arg-type]


def decided(state: ThreadState, setting: Setting = SETTING) -> list[object]:
    decision = decide(state, setting)
    assert isinstance(decision, list)
    return list(decision)


def requested(state: ThreadState, setting: Setting = SETTING) -> StepRequested:
    (event,) = decided(state, setting)
    assert isinstance(event, StepRequested)
    assert (event.run, event.thread, event.leader, event.epoch) == ("run-a", 0, 7, 3)
    assert event.snapshot == HASH
    return event


def failed(state: ThreadState) -> ConversationFailed:
    verdict, following = decided(state)
    assert isinstance(verdict, ConversationFailed)
    assert isinstance(following, StepRequested)
    assert (following.conversation, following.step) == (2, 10)
    return verdict


def test_a_thread_opens_with_its_first_conversation() -> None:
    event = open_thread("run-a", 1, SETTING)

    assert (event.thread, event.conversation, event.step, event.emit) == (1, 0, 1, 1)
    assert (event.kind, event.turn) == ("generate", 0)
    assert event.draw is not None
    assert event.draw.turns == 4


@pytest.mark.parametrize(
    ("turns", "kind"), [(1, "generate"), (3, "generate"), (4, "filter"), (6, "filter")]
)
def test_turns_are_made_until_the_plan_is_met(turns: int, kind: str) -> None:
    event = requested(due("generated", turns=turns))

    assert (event.kind, event.step, event.emit, event.turn) == (kind, 10, 1, turns)
    assert event.draw is None


def test_a_script_that_is_too_short_is_not_continued() -> None:
    scripted = Setting(snapshot(5, threads=2, turns=4, mode="scripted"), HASH, leader=7, epoch=3)
    assert requested(due("generated", turns=3), scripted).kind == "filter"


def test_what_passes_the_filters_goes_to_the_judge() -> None:
    assert requested(due("filtered", "filter")).kind == "judge"


def test_without_a_judge_what_passes_the_filters_is_a_candidate() -> None:
    state = due("filtered", "filter")
    assert decide(state, Setting(WITHOUT_JUDGE, HASH, 7, 3)) == Candidate(state)


def test_the_first_hit_is_the_reason_and_the_others_are_kept() -> None:
    verdict, following = decided(due("filtered", "filter", hits=HITS))

    assert isinstance(verdict, ConversationRejected)
    assert (verdict.hit, verdict.also) == (HITS[0], HITS[1:])
    assert (verdict.conversation, verdict.leader, verdict.last) == (1, 7, False)
    assert isinstance(following, StepRequested)
    assert following.draw is not None


def test_a_passing_score_makes_a_candidate() -> None:
    state = due("judged", "judge", score=2.5, passed=True)
    assert decide(state, SETTING) == Candidate(state)


def test_a_low_score_rejects_in_layer_three() -> None:
    verdict, _ = decided(due("judged", "judge", score=2.25, passed=False))

    assert isinstance(verdict, ConversationRejected)
    assert (verdict.hit.reason, verdict.hit.layer) == ("judge_below_threshold", 3)
    assert verdict.hit.detail == "score 2.25 is under the threshold 2.5"
    assert verdict.score == 2.25


@pytest.mark.parametrize("last", ["deferred", "blocked", "lost"])
def test_what_waited_is_asked_for_again_under_its_own_number(last: Last) -> None:
    event = requested(due(last, tries=2, losses=MOST_LOSSES))

    assert (event.step, event.emit, event.turn, event.kind) == (9, 3, 2, "generate")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("generate", "generation_failed"), ("judge", "judge_failed"), ("filter", "pipeline_failed")],
)
def test_waiting_in_vain_fails_with_the_reason_of_the_stage(kind: StepKind, reason: str) -> None:
    for state in (
        due("deferred", kind, tries=3, detail="HTTP 503"),
        due("lost", kind, losses=MOST_LOSSES + 1, detail="HTTP 503"),
    ):
        verdict = failed(state)
        assert (verdict.reason, verdict.detail) == (reason, "HTTP 503")


@pytest.mark.parametrize(("tries", "again"), [(1, True), (2, True), (3, False)])
def test_l10_a_useless_answer_is_tried_anew_as_a_new_step(tries: int, again: bool) -> None:
    state = due("failed", tries=tries, retryable=True, reason="malformed_output")
    if again:
        event = requested(state)
        assert (event.step, event.emit, event.kind, event.turn) == (10, 1, "generate", 3)
    else:
        assert failed(state).reason == "malformed_output"


@pytest.mark.parametrize(("tries", "again"), [(1, True), (2, False)])
def test_j02_the_judge_has_retries_of_its_own_and_is_never_a_low_score(
    tries: int, again: bool
) -> None:
    state = due("failed", "judge", tries=tries, retryable=True, reason="judge_unparsed", turns=4)
    if again:
        event = requested(state)
        assert (event.step, event.kind) == (10, "judge")
    else:
        assert failed(state).reason == "judge_unparsed"


def test_a_failure_for_good_is_final_at_once() -> None:
    assert failed(due("failed", tries=1, reason="context_exceeded")).reason == "context_exceeded"


def test_kick_asks_again_for_what_is_under_way() -> None:
    state = replace(due("generated"), phase="waiting")
    event = requested(state)
    assert (event.step, event.emit) == (9, 3)


def test_a_settled_thread_begins_its_next_conversation() -> None:
    event = requested(due("settled"))
    assert (event.conversation, event.step, event.turn) == (2, 10, 0)
    assert event.draw is not None


@pytest.mark.parametrize(("thread", "quota"), [(0, 3), (1, 2)])
def test_the_last_conversation_of_a_thread_closes_it(thread: int, quota: int) -> None:
    for number in range(quota):
        state = replace(due("judged", "judge", passed=True, score=4.0, conversation=number))
        events = accept(replace(state, thread=thread), SETTING)
        verdict = events[0]
        assert isinstance(verdict, ConversationAccepted)
        assert verdict.last == (number == quota - 1)
        assert len(events) == (1 if verdict.last else 2)
    assert decide(due("settled", conversation=2), SETTING) == []


def test_an_accepted_conversation_brings_its_signature_and_score() -> None:
    verdict, _ = accept(due("judged", signature="AAAAAQ==", score=4.5), SETTING)
    assert isinstance(verdict, ConversationAccepted)
    assert (verdict.signature, verdict.score) == ("AAAAAQ==", 4.5)


def test_a_near_duplicate_names_its_neighbour() -> None:
    hit = near_duplicate_hit(Neighbour("run-a.1.0", 0.8125), ["a b c"], ["a b c"])

    verdict, _ = reject_near(due("judged", score=4.5), hit, SETTING)

    assert isinstance(verdict, ConversationRejected)
    assert (verdict.hit.reason, verdict.hit.layer, verdict.hit.precedence) == (
        "near_duplicate",
        2,
        1,
    )
    assert (verdict.hit.neighbour, verdict.hit.similarity) == ("run-a.1.0", 0.8125)
    assert verdict.score == 4.5


def test_a_rate_limit_waited_out_costs_no_try() -> None:
    state = due("deferred", tries=2, not_before=datetime(2026, 3, 1, tzinfo=UTC))
    assert requested(state).emit == 3


@given(st.integers(0, 100_000), st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_i2_every_history_ends_with_one_verdict_a_conversation(seed: int, moves: int) -> None:
    found = history(SNAPSHOT, seed, moves)
    settled = verdicts(found)

    assert sorted((v.thread, v.conversation) for v in settled) == [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
    ]
    assert sorted((v.thread, v.conversation) for v in settled if v.last) == [(0, 2), (1, 1)]
    assert found.log[-1][1].type == "run.completed"


@given(st.integers(0, 100_000), st.integers(0, 200))
@settings(max_examples=40, deadline=None)
def test_i4_a_step_number_stands_for_one_piece_of_work(seed: int, moves: int) -> None:
    found = history(SNAPSHOT, seed, moves)
    work: dict[tuple[int, int], tuple[int, str, int]] = {}
    emits: dict[tuple[int, int], list[int]] = {}
    for event_id, event in dict(found.log).items():
        if isinstance(event, StepRequested) and event_id in found.counted:
            place = (event.thread, event.step)
            assert work.setdefault(place, (event.conversation, event.kind, event.turn)) == (
                event.conversation,
                event.kind,
                event.turn,
            )
            emits.setdefault(place, []).append(event.emit)
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in emits.values())


def test_k05_whatever_races_one_terminal_state_remains() -> None:
    for seed in range(300):
        found = history(snapshot(1, threads=1, turns=2, retries=1), seed, 40)
        assert len(verdicts(found)) == 1
        assert found.threads[0].phase == "closed"
