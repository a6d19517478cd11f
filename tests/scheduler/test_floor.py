"""Distinct-3 against its floor, case by case."""

import pytest

from convo_events.catalog import Diversity
from convo_scheduler.floor import Lately, under_the_floor
from convo_scheduler.run import Block, Stop

LOW, HIGH, FLOOR = 0.2, 0.6, 0.5


@pytest.mark.parametrize(
    ("value", "window", "accepted", "paused_at", "acts"),
    [
        (LOW, 100, 100, None, True),
        (LOW, 100, 4_321, None, True),
        (LOW, 99, 99, None, False),  # fewer than 100 accepted: nobody can say yet
        (None, 0, 0, None, False),  # nothing counted yet
        (None, 100, 100, None, False),  # not one 3-gram in them
        (FLOOR, 100, 100, None, False),  # at the floor is not under it
        (HIGH, 100, 100, None, False),
        (LOW, 100, 150, 150, False),  # resumed: the same conversations again
        (LOW, 100, 120, 150, False),  # counted before the pause was folded
        (LOW, 100, 249, 150, False),  # one of the window was there at the pause
        (LOW, 100, 250, 150, True),  # a whole new window since
    ],
)
def test_when_the_floor_acts(
    value: float | None, window: int, accepted: int, paused_at: int | None, acts: bool
) -> None:
    lately = Lately(value, window, accepted, paused_at)
    for chosen, kind in (("pause", Block), ("stop", Stop)):
        asked = Diversity.model_validate({"distinct3_floor": FLOOR, "below_floor": chosen})
        found = under_the_floor(asked, lately)
        assert isinstance(found, kind) if acts else found is None


@pytest.mark.parametrize("asked", [Diversity(distinct3_floor=FLOOR), Diversity(below_floor="stop")])
def test_without_a_floor_or_without_a_wish_it_is_only_shown(asked: Diversity) -> None:
    assert under_the_floor(asked, Lately(LOW, 100, 100, None)) is None


def test_it_says_value_population_floor_and_what_to_do() -> None:
    lately = Lately(0.21, 100, 12_431, None)
    paused = under_the_floor(Diversity(distinct3_floor=FLOOR, below_floor="pause"), lately)
    assert paused == Block(
        "diversity_floor",
        "distinct-3 of the last 100 accepted conversations is 0.210, under the floor 0.500 (12,431 accepted so far): "
        "look at what repeats, then resume or cancel; resumed, it is looked at again after 100 more accepted "
        "conversations.",
    )
    stopped = under_the_floor(Diversity(distinct3_floor=FLOOR, below_floor="stop"), lately)
    assert isinstance(stopped, Stop)
    assert "0.210, under the floor 0.500 (12,431 accepted so far)" in stopped.detail


def test_only_another_wish_than_showing_changes_what_is_frozen() -> None:
    assert "below_floor" not in Diversity().model_dump()
    assert Diversity(below_floor="pause").model_dump()["below_floor"] == "pause"
