"""The credit window: never more open than allowed, never nothing."""

from hypothesis import given
from hypothesis import strategies as st

from convo_scheduler.pacing import WINDOW_FACTOR, concurrency, threads_to_open, window
from tests.journeys.configs import snapshot

COUNT = st.integers(0, 10_000)


def test_each_model_is_counted_once() -> None:
    assert concurrency(snapshot(9, concurrency=30)) == 60
    assert concurrency(snapshot(9, concurrency=30, judge=False)) == 30
    assert concurrency(snapshot(9, concurrency=30, mode="scripted")) == 60


def test_a_window_is_twice_the_allowed_concurrency() -> None:
    assert window(snapshot(9, concurrency=30), 5_000, 1) == WINDOW_FACTOR * 60


def test_l03_the_overall_limit_is_shared_between_live_runs() -> None:
    busy = snapshot(9, concurrency=10_000)
    assert window(busy, 5_000, 1) == 5_000
    assert window(busy, 5_000, 3) == 1_666
    assert window(snapshot(9, concurrency=1), 5_000, 3) == 4


def test_a_run_is_never_starved() -> None:
    assert window(snapshot(9), 5, 50) == 1
    assert window(snapshot(9), 5, 0) == 5


def test_threads_are_opened_in_order_as_others_close() -> None:
    assert threads_to_open(10, 0, 0, 4) == range(0, 4)
    assert list(threads_to_open(10, 4, 0, 4)) == []
    assert threads_to_open(10, 4, 2, 4) == range(4, 6)
    assert threads_to_open(10, 9, 9, 4) == range(9, 10)
    assert list(threads_to_open(10, 10, 10, 4)) == []


@given(lanes=COUNT, opened=COUNT, closed=COUNT, size=st.integers(1, 5_000))
def test_a_window_is_never_exceeded(lanes: int, opened: int, closed: int, size: int) -> None:
    opened = min(opened, lanes)
    closed = min(closed, opened)
    found = threads_to_open(lanes, opened, closed, size)

    open_after = opened + len(found) - closed
    assert open_after <= max(size, opened - closed)
    assert list(found) == list(range(opened, opened + len(found)))
    assert opened + len(found) <= lanes
    if opened - closed < size and opened < lanes:
        assert len(found) > 0


def test_a_run_that_calls_no_model_has_only_the_overall_limit() -> None:
    plain = snapshot(9, judge=False)
    free = plain.config.model_copy(update={"mode": "import"})
    assert window(plain.model_copy(update={"config": free}), 5_000, 2) == 2_500
