"""What a run would cost, and starting one."""

import asyncio
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Header, Response

from convo_events import ids
from convo_events.catalog import RunConfig
from convo_events.clock import now
from convo_events.commands import Reply, StartRun
from convo_events.errors import Invalid, Problem, Unavailable
from convo_events.store import Connection
from convo_gateway.catalog import store
from convo_gateway.catalog.freeze import Frozen, freeze
from convo_gateway.commands import ask_scheduler
from convo_gateway.estimate import Estimate, History, estimate
from convo_gateway.gateway import Gateway, Here
from convo_gateway.idempotency import Done, once, request_hash
from convo_gateway.off_peak import Window, next_window
from convo_gateway.pages.runs import read_run, router
from convo_gateway.problems import HttpProblem
from convo_gateway.reads.history import history_of
from convo_gateway.reads.rules import announced_rules
from convo_gateway.reads.runs import folded
from convo_gateway.reads.snapshots import keep_snapshot
from convo_gateway.shapes.runs import Run, RunState
from convo_gateway.shapes.start import EstimateAnswer, OffPeakStart, Start, Wanted

__all__ = ["Key", "estimate_run", "start_run"]

READ_OWN_WRITE_S = 3.0
"""How long a start waits for the read model."""
_POLL_S = 0.03
_MICRO_PER_USD = 1_000_000

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Makes a repeat of the request harmless: it is answered as the first one was.",
    ),
]


@dataclass(frozen=True, slots=True)
class Considered:
    """A run that could start."""

    frozen: Frozen
    history: History
    estimate: Estimate
    window: Window | None
    begins: datetime


@router.post("/estimate")
async def estimate_run(wanted: Wanted, here: Here) -> EstimateAnswer:
    """What a run would cost, by role, with its range and basis. Nothing is started."""
    async with here.connections.reading() as c:
        found = await _consider(c, wanted, now())
    snapshot = found.frozen.snapshot
    window = found.window
    off_peak = None
    if window is not None:
        then = estimate(snapshot, found.history, window.at).total
        off_peak = OffPeakStart(
            at=window.at, open_now=window.open_now, total_micro=then.expected if then else None
        )
    return EstimateAnswer(
        config=snapshot.config.name,
        config_version=snapshot.config_version,
        estimate=found.estimate,
        needs_confirmation=found.estimate.needs_confirmation,
        off_peak=off_peak,
        warnings=list(found.frozen.warnings),
    )


@router.post(
    "",
    status_code=201,
    response_model=Run,
    responses={202: {"model": RunState, "description": "Started; its page is not ready yet."}},
)
async def start_run(wanted: Start, here: Here, key: Key = None) -> Response:
    """Freeze everything that the config names, and start a run of it.

    Where the estimate is above the config's threshold, the first request is refused with the estimate; the second one
    repeats it in ``confirm_estimate_micro``.
    """
    run = ids.run_id(key or uuid.uuid4().hex)

    async def work() -> Done:
        return await _start(here, wanted, run)

    return await once(here.connections, key, request_hash("start_run", wanted), work)


async def _consider(c: Connection, wanted: Wanted, at: datetime) -> Considered:
    """Freeze and estimate.

    Raises:
        NotFound: there is no such config, or not in that version.
        Invalid: with everything that is wrong with it.
    """
    if wanted.version is None:
        stored = await store.latest(c, "run-configs", wanted.config)
    else:
        stored = await store.version(c, "run-configs", wanted.config, wanted.version)
    config = stored.item
    assert isinstance(config, RunConfig)
    rules = await announced_rules(c)
    frozen = freeze(
        config,
        stored.version,
        await store.lookup_for(c, config),
        target_count=wanted.target_count,
        seed=wanted.seed,
        rules={rule.reason: rule.parameters for rule in rules} if rules is not None else None,
    )
    window = next_window(frozen.snapshot, at)
    if wanted.start == "off_peak" and window is None:
        message = "no model of this run has off-peak prices; start it now"
        raise Invalid([Problem(message, "/start")])
    begins = window.at if wanted.start == "off_peak" and window else at
    history = await history_of(c, config.name)
    guess = await asyncio.to_thread(estimate, frozen.snapshot, history, begins)
    return Considered(frozen, history, guess, window, begins)


def check_confirmed(guess: Estimate, confirmed_micro: int | None) -> None:
    """Refuse a start above the threshold that nobody agreed to; what was agreed to must be this estimate.

    Raises:
        HttpProblem: 409 with the estimate and the threshold.
    """
    if not guess.needs_confirmation:
        return
    total = guess.total.expected if guess.total else None
    if confirmed_micro is not None and _rounded(confirmed_micro) == _rounded(total or 0):
        return
    threshold = guess.threshold_micro or 0
    said = "cannot be given, because a model has no price" if total is None else _usd(total)
    raise HttpProblem(
        409,
        f"The estimate ({said}) needs to be confirmed: the config asks above {_usd(threshold)}. Repeat the request "
        f"with confirm_estimate_micro {total or 0}.",
        code="needs-confirmation",
        extra={"estimate_micro": total, "threshold_micro": threshold, "unpriced": guess.unpriced},
    )


def _rounded(micro: int) -> int:
    """Whole cents: what a person has read."""
    return round(micro / 10_000)


def _usd(micro: int) -> str:
    return f"${micro / _MICRO_PER_USD:,.2f}"


async def _start(here: Gateway, wanted: Start, run: str) -> Done:
    at = now()
    async with here.connections.reading() as c:
        found = await _consider(c, wanted, at)
    check_confirmed(found.estimate, wanted.confirm_estimate_micro)
    async with here.connections.database() as c:
        content = await keep_snapshot(c, found.frozen.snapshot)
    reply = await ask_scheduler(here.connections, _command(found, wanted, run, content, at))
    location = f"/api/v1/runs/{run}"
    if await _is_folded(here, reply.seq):
        page = await read_run(here, run)
        return Done(201, page.model_dump_json().encode(), location)
    return Done(202, state_of(reply).model_dump_json().encode(), location)


def _command(found: Considered, wanted: Start, run: str, content: str, at: datetime) -> StartRun:
    snapshot, guess = found.frozen.snapshot, found.estimate
    config = snapshot.config
    cap = config.spend_cap_usd
    return StartRun(
        run=run,
        name=wanted.name or f"{config.name} {at:%Y-%m-%d %H:%M}",
        config=config.name,
        config_version=snapshot.config_version,
        mode=config.mode,
        snapshot=content,
        target=config.target_count,
        seed=config.seed,
        lanes=snapshot.lanes,
        estimate_micro=guess.total.expected if guess.total else None,
        expected_accepted=guess.accepted,
        spend_cap_micro=None if cap is None else round(cap * _MICRO_PER_USD),
        distinct3_floor=config.diversity.distinct3_floor,
        not_before=found.begins if found.begins > at else None,
    )


async def _is_folded(here: Gateway, seq: int) -> bool:
    """Wait until the read model shows an event of the log; False where it takes too long."""
    try:
        async with asyncio.timeout(READ_OWN_WRITE_S):
            while True:
                async with here.connections.database() as c:
                    if await folded(c) >= seq:
                        return True
                await asyncio.sleep(_POLL_S)
    except (TimeoutError, Unavailable):
        return False


def state_of(reply: Reply) -> RunState:
    """The scheduler's answer as the API gives it."""
    return RunState(
        id=reply.run,
        status=reply.status,
        epoch=reply.epoch,
        seq=reply.seq,
        threads=reply.threads,
    )
