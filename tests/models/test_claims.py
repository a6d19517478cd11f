"""May this call be made? Every state of the ledger against every state of the run."""

import pytest

from convo_models.claims import (
    Answered,
    Booked,
    Budget,
    Control,
    Crowded,
    Held,
    OverCap,
    Refusal,
    Stopped,
    Work,
    refusal,
)

RUNNING = Control("running", 3)
ROOM = Budget(cap_micro=1_000, spent_micro=400, reserved_micro=500)


def work(*, emit: int = 2, worst_micro: int | None = 100) -> Work:
    return Work(
        step_key="key",
        run="run-a",
        thread=0,
        conversation=0,
        step=4,
        emit=emit,
        epoch=3,
        role="assistant",
        backend="fake",
        model="writer",
        worst_micro=worst_micro,
        deadline_s=20,
    )


def booked(state: str, *, emit: int = 2, event: str | None = "said", leased: bool = True) -> Booked:
    return Booked(state, attempts=1, emit=emit, leased=leased, event=event)


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        (None, None),
        (booked("finished"), Answered("said")),
        (booked("finished", emit=1), Answered("said")),
        (booked("finished", event=None), Held()),
        (booked("started"), Held()),
        (booked("started", emit=1), Held()),
        (booked("started", leased=False), Held()),
        (booked("aborted"), Held()),
        (booked("open", emit=2), Answered("said")),
        (booked("open", emit=3), Answered("said")),
        (booked("open", emit=2, event=None), Held()),
        (booked("open", emit=1), None),
    ],
)
def test_i4_a_call_is_made_only_where_none_was_or_a_newer_request_asks(
    found: Booked | None, answer: Refusal | None
) -> None:
    assert refusal(work(), RUNNING, found, None) == answer


@pytest.mark.parametrize(
    ("control", "answer"),
    [
        (None, Stopped("unknown")),
        *(
            (Control(status, 3), Stopped(status))
            for status in ("queued", "paused", "cancelling", "cancelled", "completed", "failed")
        ),
        (Control("running", 4), Stopped("running")),
        (Control("running", 2), Stopped("running")),
        (RUNNING, None),
    ],
)
def test_i6_no_call_without_a_running_run_of_this_epoch(
    control: Control | None, answer: Refusal | None
) -> None:
    assert refusal(work(), control, None, None) == answer
    assert refusal(work(), control, booked("open", emit=1), None) == answer


def test_a_stored_answer_is_said_again_even_on_a_paused_run() -> None:
    assert refusal(work(), Control("paused", 9), booked("finished"), None) == Answered("said")
    assert refusal(work(), None, booked("finished"), None) == Answered("said")


@pytest.mark.parametrize(
    ("worst_micro", "fits"), [(0, True), (99, True), (100, True), (101, False), (None, True)]
)
def test_the_worst_case_must_fit_under_the_cap(worst_micro: int | None, fits: bool) -> None:
    answer = refusal(work(worst_micro=worst_micro), RUNNING, None, ROOM)
    assert answer == (None if fits else Crowded(ROOM))


def test_only_with_nothing_in_flight_is_the_cap_really_reached() -> None:
    alone = Budget(cap_micro=1_000, spent_micro=900, reserved_micro=0)
    assert refusal(work(worst_micro=101), RUNNING, None, alone) == OverCap(alone)
    assert refusal(work(worst_micro=100), RUNNING, None, alone) is None


def test_a_stored_answer_needs_no_room() -> None:
    assert refusal(work(worst_micro=10**9), RUNNING, booked("finished"), ROOM) == Answered("said")


def test_a_stopped_run_is_said_before_its_cap() -> None:
    answer = refusal(work(worst_micro=10**9), Control("paused", 3), None, ROOM)
    assert answer == Stopped("paused")
