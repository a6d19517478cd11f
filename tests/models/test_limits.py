from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.limits import (
    Limit,
    Share,
    decreased,
    fair_shares,
    grant,
    increased,
    push_back_s,
    with_most,
)

WANTS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 300), min_size=1)


@given(st.integers(1, 400), WANTS, st.integers(0, 50))
def test_shares_are_max_min_fair(total: int, wants: dict[str, int], turn: int) -> None:
    shares = fair_shares(total, wants, turn)
    assert sum(shares.values()) == (total if any(wants.values()) else 0)
    assert all(shares[name] == 0 for name in wants if wants[name] == 0)
    short = [name for name in wants if shares[name] < wants[name]]
    for name in short:
        assert all(shares[other] <= shares[name] + 1 for other in wants)


def test_more_workers_than_calls_take_turns() -> None:
    wants = dict.fromkeys("abcde", 3)
    served = [
        {name for name, share in fair_shares(2, wants, turn).items() if share} for turn in range(5)
    ]
    assert all(len(names) == 2 for names in served)
    assert set.union(*served) == set(wants)


def test_a_lone_worker_gets_all_of_it_at_once() -> None:
    assert fair_shares(64, {"a": 1, "b": 0}, 0) == {"a": 64, "b": 0}


@given(st.data())
def test_grants_stay_within_the_limit(data: st.DataObject) -> None:
    """Whatever workers want and hold, no round grants more than is free; only a decrease leaves it exceeded."""
    limit = Limit(most=50, current=50)
    shares = {name: Share(0, 0) for name in "abc"}
    for step in range(40):
        name = data.draw(st.sampled_from("abc"))
        share = shares[name]
        held = data.draw(st.integers(0, share.granted))
        shares[name] = Share(held, want=data.draw(st.integers(held, 80)))
        if data.draw(st.booleans()):
            limit = decreased(limit, 0, now=step * 3.0)
        others = sum(other.granted for key, other in shares.items() if key != name)
        granted, fair = grant(limit, shares, name, now=step * 3.0)
        assert granted >= held
        assert granted == held or granted + others <= limit.current
        assert 0 <= fair <= limit.current
        shares[name] = replace(shares[name], granted=granted)


def test_what_another_holds_is_not_given_twice() -> None:
    limit = Limit(most=10, current=10)
    shares = {"a": Share(granted=10, want=40), "b": Share(granted=0, want=40)}
    assert grant(limit, shares, "b", now=0) == (0, 5)
    assert grant(limit, shares, "a", now=0) == (10, 5)
    shares["a"] = Share(granted=6, want=40)
    assert grant(limit, shares, "b", now=0) == (4, 5)


def test_a_decrease_comes_at_most_every_two_seconds_and_the_longest_cooldown_counts() -> None:
    limit = decreased(Limit(most=100, current=100), cooldown_s=5, now=1_000.0)
    assert (limit.current, limit.cooldown_until) == (70, 1_005.0)
    again = decreased(limit, cooldown_s=1, now=1_001.9)
    assert again == limit
    assert decreased(limit, cooldown_s=9, now=1_002.0) == replace(
        limit, current=49, decreased_at=1_002.0, cooldown_until=1_011.0
    )
    assert decreased(Limit(most=9, current=1), 0, now=0.0).current == 1


def test_an_increase_needs_demand_rest_and_no_cooldown() -> None:
    limit = Limit(most=100, current=40, decreased_at=10.0, cooldown_until=12.0)
    assert increased(limit, wanted=40, now=11.5) == limit
    assert increased(limit, wanted=39, now=12.0) == limit
    higher = increased(limit, wanted=40, now=12.0)
    assert (higher.current, higher.increased_at) == (42, 12.0)
    assert increased(higher, wanted=99, now=12.9) == higher
    assert increased(Limit(most=100, current=3), wanted=3, now=0.0).current == 4
    assert increased(Limit(most=100, current=99), wanted=200, now=0.0).current == 100


def test_another_configured_limit() -> None:
    assert with_most(Limit(most=32, current=32), 64).current == 64
    assert with_most(Limit(most=32, current=7), 64).current == 7
    assert with_most(Limit(most=32, current=20), 8).current == 8


@pytest.mark.parametrize(
    ("kind", "retry_after_s", "overloads", "cooldown_s"),
    [
        (ErrorKind.rate_limited, 7.0, 0, 7.0),
        (ErrorKind.rate_limited, 0.0, 0, 0.0),
        (ErrorKind.rate_limited, None, 0, 1.0),
        (ErrorKind.overloaded, 4.0, 1, 4.0),
        (ErrorKind.overloaded, None, 2, None),
        (ErrorKind.overloaded, None, 3, 0.0),
        (ErrorKind.bad_request, None, 9, None),
        (ErrorKind.timeout, None, 9, None),
        (ErrorKind.quota, None, 9, None),
    ],
)
def test_l05_single_faults_are_no_push_back(
    kind: ErrorKind, retry_after_s: float | None, overloads: int, cooldown_s: float | None
) -> None:
    error = BackendError(kind, "", retry_after_s=retry_after_s)
    assert push_back_s(error, overloads) == cooldown_s
