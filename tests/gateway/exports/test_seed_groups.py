"""Near siblings stay on one side of a split, and nobody moves when others come."""

from collections import Counter

from convo_events.plan import draw
from convo_gateway.exports.seed_groups import seed_group, split_of
from tests.snapshots import snapshot

SHARES = {"train": 0.8, "validation": 0.1, "test": 0.1}


def test_a_group_is_what_the_plan_drew_alike() -> None:
    frozen = snapshot()
    groups: dict[str, set[tuple[object, ...]]] = {}
    for thread in range(frozen.lanes):
        for number in range(frozen.quota(thread)):
            drawn = draw(frozen, thread, number)
            group = seed_group(frozen, thread, number, "")
            alike = (drawn.persona.name, drawn.voice.name, *sorted(drawn.pools.items()))
            groups.setdefault(group, set()).add(alike)
    assert all(len(alike) == 1 for alike in groups.values())
    assert len({one for alike in groups.values() for one in alike}) == len(groups)


def test_without_a_plan_everyone_is_a_group() -> None:
    assert seed_group(None, 0, 0, "a") != seed_group(None, 0, 0, "b")
    assert seed_group(None, 0, 0, "a") == seed_group(None, 5, 5, "a")
    frozen = snapshot()
    assert seed_group(frozen, 0, 10_000_000, "a") == seed_group(None, 0, 0, "a")


def test_shares_are_kept_and_others_move_nobody() -> None:
    keys = [f"group {n}" for n in range(5_000)]
    placed = {key: split_of(key, SHARES, 0) for key in keys}
    found = Counter(placed.values())
    assert abs(found["train"] - 4_000) < 150
    assert abs(found["test"] - 500) < 100
    # A split that grows at the cost of the last one takes nobody else.
    wider = {"train": 0.8, "validation": 0.15, "test": 0.05}
    assert all(split_of(key, wider, 0) == place or place == "test" for key, place in placed.items())
    assert any(split_of(key, SHARES, 1) != place for key, place in placed.items())
    assert {split_of(key, {"all_of_it": 1.0}, 0) for key in keys} == {"all_of_it"}
