"""A run in lists and on its page."""

from datetime import datetime
from typing import Literal

from convo_events.runs import RunKind, RunStatus
from convo_events.steps import StepKind
from convo_gateway.shapes.counts import Avoided, CallCosts, Counted, RoleCosts, Shape
from convo_gateway.shapes.judging import Comparisons


class RunSummary(Shape):
    """A run as lists show it. Conversations: accepted + rejected + failed + cancelled + open = target.

    On the websocket a member that is None is left out.
    """

    id: str
    kind: RunKind
    """``sample``: one conversation of a plan; lists of runs leave it out."""
    name: str
    config: str
    config_version: int
    mode: str
    status: RunStatus
    reason: str
    """Why it is paused or failed, as a code; empty where there is no reason to give."""
    target: int
    """Conversations to make."""
    generated: int
    """Conversations whose generation finished, whatever became of them."""
    accepted: int
    rejected: int
    failed: int
    cancelled: int
    open: int
    """Conversations without a verdict."""
    cost_micro: int | None = None
    """Known cost in micro-dollars; None where no call has a price."""
    unknown_calls: int
    unknown_micro: int
    """The most that the unknown calls can have cost."""
    unpriced_calls: int
    estimate_micro: int | None = None
    """Estimate at the start; None where a model has no price."""
    spend_cap_micro: int | None = None
    planned_at: datetime
    not_before: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    rate_per_minute: float | None = None
    """Verdicts a minute over the last 2 minutes, over the whole run when it has ended; None while
    it waits or is paused."""
    eta_s: float | None = None
    """Seconds left at that rate; None unless the run is running and moves."""
    seq: int
    """Position in the log of the last event that changed the run."""


class RunPage(Shape):
    """A page of a list of runs."""

    items: list[RunSummary]
    next_cursor: str | None
    """None on the last page."""
    total: int
    """Runs that the filter leaves, on all pages."""
    statuses: dict[RunStatus, int]
    """Runs by status, whatever status is filtered for; the other filters apply."""
    configs: dict[str, int]
    """Runs by config, whatever config is filtered for; the other filters apply."""


class RoleRequested(Shape):
    """A model that plays a role."""

    role: str
    backend: str
    model: str


class JudgeRequested(Shape):
    """How conversations were to be scored."""

    criteria: list[str]
    scale: tuple[float, float]
    threshold: float
    samples: int
    """Of each judge."""
    reducer: str
    panel: list[str]
    """Further judges, as backend and model."""
    comparison: str | None
    """Example that conversations are compared with."""
    recheck_share: float
    cache: bool


class Requested(Shape):
    """What was asked for, as it was frozen at the start."""

    name: str
    config: str
    config_version: int
    mode: str
    conversations: Counted
    seed: int
    lanes: int
    language: str
    prompt_set: str
    personas: list[str]
    voices: list[str]
    roles: list[RoleRequested]
    judge: JudgeRequested | None
    """None: there is no layer 3."""
    versions: dict[str, int]
    """``kind/name`` to the version that was frozen."""
    estimate_micro: int | None
    expected_accepted: float | None
    spend_cap_micro: int | None
    not_before: datetime | None


class Happened(Shape):
    """The state, and why."""

    status: RunStatus
    reason: str
    detail: str
    """A sentence for people."""
    blocked_reason: str
    blocked_detail: str
    why_not_moving: str | None
    """What the run waits for; None where it moves or has ended."""
    planned_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    threads: Counted
    """Threads that are through."""
    threads_started: Counted


class CostSplit(Shape):
    """Cost by what it was for."""

    generation: CallCosts
    judge: CallCosts
    memory: CallCosts
    roughen: CallCosts


class RunCost(Shape):
    """What the run spent beside the estimate that it started with."""

    total: CallCosts
    split: CostSplit
    roles: list[RoleCosts]
    """One for each role and model."""
    avoided: Avoided | None
    """Beside the spend and never inside it; None where nothing came from the cache."""
    estimate_micro: int | None
    estimate_error: float | None
    """(estimate - spent) / spent, once the run is completed: below 0 the estimate was too low. None before, after a
    cancel, and where either is unknown."""
    spend_cap_micro: int | None


class DiversityNow(Shape):
    """Distinct-3 over the last accepted conversations."""

    distinct3: float | None
    """Different word 3-grams over all of them; None where there are none."""
    conversations: Counted
    """How many it was computed over: the last 100 accepted, fewer while there are fewer."""
    floor: float | None
    below_floor: bool | None
    """None where either is missing."""
    then: Literal["show", "pause", "stop"]
    """What the run does below the floor, once it has accepted 100."""


class Produced(Shape):
    """What came out."""

    generated: Counted
    accepted: Counted
    rejected: Counted
    failed: Counted
    cancelled: Counted
    open: Counted
    cost: RunCost
    comparisons: Comparisons | None
    """None where the config compares with nothing."""
    diversity: DiversityNow


class Latency(Shape):
    """How long calls took, from sending to the last byte."""

    p50_ms: float
    p95_ms: float
    calls: Counted
    """The calls that it was taken over."""


class Stage(Shape):
    """One stage of the pipeline, for this run."""

    stage: StepKind
    queued: Counted
    """Steps that wait for a worker."""
    in_flight: Counted
    """Model calls under way. The filters make none."""
    deferred: Counted
    """Steps that wait for their time, such as after a rate limit."""
    done: Counted | None
    """Calls that came back, or conversations that the filters have seen; None where nobody counted."""
    failed: Counted | None
    """Calls among them that failed. None for the filters: they make none."""
    latency: Latency | None
    """None without calls that were measured."""


class Evidence(Shape):
    """What the numbers rest on."""

    snapshot: str
    """Content hash of everything that was frozen."""
    snapshot_url: str
    conversations_url: str
    rejects_url: str
    events_url: str
    export_url: str
    manifest_url: str
    events: Counted
    calls: Counted
    """Calls that were booked, whatever became of them."""
    pipeline: list[Stage]


class Run(RunSummary):
    """The page of a run, in reading order: requested, happened, produced, evidence."""

    requested: Requested
    happened: Happened
    produced: Produced
    evidence: Evidence


class ReasonCount(Shape):
    """One reason of a run."""

    reason: str
    layer: int
    """0 pipeline, 1 mechanical, 2 diversity, 3 judge."""
    precedence: int
    """Place inside the layer."""
    count: int
    counted_under: Literal["rejected", "failed"]


class Reject(Shape):
    """One rejected conversation."""

    id: str
    reason: str
    layer: int
    turn: int | None
    """Turn that fired it, from 0."""
    excerpt: str
    """The words that fired it."""
    detail: str
    """Why, for people; says it in words where no words of the conversation did."""
    neighbour: str | None
    """The conversation, or the example, that it is too near to."""
    similarity: float | None
    """To the neighbour, 0 to 1."""
    persona: str
    score: float | None
    settled_at: datetime


class Rejects(Shape):
    """Why conversations were rejected or failed."""

    reasons: list[ReasonCount]
    """In precedence order; only reasons that the run hit."""
    population: Counted
    """Conversations with a recorded reason, of those with a verdict."""
    last: list[Reject]
    """The last 10 rejects, newest first."""


class LoggedEvent(Shape):
    """One event of the archive, without the text of conversations."""

    position: int
    """Order of the fold."""
    seq: int
    """Sequence in the log."""
    id: str
    type: str
    thread: int | None
    late: bool
    """Archived, but it changed nothing."""
    at: str
    """Its producer's clock."""
    producer: str
    event: dict[str, object] | None
    """The event itself, for events of a run's life and verdicts."""


class EventPage(Shape):
    """Events, oldest first."""

    items: list[LoggedEvent]
    next_cursor: str | None


class RunState(Shape):
    """A run after a command."""

    id: str
    status: RunStatus | None
    epoch: int
    """Rises with every command."""
    seq: int
    """Position of the command's event in the log; 0 where the command changed nothing."""
    threads: int | None
    """kick: threads with an open step that are sent again."""
