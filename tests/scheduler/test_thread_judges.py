"""Judges with samples, a panel, a comparison and rechecks: what a thread asks next, and its verdict."""

from dataclasses import replace

import pytest

from convo_events.ballots import Piece
from convo_events.catalog import Example, Judging, PairComparison, RoleModel
from convo_events.outcomes import Compared, Judged, Side, StepFailed
from convo_events.snapshot import Snapshot
from convo_events.steps import (
    ConversationFailed,
    ConversationRejected,
    StepRequested,
)
from convo_events.threads import ThreadState, applies, evolve
from convo_events.usage import Call
from convo_scheduler.thread import Candidate, Setting, accept, decide, open_thread
from tests.journeys.configs import snapshot

PANEL = (RoleModel(backend="fake", model="writer"),)
COMPARED = PairComparison(example="greeting", worse="reject")
CALL = Call(role="judge", backend="fake", model="judge", attempt=1, step_key="k", basis="free")
Answer = Judged | Compared | StepFailed
Said = float | str | None
"""A score, a side, or None: an answer that cannot be read."""


def setting(**options: object) -> Setting:
    frozen = snapshot(5, threads=5)
    judging = frozen.config.judge
    assert judging is not None
    options = {"threshold": 3, "retries": 0, **options}
    changed = Judging.model_validate({**judging.model_dump(), **options})
    config = frozen.config.model_copy(update={"judge": changed})
    example = Example(name="greeting", turns=("Hi", "Hello"))
    prompts = frozen.prompt_set.model_copy(update={"examples": (example,)})
    return Setting(_with(frozen, config=config, prompt_set=prompts), "ab" * 32, leader=1, epoch=1)


def _with(frozen: Snapshot, **changes: object) -> Snapshot:
    return frozen.model_copy(update=changes)


def answer(asked: StepRequested, said: Said) -> Answer:
    """What comes back for a request."""
    if said is None:
        return StepFailed.of(
            asked, reason="judge_unparsed", detail="no JSON", retryable=True, call=CALL
        )
    if isinstance(said, str):
        better: Side = said  # type: ignore[assignment]  # the tests only say sides
        return Compared.of(
            asked,
            reference="greeting",
            swapped=asked.sample == 1,
            better=better,
            judge="j",
            call=CALL,
        )
    known = {"purpose": asked.purpose, "seat": asked.seat, "sample": asked.sample}
    scale = {"scale_min": 1, "scale_max": 5, "threshold": 3, "criteria": (), "call": CALL}
    return Judged.of(asked, score=said, **known, **scale)


def judged(given: Setting, *said: Said) -> tuple[list[StepRequested], object, ThreadState]:
    """Everything the judges are asked, and what follows when they have said all that."""
    first = open_thread("run-a", 0, given)
    state = replace(
        evolve(None, first), kind="filter", step=2, turns=2, phase="due", last="filtered"
    )
    asked: list[StepRequested] = []
    left = list(said)
    while True:
        decision = decide(state, given)
        if isinstance(decision, Candidate):
            assert not left
            return asked, decision, decision.state
        event = decision[0]
        if not isinstance(event, StepRequested):
            assert not left
            return asked, event, state
        assert applies(state, event)
        asked.append(event)
        state = evolve(state, event)
        outcome = answer(event, left.pop(0))
        assert applies(state, outcome)
        state = evolve(state, outcome)


def pieces(asked: list[StepRequested]) -> list[tuple[str, int, int]]:
    return [(event.purpose, event.seat, event.sample) for event in asked]


def test_each_sample_is_a_step_of_its_own_and_the_mean_is_accepted() -> None:
    given = setting(samples=3)
    asked, _, state = judged(given, 3.0, 4.0, 2.0)
    assert [event.step for event in asked] == [3, 4, 5]
    assert pieces(asked) == [("verdict", 0, 0), ("verdict", 0, 1), ("verdict", 0, 2)]
    (verdict, *_) = accept(state, given)
    assert (verdict.type, verdict.score) == ("conversation.accepted", 3.0)  # type: ignore[union-attr]
    assert verdict.tally is not None  # type: ignore[union-attr]
    assert (verdict.tally.scored, verdict.tally.planned) == (3, 3)  # type: ignore[union-attr]


def test_a_sample_that_cannot_be_read_is_left_out_and_never_a_low_score() -> None:
    asked, _, state = judged(setting(samples=3), None, 3.0, 3.0)
    assert len(asked) == 3
    assert (state.score, state.passed) == (3.0, True)


def test_J05_an_answer_of_no_use_is_asked_again_within_its_bound_for_each_sample() -> None:
    asked, _, state = judged(setting(samples=2, retries=1), None, 3.0, None, None)
    assert pieces(asked) == [("verdict", 0, 0)] * 2 + [("verdict", 0, 1)] * 2
    assert [event.step for event in asked] == [3, 4, 5, 6], "a new try is a new step"
    assert [event.retry for event in asked] == [0, 1, 0, 1]
    assert state.score == 3.0


def test_J02_with_no_sample_scored_the_conversation_fails_and_is_not_rejected() -> None:
    _, verdict, _ = judged(setting(samples=2, panel=PANEL), None, None, None, None)
    assert isinstance(verdict, ConversationFailed)
    assert verdict.reason == "judge_unparsed"
    assert "none of 4 samples was scored" in verdict.detail
    assert verdict.tally is not None
    assert (verdict.tally.scored, verdict.tally.planned) == (0, 4)


def test_a_judge_of_a_panel_that_says_nothing_leaves_the_others_to_decide() -> None:
    asked, _, state = judged(setting(panel=PANEL), None, 4.0)
    assert pieces(asked) == [("verdict", 0, 0), ("verdict", 1, 0)]
    assert state.score == 4.0


def test_a_rejection_says_how_many_of_the_planned_samples_count() -> None:
    _, verdict, _ = judged(setting(samples=3, reducer="majority"), 2.0, 5.0, 1.0)
    assert isinstance(verdict, ConversationRejected)
    assert verdict.hit.reason == "judge_below_threshold"
    assert "1 of 3 scored samples reach the threshold 3" in verdict.hit.detail
    assert verdict.tally is not None
    assert (verdict.tally.passing, verdict.tally.reducer) == (1, "majority")


@pytest.mark.parametrize(
    ("sides", "rejected", "compared"),
    [
        (("reference", "reference"), True, "worse"),
        (("candidate", "candidate"), False, "better"),
        (("reference", "candidate"), False, "undecided"),
        (("tie", "reference"), False, "undecided"),
        ((None,), False, "unparsed"),
    ],
)
def test_only_worse_in_both_orders_rejects(
    sides: tuple[Said, ...], rejected: bool, compared: str
) -> None:
    given = setting(comparison=COMPARED)
    asked, found, state = judged(given, 4.0, *sides)
    assert [event.purpose for event in asked] == ["verdict", *["comparison"] * len(sides)]
    if rejected:
        assert isinstance(found, ConversationRejected)
        assert (found.hit.reason, found.hit.layer, found.hit.precedence) == (
            "judge_worse_than_reference",
            3,
            2,
        )
        tally = found.tally
    else:
        tally = accept(state, given)[0].tally  # type: ignore[union-attr]
    assert tally is not None
    assert tally.compared == compared


def test_worse_is_only_recorded_where_the_config_says_so() -> None:
    recorded = setting(comparison=PairComparison(example="greeting"))
    _, found, _ = judged(recorded, 4.0, "reference", "reference")
    assert isinstance(found, Candidate)


@pytest.mark.parametrize("again", [1.0, None])
def test_a_recheck_follows_the_decision_and_changes_nothing(again: Said) -> None:
    asked, _, state = judged(setting(recheck_share=1, retries=3), 4.0, again)
    assert pieces(asked) == [("verdict", 0, 0), ("recheck", 0, 0)], "and is never tried again"
    assert asked[1].earlier == 4.0
    assert (state.score, state.passed) == (4.0, True)
    _, verdict, _ = judged(setting(recheck_share=1), 1.0, 5.0)
    assert isinstance(verdict, ConversationRejected)


def test_the_plan_draws_who_is_rechecked() -> None:
    given = setting(recheck_share=0.4)
    count = sum(_rechecked(replace(given, snapshot=given.snapshot), thread) for thread in range(5))
    assert count == 2


def _rechecked(given: Setting, thread: int) -> bool:
    state = evolve(None, open_thread("run-a", thread, given))
    done = replace(state, kind="filter", turns=2, phase="due", last="filtered")
    request = _only(decide(done, given))
    state = evolve(done, request)
    return not isinstance(decide(evolve(state, answer(request, 4.0)), given), Candidate)


def _only(decision: object) -> StepRequested:
    assert isinstance(decision, list)
    assert isinstance(decision[0], StepRequested)
    return decision[0]


def test_a_step_that_waited_is_asked_again_as_what_it_was() -> None:
    given = setting(samples=3)
    asked, _, _ = judged(given, 3.0, 3.0, 3.0)
    state = replace(evolve(None, open_thread("run-a", 0, given)), kind="judge", step=3, phase="due")
    waiting = evolve(replace(state, last="judged", score=3.0), asked[1])
    again = _only(decide(replace(waiting, epoch=0), given))
    assert (again.step, again.emit, again.sample) == (asked[1].step, 2, 1)
    retried = evolve(
        replace(state, last="failed", piece=Piece()), asked[0].model_copy(update={"retry": 2})
    )
    assert _only(decide(replace(retried, epoch=0), given)).retry == 2


def test_a_thread_judged_before_there_were_samples_goes_on() -> None:
    given: Setting = setting()
    state = replace(evolve(None, open_thread("run-a", 0, given)), kind="judge", phase="due")
    old = replace(state, last="judged", score=4.0, passed=True)
    assert isinstance(decide(old, given), Candidate)
    low = decide(replace(old, score=2.0, passed=False), given)
    assert isinstance(low, list)
    assert isinstance(low[0], ConversationRejected)
    assert low[0].hit.detail == "score 2 is under the threshold 3"
