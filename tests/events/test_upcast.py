"""Old shapes are brought to today's by one function for each retired version."""

from convo_events.upcast import UPCASTERS, Body, upcast

TABLE = {
    ("tea.made", 1): lambda body: {**body, "v": 2, "sugar": 0},
    ("tea.made", 2): lambda body: {"type": "tea.brewed", "v": 1, "spoons": body["sugar"]},
    ("tea.brewed", 1): lambda body: {**body, "v": 2, "milk": False},
}


def test_a_retired_version_is_brought_up_step_by_step() -> None:
    assert upcast({"type": "tea.made", "v": 1}, TABLE) == {
        "type": "tea.brewed",
        "v": 2,
        "spoons": 0,
        "milk": False,
    }


def test_it_starts_at_the_version_that_was_written() -> None:
    assert upcast({"type": "tea.made", "v": 2, "sugar": 3}, TABLE)["spoons"] == 3


def test_a_body_without_version_is_of_the_first() -> None:
    assert upcast({"type": "tea.made"}, TABLE)["v"] == 2


def test_today_s_version_and_other_types_stay_as_they_are() -> None:
    today: Body = {"type": "tea.brewed", "v": 2}
    other: Body = {"type": "coffee.made", "v": 1}

    assert upcast(today, TABLE) is today
    assert upcast(other, TABLE) is other


def test_what_was_read_is_not_changed() -> None:
    body: Body = {"type": "tea.made", "v": 1}
    upcast(body, TABLE)
    assert body == {"type": "tea.made", "v": 1}


def test_every_event_written_so_far_is_of_its_first_version() -> None:
    assert UPCASTERS == {}
