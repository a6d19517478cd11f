"""A run that could start: everything it names frozen, estimated, and agreed to."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from convo_events.errors import Invalid, Problem, Refused
from convo_events.prices import usd
from convo_events.store import Connection
from convo_gateway.catalog.freeze import Frozen, freeze
from convo_gateway.estimate import estimate
from convo_gateway.imports.wanted import rows_wanted, source_wanted
from convo_gateway.off_peak import Window, next_window
from convo_gateway.past_runs import History
from convo_gateway.problems import HttpProblem
from convo_gateway.reads.catalog_sources import rule_schemas, saved_config, sources_for
from convo_gateway.reads.history import history_of
from convo_gateway.shapes.estimate import Estimate
from convo_gateway.shapes.start import EstimateAnswer, OffPeakStart, Wanted

__all__ = ["MICRO_PER_USD", "Considered", "answer_of", "check_confirmed", "consider"]

MICRO_PER_USD = 1_000_000


@dataclass(frozen=True, slots=True)
class Considered:
    """A run that could start."""

    frozen: Frozen
    history: History
    estimate: Estimate
    window: Window | None
    begins: datetime
    needs_confirmation: bool


async def consider(
    c: Connection, wanted: Wanted, at: datetime, *, only: int | None = None
) -> Considered:
    """Freeze and estimate.

    Args:
        c: A connection.
        wanted: What the run would be made of.
        at: Now.
        only: A sample: the one conversation of the plan that is made. Its price is always to be agreed to.

    Raises:
        NotFound: there is no such config, or not in that version.
        Refused: the config is archived.
        Invalid: with everything that is wrong with it.
    """
    frozen = await _frozen(c, wanted)
    if only is not None:
        if not frozen.snapshot.config.generates:
            message = "mode import makes no conversation, so there is none to try"
            raise Invalid([Problem(message, "/config")])
        if only >= frozen.snapshot.config.target_count:
            count = frozen.snapshot.config.target_count
            message = f"{only}: the plan has the conversations 0 to {count - 1}"
            raise Invalid([Problem(message, "/index")])
        frozen = replace(frozen, snapshot=frozen.snapshot.model_copy(update={"only": only}))
    window = next_window(frozen.snapshot, at)
    if wanted.start == "off_peak" and window is None:
        message = "no model of this run has off-peak prices; start it now"
        raise Invalid([Problem(message, "/start")])
    begins = window.at if wanted.start == "off_peak" and window else at
    history = await history_of(c, frozen.snapshot.config.name)
    guess = await asyncio.to_thread(estimate, frozen.snapshot, history, begins)
    asks = guess.needs_confirmation or (only is not None and _costs(guess))
    return Considered(frozen, history, guess, window, begins, asks)


async def answer_of(found: Considered) -> EstimateAnswer:
    """The estimate as the API gives it."""
    snapshot = found.frozen.snapshot
    return EstimateAnswer(
        config=snapshot.config.name,
        config_version=snapshot.config_version,
        estimate=found.estimate,
        needs_confirmation=found.needs_confirmation,
        off_peak=await _offer(found),
        warnings=[*found.frozen.warnings, *_cap_warnings(found)],
    )


async def _offer(found: Considered) -> OffPeakStart | None:
    """The next off-peak window, with the total inside it and the total after it."""
    window = found.window
    if window is None:
        return None

    async def total_at(moment: datetime) -> int | None:
        guess = await asyncio.to_thread(estimate, found.frozen.snapshot, found.history, moment)
        return guess.total.expected if guess.total else None

    return OffPeakStart(
        at=window.at,
        open_now=window.open_now,
        until=window.until,
        clock=f"{window.clock:%H:%M}",
        zone=window.zone,
        model=window.model,
        total_micro=await total_at(window.at),
        later_micro=None if window.until is None else await total_at(window.until),
    )


def _cap_warnings(found: Considered) -> Iterator[Problem]:
    """An estimate that the cap has no room for."""
    total = found.estimate.total.expected if found.estimate.total else None
    cap = found.frozen.snapshot.config.spend_cap_usd
    whole = found.frozen.snapshot.only is None
    if whole and cap is not None and total is not None and total > cap * MICRO_PER_USD:
        limit = usd(round(cap * MICRO_PER_USD))
        message = (
            f"the estimate ({usd(total)}) is above the spend cap ({limit}): the run will pause when the cap is "
            "reached, and goes on when it is raised"
        )
        yield Problem(message, "/spend_cap_usd")


def check_confirmed(found: Considered, confirmed_micro: int | None) -> None:
    """Refuse a start that nobody agreed to; what was agreed to must be this estimate.

    Raises:
        HttpProblem: 409 with the estimate and the threshold.
    """
    if not found.needs_confirmation:
        return
    guess = found.estimate
    total = guess.total.expected if guess.total else None
    if confirmed_micro is not None and _rounded(confirmed_micro) == _rounded(total or 0):
        return
    said = "cannot be given, because a model has no price" if total is None else usd(total)
    why = "a sample is made for a stated price"
    if guess.needs_confirmation:
        why = f"the config asks above {usd(guess.threshold_micro or 0)}"
    raise HttpProblem(
        409,
        f"The estimate ({said}) needs to be confirmed: {why}. Repeat the request with confirm_estimate_micro "
        f"{total or 0}.",
        code="needs-confirmation",
        extra={
            "estimate_micro": total,
            "threshold_micro": guess.threshold_micro or 0,
            "unpriced": guess.unpriced,
        },
    )


async def _frozen(c: Connection, wanted: Wanted) -> Frozen:
    saved = await saved_config(c, wanted.config, wanted.version)
    config = saved.config
    if saved.archived:
        message = f'run config "{config.name}" is archived: unarchive it, or start from another one'
        raise Refused(message, code="archived", state="archived")
    if wanted.spend_cap_usd is not None:
        config = config.model_copy(update={"spend_cap_usd": wanted.spend_cap_usd})
    source = await source_wanted(c, config, wanted.import_source)
    target = wanted.target_count
    # Looking at a hundred thousand values of a pool takes a moment in which others are answered.
    frozen = await asyncio.to_thread(
        freeze,
        config,
        saved.version,
        await sources_for(c, config),
        target_count=rows_wanted(source, config, target) if source else target,
        seed=wanted.seed,
        rules=await rule_schemas(c),
    )
    if source is None:
        return frozen
    return replace(frozen, snapshot=frozen.snapshot.model_copy(update={"source": source}))


def _costs(guess: Estimate) -> bool:
    return guess.total is None or guess.total.high > 0


def _rounded(micro: int) -> int:
    """Whole cents: what a person has read."""
    return round(micro / 10_000)
