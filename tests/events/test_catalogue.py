"""The catalogue of events in the README says what the code says."""

from typing import get_args

import pytest

from convo_events.catalogue import BEGIN, END, README, catalogue, put_into
from convo_events.codec import KNOWN_TYPES, Event


def test_the_readme_has_the_events_as_they_are() -> None:
    assert README.read_text() == put_into(README.read_text(), catalogue()), (
        "run python -m convo_events.catalogue"
    )


@pytest.mark.parametrize("event", get_args(Event), ids=lambda event: str(event.__name__))
def test_every_field_says_what_it_means(event: type[Event]) -> None:
    silent = [
        name
        for name, field in event.model_fields.items()
        if name != "type" and not field.description
    ]

    assert silent == []


def test_every_type_has_a_section() -> None:
    found = catalogue()

    assert [name for name in KNOWN_TYPES if f"#### `{name}`" not in found] == []


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    assert put_into(f"a\n{BEGIN}\nold\n{END}\nb", "new\n") == f"a\n{BEGIN}\n\nnew\n\n{END}\nb"


def test_a_readme_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no <!-- events"):
        put_into("text", "new")
