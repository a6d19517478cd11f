"""What is wrong with a run config, saved or as far as it is written."""

from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue

from convo_gateway.catalog.checks.findings import Severity
from convo_gateway.shapes.counts import Shape
from convo_gateway.shapes.estimate import Estimate


class ConfigToCheck(Shape):
    """A run config that may be anything yet."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"config": {"name": "draft", "mode": "dialogue"}}]},
    )

    config: dict[str, JsonValue]
    """The body of a run config as it is written, finished or not."""
    target_count: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    """Instead of the config's."""


class ConfigProblem(Shape):
    """One thing wrong with a run config."""

    message: str
    """What is wrong, and what to do."""
    pointer: str
    """JSON pointer into the config, such as ``/roles/judge/model``; empty for the whole."""
    severity: Severity
    """``error``: no run can start from it. ``warning``: one can, and it is probably not meant."""


class ConfigCheck(Shape):
    """Everything that is wrong with a run config, at once."""

    startable: bool
    """Whether a run could start: there is no error."""
    problems: list[ConfigProblem]
    """In the order of the config's fields, the first 500."""
    left_out: int
    """Problems beyond these."""
    estimate: Estimate | None
    """What a run of it would cost; None where none could start."""
