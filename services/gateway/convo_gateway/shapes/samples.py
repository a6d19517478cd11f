"""A sample: one conversation of a config's plan, made for real."""

from typing import Annotated

from pydantic import ConfigDict, Field

from convo_events.catalog import Name
from convo_gateway.shapes.counts import Input, Shape


class SampleWanted(Input):
    """Which conversation of which plan."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"config": "support-quick", "seed": 7, "index": 3}]}
    )

    config: Name
    """Name of a run config."""
    version: Annotated[int, Field(ge=1)] | None = None
    """Version of the config; None for the latest."""
    target_count: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    """Instead of the config's: the plan depends on it."""
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    """Instead of the config's."""
    index: Annotated[int, Field(ge=0, lt=10_000_000)]
    """Number of the conversation in the plan, from 0, as the seed preview shows it."""


class SampleStart(SampleWanted):
    """A sample to make."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"config": "support-quick", "seed": 7, "index": 3, "confirm_estimate_micro": 2400}
            ]
        }
    )

    confirm_estimate_micro: Annotated[int, Field(ge=0)] | None = None
    """The price that was read and agreed to; needed unless the estimate is nothing. 0 where no estimate can be given
    because a model has no price."""


class SampleStarted(Shape):
    """Where the sample is made."""

    run: str
    """Id of the run of kind ``sample``, which lists leave out."""
    conversation: str
    """Id of the conversation; it can be read as soon as its first call is asked for."""
