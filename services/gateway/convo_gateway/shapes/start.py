"""Asking what a run would cost, and starting it."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from convo_events.catalog import Name
from convo_events.errors import Problem
from convo_gateway.shapes.counts import Input, Shape
from convo_gateway.shapes.estimate import Estimate

SpendCap = Annotated[
    float, Field(ge=0.000001, le=1_000_000_000, allow_inf_nan=False, examples=[25.0])
]
"""US dollars."""


class Wanted(Input):
    """What a run would be made of."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"config": "support-quick", "target_count": 200}]}
    )

    config: Name
    """Name of a run config."""
    version: Annotated[int, Field(ge=1)] | None = None
    """Version of the config; None for the latest. What it names is always taken in its latest version."""
    target_count: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    """Instead of the config's."""
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    """Instead of the config's."""
    import_source: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    """Id of the import that a run of mode ``import`` reads; the run takes all of its conversations, or the first
    ``target_count``. None for the other modes."""
    start: Literal["now", "off_peak"] = "now"
    """``off_peak`` waits queued until the next window in which a model of the run is cheaper: the first that opens."""
    spend_cap_usd: SpendCap | None = None
    """The most that this run may spend, in US dollars, instead of the config's; None for the config's."""


class Start(Wanted):
    """A run to start."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"config": "support-quick", "target_count": 200, "confirm_estimate_micro": 4200000}
            ]
        }
    )

    name: Annotated[
        str,
        StringConstraints(max_length=200, strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]*$"),
    ] = ""
    """On one line. Empty: the config's name and the date."""
    confirm_estimate_micro: Annotated[int, Field(ge=0)] | None = None
    """The estimate that was read and agreed to. Needed where it is above the config's threshold; 0 where no estimate
    can be given because a model has no price."""


class OffPeakStart(Shape):
    """The next window in which a model of the run is cheaper."""

    at: datetime
    """When it opens; now, where it is open already."""
    open_now: bool
    until: datetime | None
    """When it closes; None where it never does. Calls sent after it have the prices of their own time."""
    clock: str
    """When it opens by the clock of its zone, such as ``22:00``."""
    zone: str
    """IANA time zone."""
    model: str
    """``backend/model`` that is cheaper in it."""
    total_micro: int | None
    """Expected total for a start at that moment, all of it at the prices of the window."""
    later_micro: int | None
    """The same, all of it at the prices after the window: a run that outlives the window ends between the two."""


class EstimateAnswer(Shape):
    """What a run would cost, before a call is made."""

    config: str
    config_version: int
    estimate: Estimate
    needs_confirmation: bool
    """Above the config's threshold, or not comparable with it because a price is unknown."""
    off_peak: OffPeakStart | None
    """None where no model of the run has off-peak prices."""
    warnings: list[Problem]
    """What is allowed and probably not meant."""


class NeedsConfirmation(Shape):
    """What a refused start says beside the members of a problem."""

    estimate_micro: int | None
    threshold_micro: int
