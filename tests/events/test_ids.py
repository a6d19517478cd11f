"""Ids are derived: pinned for ever, unambiguous, and safe wherever they stand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events import ids

PARTS = st.lists(st.text(max_size=6), max_size=4)


@pytest.mark.parametrize(
    ("found", "pinned"),
    [
        (ids.digest("a", "b"), "v5gbtl543tcaovyu"),
        (ids.run_id("key-1"), "run-oaudmm2e43ka"),
        (ids.conversation_id("run-a", 3, 1), "run-a.3.1"),
        (ids.step_key("run-a", 3, 7, "snap", "input"), "mkebj46hi6lyfgk3axzhagnsjatffsde"),
        (ids.step_event_id("run-a", 3, 7, 2), "s:run-a:3:7:2"),
        (ids.outcome_id("run-a", 3, 7, 1), "o:run-a:3:7:1"),
        (ids.call_event_id("key", 2, "lost"), "c:key:2:lost"),
        (ids.verdict_id("run-a", 3, 1), "v:run-a:3:1"),
        (ids.control_id("run-a", 4, "paused"), "r:run-a:4:paused"),
    ],
)
def test_ids_never_change(found: str, pinned: str) -> None:
    assert found == pinned


@given(PARTS, PARTS)
def test_different_parts_have_different_digests(one: list[str], other: list[str]) -> None:
    assert (ids.digest(*one, length=32) == ids.digest(*other, length=32)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(("ab", "c"), ("a", "bc")), (("1:a",), ("a",)), (("a\x1f1:b",), ("a", "b")), ((), ("",))],
)
def test_borders_of_parts_count(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert ids.digest(*one) != ids.digest(*other)


@given(st.text(max_size=20))
def test_a_run_id_is_safe_whatever_the_key(key: str) -> None:
    assert re.fullmatch(r"run-[a-z2-7]{12}", ids.run_id(key))


def test_a_key_with_a_lone_surrogate_has_an_id() -> None:
    assert ids.run_id("\ud800") != ids.run_id("\udfff")


def test_each_part_of_the_work_is_part_of_its_key() -> None:
    keys = {
        ids.step_key("r", 1, 1, "s", "i"),
        ids.step_key("q", 1, 1, "s", "i"),
        ids.step_key("r", 2, 1, "s", "i"),
        ids.step_key("r", 1, 2, "s", "i"),
        ids.step_key("r", 1, 1, "t", "i"),
        ids.step_key("r", 1, 1, "s", "j"),
    }
    assert len(keys) == 6


def test_threads_are_spread_over_all_shards() -> None:
    shards = [ids.shard("run-a", thread) for thread in range(1_000)]

    assert set(shards) == set(range(ids.SHARDS))
    assert max(shards.count(shard) for shard in set(shards)) < 2 * 1_000 / ids.SHARDS
