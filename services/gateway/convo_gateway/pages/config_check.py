"""What is wrong with a run config: one that is saved, or one that is being written."""

import asyncio
from dataclasses import replace
from datetime import datetime

from fastapi import APIRouter

from convo_events.catalog import RunConfig
from convo_events.clock import now
from convo_events.store import Connection
from convo_gateway.catalog.checks.check import Checked, check
from convo_gateway.catalog.checks.findings import Finding, warning
from convo_gateway.catalog.checks.mend import Body, mended
from convo_gateway.estimate import estimate
from convo_gateway.gateway import Here
from convo_gateway.pages.catalog_objects import ObjectName, Version
from convo_gateway.reads.catalog_sources import rule_schemas, saved_config, sources_for
from convo_gateway.reads.history import history_of
from convo_gateway.shapes.config_check import ConfigCheck, ConfigProblem, ConfigToCheck
from convo_gateway.shapes.estimate import Estimate

__all__ = ["checked_body", "checked_config", "router"]

router = APIRouter(prefix="/run-configs", tags=["run-configs"])
_MICRO_PER_USD = 1_000_000
_MOST_PROBLEMS = 500


@router.post("/check")
async def check_config(wanted: ConfigToCheck, here: Here) -> ConfigCheck:
    """Everything that is wrong with a run config as it is written, saved or not, finished or not. Nothing is kept."""
    body: Body = dict(wanted.config)
    if wanted.target_count is not None:
        body["target_count"] = wanted.target_count
    async with here.connections.reading() as c:
        return await _answer(c, await checked_body(c, body), now())


@router.get("/{name}/check")
async def check_saved_config(name: ObjectName, here: Here, version: Version = None) -> ConfigCheck:
    """Everything that is wrong with a saved run config now: what it names may have changed since."""
    async with here.connections.reading() as c:
        saved = await saved_config(c, name, version)
        checked = await checked_config(c, saved.config, saved.version)
        if saved.archived:
            message = "the config is archived, so no run starts from it: unarchive it, or take another one"
            archived = Finding(message, "")
            checked = replace(checked, findings=(archived, *checked.findings), snapshot=None)
        return await _answer(c, checked, now())


async def checked_body(c: Connection, body: Body) -> Checked:
    """A config as far as it is written, checked against the catalog."""
    config, unsure, findings = await asyncio.to_thread(mended, body)
    sources, rules = await sources_for(c, config), await rule_schemas(c)
    return await asyncio.to_thread(
        check, config, 0, sources, rules=rules, unsure=unsure, before=findings
    )


async def checked_config(c: Connection, config: RunConfig, version: int) -> Checked:
    """A config checked against the catalog."""
    sources, rules = await sources_for(c, config), await rule_schemas(c)
    return await asyncio.to_thread(check, config, version, sources, rules=rules)


async def _answer(c: Connection, checked: Checked, at: datetime) -> ConfigCheck:
    findings, guess = list(checked.findings), None
    if checked.snapshot is not None:
        history = await history_of(c, checked.config.name)
        guess = await asyncio.to_thread(estimate, checked.snapshot, history, at)
        findings += _over_cap(guess, checked.config.spend_cap_usd)
    return ConfigCheck(
        startable=guess is not None,
        problems=[
            ConfigProblem(message=f.message, pointer=f.pointer, severity=f.severity)
            for f in findings[:_MOST_PROBLEMS]
        ],
        left_out=max(0, len(findings) - _MOST_PROBLEMS),
        estimate=guess,
    )


def _over_cap(guess: Estimate, cap_usd: float | None) -> list[Finding]:
    """A run that is expected to meet its spend cap and pause there."""
    if cap_usd is None or guess.total is None or guess.total.expected <= cap_usd * _MICRO_PER_USD:
        return []
    expected = guess.total.expected / _MICRO_PER_USD
    message = f"the estimate of ${expected:,.2f} is above the spend cap of ${cap_usd:,.2f}: the run will pause there"
    return [warning(message, "/spend_cap_usd")]
