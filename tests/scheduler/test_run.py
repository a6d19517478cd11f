"""The life of a run, cell by cell."""

from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from convo_events.commands import CapRun, ControlRun, StartRun
from convo_events.errors import NotFound, Refused
from convo_events.runs import (
    FINAL,
    RunCancelled,
    RunCancelRequested,
    RunCapChanged,
    RunCompleted,
    RunFailed,
    RunKicked,
    RunPaused,
    RunPlanned,
    RunResumed,
    RunStarted,
    RunStatus,
)
from convo_scheduler.run import (
    Abandon,
    Begin,
    Block,
    Closed,
    Control,
    Finish,
    LifeEvent,
    Own,
    Purse,
    Stop,
    decide,
    decide_cap,
    decide_own,
    evolve,
    start,
)
from tests.scheduler.given import NOW, Given, given

RUN = "run-a"
START = StartRun(
    run=RUN,
    name="A",
    config="c",
    config_version=1,
    mode="dialogue",
    snapshot="s",
    target=10,
    seed=1,
    lanes=2,
    estimate_micro=5,
    expected_accepted=8.5,
    spend_cap_micro=100,
    distinct3_floor=0.3,
)
PLANNED, STARTED = start(START, None, NOW)
ACTIONS = ("pause", "resume", "kick", "cancel", "start")
OWN: dict[str, Own] = {
    "begin": Begin(),
    "finish": Finish(),
    "block": Block("backend_auth", "wrong key"),
    "stop": Stop("diversity_floor", "too alike"),
    "closed": Closed(),
    "abandon": Abandon("snapshot_missing", "gone"),
}
STATUSES: tuple[RunStatus, ...] = get_args(RunStatus)
NEXT: dict[str, LifeEvent] = {
    "start": RunStarted(run=RUN, epoch=4),
    "pause": RunPaused(run=RUN, epoch=4, reason="requested"),
    "resume": RunResumed(run=RUN, epoch=4),
    "kick": RunKicked(run=RUN, epoch=4, threads=7),
    "cancel": RunCancelRequested(run=RUN, epoch=4),
    "begin": RunStarted(run=RUN, epoch=4),
    "finish": RunCompleted(run=RUN, epoch=4),
    "block": RunPaused(run=RUN, epoch=4, reason="backend_auth", detail="wrong key"),
    "stop": RunCancelRequested(run=RUN, epoch=4, reason="diversity_floor", detail="too alike"),
    "closed": RunCancelled(run=RUN, epoch=4),
    "abandon": RunFailed(run=RUN, epoch=4, reason="snapshot_missing", detail="gone"),
}
DOES = {
    "queued": {"start", "cancel", "begin", "abandon"},
    "running": {"pause", "kick", "cancel", "finish", "block", "stop", "abandon"},
    "paused": {"resume", "cancel"},
    "cancelling": {"closed"},
}
NOTHING = {
    ("running", "resume"),
    ("running", "start"),
    ("paused", "pause"),
    ("cancelling", "cancel"),
    ("cancelled", "cancel"),
}


def at(status: RunStatus) -> Given:
    return Given(Control(RUN, status, 3, "s", 10, 2))


def ask(action: str) -> ControlRun:
    return ControlRun.model_validate({"run": RUN, "action": action})


def moved(control: Control, move: str) -> list[LifeEvent]:
    """What a command or an observation does; nothing where it is refused."""
    if move in OWN:
        return decide_own(OWN[move], control)
    try:
        return decide(ask(move), control, 1)
    except Refused:
        return []


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("action", ACTIONS)
def test_each_command_in_each_status(status: RunStatus, action: str) -> None:
    outcome = at(status).when(ask(action), open_threads=7)
    if action in DOES.get(status, ()):
        outcome.then(NEXT[action])
    elif (status, action) in NOTHING:
        outcome.then()
    else:
        outcome.refused(Refused, f"cannot {action} run {RUN}: it is {status}")


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("seen", OWN)
def test_each_observation_in_each_status(status: RunStatus, seen: str) -> None:
    expected = [NEXT[seen]] if seen in DOES.get(status, ()) else []
    at(status).when(OWN[seen]).then(*expected)


@pytest.mark.parametrize("action", ACTIONS)
def test_a_run_that_is_not_there_is_not_found(action: str) -> None:
    given().when(ask(action)).refused(NotFound, "no run run-a")


def test_a_start_plans_and_begins() -> None:
    given().when(START).then(
        RunPlanned(epoch=0, **START.model_dump(exclude={"type"})), RunStarted(run=RUN, epoch=1)
    )
    assert given(PLANNED, STARTED).control == Control(RUN, "running", 1, "s", 10, 2)


@pytest.mark.parametrize(("wait_s", "waits"), [(-1, False), (0, False), (1, True)])
def test_a_start_for_later_waits_queued(wait_s: float, waits: bool) -> None:
    later = START.model_copy(update={"not_before": NOW + timedelta(seconds=wait_s)})
    planned, *rest = given().when(later).events()

    assert bool(rest) != waits
    control = given(planned).control
    assert control is not None
    assert (control.status, control.epoch, control.not_before) == ("queued", 0, later.not_before)


def test_r03_starting_twice_is_starting_once() -> None:
    for status in STATUSES:
        at(status).when(START).then()


def test_a_walk_through_a_whole_life() -> None:
    paused = RunPaused(run=RUN, epoch=2, reason="requested")
    resumed = RunResumed(run=RUN, epoch=3)
    given(PLANNED, STARTED).when(ask("pause")).then(paused)
    given(PLANNED, STARTED, paused).when(ask("resume")).then(resumed)
    kicked = RunKicked(run=RUN, epoch=4, threads=0)
    given(PLANNED, STARTED, paused, resumed).when(ask("kick")).then(kicked)
    given(PLANNED, STARTED, paused, resumed, kicked).when(Finish()).then(
        RunCompleted(run=RUN, epoch=5)
    )


def cap(micro: int | None, status: RunStatus, purse: Purse) -> list[LifeEvent]:
    control = at(status).control
    return decide_cap(CapRun(run=RUN, spend_cap_micro=micro), control, purse)


@pytest.mark.parametrize("status", STATUSES)
def test_a_cap_can_change_until_the_run_ends(status: RunStatus) -> None:
    purse = Purse(cap_micro=100, spent_micro=60)
    if status in ("queued", "running", "paused"):
        for micro in (500, 60, None):
            changed = RunCapChanged(run=RUN, epoch=4, spend_cap_micro=micro)
            assert cap(micro, status, purse) == [changed]
        assert cap(100, status, purse) == [], "it is the cap already"
    else:
        with pytest.raises(Refused, match=f"cannot change the spend cap of run {RUN}: it is"):
            cap(500, status, purse)


def test_a_cap_below_what_is_spent_pauses_a_running_run() -> None:
    purse = Purse(cap_micro=None, spent_micro=600_001)
    changed, paused = cap(600_000, "running", purse)
    assert changed == RunCapChanged(run=RUN, epoch=4, spend_cap_micro=600_000)
    assert isinstance(paused, RunPaused)
    assert (paused.epoch, paused.reason) == (5, "spend_cap")
    assert "$0.60" in paused.detail
    assert cap(600_000, "paused", purse) == [changed]
    assert cap(600_000, "queued", purse) == [changed]


def test_a_cap_of_no_run_is_not_found() -> None:
    with pytest.raises(NotFound, match="no run run-a"):
        decide_cap(CapRun(run=RUN, spend_cap_micro=1), None, Purse(None, 0))


def test_a_fact_without_a_plan_is_a_bug() -> None:
    with pytest.raises(ValueError, match=r"before run\.planned"):
        evolve(None, STARTED)


@drawn(st.sampled_from(STATUSES), st.sampled_from([a for a in ACTIONS if a != "kick"]))
def test_a_command_repeated_does_nothing_more(status: RunStatus, action: str) -> None:
    """Kick is the one that may be repeated; it costs nothing while leases live."""
    control = at(status).control
    assert control is not None
    try:
        events = decide(ask(action), control, 0)
    except Refused:
        return
    for event in events:
        control = evolve(control, event)
    assert decide(ask(action), control, 0) == []


@drawn(st.lists(st.sampled_from([*ACTIONS, *OWN]), max_size=30))
def test_any_life_has_rising_epochs_and_ends_once(moves: list[str]) -> None:
    control = given(PLANNED, STARTED).control
    assert control is not None
    ended = False
    for move in moves:
        before = control
        events = moved(control, move)
        assert not (ended and events)
        for event in events:
            control = evolve(control, event)
            assert control.epoch == before.epoch + 1
        ended = control.status in FINAL


@drawn(st.sampled_from(sorted(FINAL)), st.sampled_from([*ACTIONS, *OWN]))
def test_nothing_leaves_an_end(status: RunStatus, move: str) -> None:
    control = at(status).control
    assert control is not None
    assert moved(control, move) == []


def test_everything_the_config_froze_is_planned() -> None:
    assert isinstance(PLANNED, RunPlanned)
    dumped = PLANNED.model_dump()
    for name, value in START.model_dump(exclude={"type"}).items():
        assert dumped[name] == value
    control = given(PLANNED).control
    assert control == replace(Control(RUN, "queued", 0, "s", 10, 2), not_before=None)
