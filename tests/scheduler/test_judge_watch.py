"""A sick judge stops the run before it costs a conversation: each decision, on numbers alone."""

from dataclasses import replace

import pytest

from convo_events.ballots import Piece
from convo_events.catalog import JudgeHealth
from convo_events.judge_answers import AnswerState
from convo_events.judge_health import Answers
from convo_events.snapshot import Snapshot
from convo_events.steps import ConversationFailed, StepRequested
from convo_events.threads import ThreadState, evolve
from convo_scheduler.judge_watch import failed_at_judge, in_doubt, limits_of, sick_judge
from convo_scheduler.thread import Setting, decide, loses_its_judge, open_thread
from tests.journeys.configs import snapshot

PLAIN = snapshot(5, threads=2)
HASH = "ab" * 32


def watched(health: JudgeHealth | None) -> Snapshot:
    judge = PLAIN.config.judge
    assert judge is not None
    judge = judge.model_copy(update={"health": health})
    return PLAIN.model_copy(update={"config": PLAIN.config.model_copy(update={"judge": judge})})


WATCHED = watched(JudgeHealth())
SETTING = Setting(WATCHED, HASH, leader=7, epoch=3)
DOUBT = replace(SETTING, doubt=True)
BLIND = Setting(PLAIN, HASH, leader=7, epoch=3)
ASKED = evolve(None, open_thread("run-a", 0, SETTING))


def failed(**changes: object) -> ThreadState:
    """A thread whose judge failed for good: both tries are used up."""
    fields: dict[str, object] = {
        "kind": "judge",
        "last": "failed",
        "reason": "judge_unparsed",
        "retryable": True,
        "tries": 2,
        "step": 9,
        "epoch": 3,
    }
    return replace(ASKED, phase="due", **fields | changes)  # type: ignore[arg-type]


def broken(n: int, scored: int = 0, judge: str = "fake/judge") -> Answers:
    states: list[AnswerState] = []
    states += ["unparsed"] * n
    states += ["scored"] * scored
    return Answers(judge, states, [4.0] * scored)


def test_the_first_sick_judge_is_named_with_its_reason() -> None:
    assert sick_judge(None, [broken(50)]) is None
    assert sick_judge(JudgeHealth(), []) is None
    assert sick_judge(JudgeHealth(), [broken(2, 48)]) is None
    found = sick_judge(JudgeHealth(), [broken(2, 48), broken(14, 36, "fake/other")])
    assert found is not None
    assert found.reason == "judge_sick"
    assert found.detail.startswith("Judge fake/other gave no verdict in 14 of its last 50 answers")


def test_one_judge_of_a_panel_is_enough_to_doubt() -> None:
    assert not in_doubt(None, [broken(3)])
    assert not in_doubt(JudgeHealth(), [broken(1, 9)])
    assert in_doubt(JudgeHealth(), [broken(1, 9), broken(1, 0, "fake/other")])


def test_a_run_without_limits_and_a_sample_of_one_are_not_watched() -> None:
    assert limits_of(WATCHED) == JudgeHealth()
    assert limits_of(PLAIN) is None
    assert limits_of(snapshot(5, judge=False)) is None
    assert limits_of(WATCHED.model_copy(update={"only": 2})) is None


@pytest.mark.parametrize(
    ("state", "setting", "does"),
    [
        # What is left to try is tried, whatever is known of the judge.
        (failed(tries=1), SETTING, "asked again"),
        (failed(tries=1), DOUBT, "asked again"),
        # Nothing is left to try.
        (failed(), SETTING, "failed"),
        (failed(), DOUBT, "waits"),
        (failed(reason="judge_failed", retryable=False, tries=1), DOUBT, "waits"),
        (failed(reason="judge_truncated"), DOUBT, "waits"),
        # No fault of the judge.
        (failed(reason="context_exceeded", retryable=False), DOUBT, "failed"),
        (failed(kind="generate", reason="malformed_output", tries=9), DOUBT, "failed"),
        # From before the run was resumed.
        (failed(epoch=2), SETTING, "asked again"),
        (failed(epoch=2), DOUBT, "asked again"),
        (failed(epoch=2, reason="judge_failed", retryable=False), SETTING, "asked again"),
        (failed(epoch=2, reason="context_exceeded", retryable=False), SETTING, "failed"),
        # Without limits everything is as it was.
        (failed(), BLIND, "failed"),
        (failed(epoch=2), BLIND, "failed"),
    ],
)
def test_what_failed_at_a_judge(state: ThreadState, setting: Setting, does: str) -> None:
    decision = decide(state, setting)
    assert isinstance(decision, list)
    match does:
        case "waits":
            assert decision == []
            assert loses_its_judge(state, setting)
        case "asked again":
            (event,) = decision
            assert isinstance(event, StepRequested)
            assert (event.kind, event.step, event.emit, event.epoch) == ("judge", 10, 1, 3)
            assert not loses_its_judge(state, setting)
        case _:
            assert isinstance(decision[0], ConversationFailed)


def test_a_recheck_that_fails_costs_nothing_and_nothing_waits_for_it() -> None:
    assert not failed_at_judge(failed(piece=Piece("recheck")))
    assert failed_at_judge(failed(piece=Piece("comparison")))
    assert not failed_at_judge(replace(failed(), phase="waiting"))
