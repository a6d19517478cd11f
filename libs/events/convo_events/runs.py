"""Facts of a run's life. The scheduler records them; ``epoch`` rises by one with every control command."""

from typing import Annotated, Literal

from pydantic import Field

from convo_events.facts import Count, Fact, Micro, RunId, Utc

RunStatus = Literal["queued", "running", "paused", "cancelling", "completed", "cancelled", "failed"]
RunKind = Literal["generation", "sample"]
"""A ``sample`` makes one conversation of a plan and is not listed among the runs."""
FINAL: frozenset[str] = frozenset({"completed", "cancelled", "failed"})
"""Statuses that nothing leaves."""


class RunFact(Fact):
    """What all facts of a run's life carry."""

    v: Literal[1] = 1
    """Version of this event's shape."""
    run: RunId
    """Id of the run."""
    epoch: Count
    """Control epoch after this fact."""


class RunPlanned(RunFact):
    """A run was accepted; it waits queued until it starts."""

    type: Literal["run.planned"] = "run.planned"
    kind: RunKind = "generation"
    """Kind of run."""
    name: str
    """Name that a person gave, or the config's name and the date."""
    config: str
    """Name of the run config."""
    config_version: Count
    """Version of the run config that was frozen."""
    mode: str
    """Mode of the run config."""
    snapshot: str
    """Content hash of everything that was frozen."""
    target: Count
    """Conversations to make."""
    seed: int
    """Seed of the plan."""
    lanes: Count
    """Number of threads the target is shared out over."""
    estimate_micro: Micro | None
    """Estimated cost at the start; None where a model has no price."""
    expected_accepted: float | None
    """Conversations expected to be accepted."""
    spend_cap_micro: Micro | None = None
    """The most the run may spend; None for no cap."""
    distinct3_floor: float | None = None
    """Distinct-3 under this is shown as too low."""
    not_before: Utc | None = None
    """The run waits queued until then."""
    language: str = ""
    """Language that the run config asks for; empty where it was not told."""


class RunStarted(RunFact):
    """Work began."""

    type: Literal["run.started"] = "run.started"


class RunPaused(RunFact):
    """Nothing new is sent; calls under way finish and are kept."""

    type: Literal["run.paused"] = "run.paused"
    reason: str
    """``requested``, or why convo paused it itself: ``spend_cap``, ``backend_auth``, ``backend_quota`` ..."""
    detail: str = ""
    """A sentence for people."""


class RunResumed(RunFact):
    """Each thread goes on with its next step."""

    type: Literal["run.resumed"] = "run.resumed"


class RunKicked(RunFact):
    """Every open step is sent again under its own identity."""

    type: Literal["run.kicked"] = "run.kicked"
    threads: Count
    """Threads with an open step at that moment."""


class RunCapChanged(RunFact):
    """The most that the run may spend is another amount from now on; calls under way were allowed under the old one."""

    type: Literal["run.cap_changed"] = "run.cap_changed"
    spend_cap_micro: Micro | None
    """None for no cap."""


class RunCancelRequested(RunFact):
    """Calls in flight are being aborted."""

    type: Literal["run.cancel_requested"] = "run.cancel_requested"
    reason: Annotated[str, Field(exclude_if=lambda said: said == "")] = ""
    """Why convo stops the run itself, such as ``diversity_floor``; empty where a person cancels it."""
    detail: Annotated[str, Field(exclude_if=lambda said: said == "")] = ""
    """A sentence for people."""


class RunCancelled(RunFact):
    """All calls are closed; open conversations are cancelled and nothing changes any more."""

    type: Literal["run.cancelled"] = "run.cancelled"


class RunCompleted(RunFact):
    """Every planned conversation has its verdict."""

    type: Literal["run.completed"] = "run.completed"


class RunFailed(RunFact):
    """The run cannot go on."""

    type: Literal["run.failed"] = "run.failed"
    reason: str
    """Why, as a code."""
    detail: str = ""
    """A sentence for people."""
