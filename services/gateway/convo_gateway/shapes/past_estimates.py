"""How good the estimates of a run config were."""

from datetime import datetime

from convo_gateway.shapes.counts import Shape


class PastEstimate(Shape):
    """An ended run: what was estimated at its start, and what it spent."""

    run: str
    name: str
    config_version: int
    status: str
    """``completed``, ``cancelled`` or ``failed``."""
    planned_at: datetime
    ended_at: datetime | None
    target: int
    made: int
    """Conversations that ended, whatever became of them."""
    accepted: int
    expected_accepted: float | None
    estimate_micro: int | None
    """None where a model had no price."""
    spent_micro: int | None
    """Known cost of its calls; None where a model had no price."""
    unknown_micro: int
    """The most that calls can have cost of which nobody knows; not part of what was spent."""
    error: float | None
    """(estimate - spent) / spent: below 0 the estimate was too low. None for a run that was not completed, as it made
    less than was estimated, and where either number is unknown or nothing was spent."""


class PastEstimates(Shape):
    """Ended runs of the configs of one name, newest first."""

    items: list[PastEstimate]
    """The last hundred at most."""
    mean_error: float | None
    """Mean of the errors without their signs; None where there are none."""
    last_error: float | None
    """Error of the newest run that has one."""
