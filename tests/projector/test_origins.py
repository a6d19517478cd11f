"""Where conversations come from that were made elsewhere."""

from convo_events.outcomes import Generated, Origin
from convo_projector.projections import origins
from tests.projector.test_projections import BY_TYPE, LATE, NOW


def test_only_what_was_read_has_an_origin() -> None:
    event = BY_TYPE["step.generated"]
    assert isinstance(event, Generated)
    origin = Origin(source="imp-1", row=17, metadata={"system": "Be kind."}, left_out=("picture",))
    read = event.model_copy(update={"origin": origin})
    name = "run-abc.3.1"

    assert origins.rows(read, NOW) == [
        ((name,), origins.Row(name, "imp-1", 17, {"system": "Be kind."}, ["picture"]))
    ]
    assert origins.rows(read, LATE) == []
    assert origins.rows(event.model_copy(update={"origin": None}), NOW) == []
    assert origins.rows(BY_TYPE["step.judged"], NOW) == []
