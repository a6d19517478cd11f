"""Seed preview: what the plan of a run config holds, and every prompt of a conversation, for nothing."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from convo_events.errors import Invalid, Problem
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.checks.check import Checked
from convo_gateway.catalog.freeze import overridden
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.catalog_objects import ObjectName, Version
from convo_gateway.pages.config_check import checked_body, checked_config
from convo_gateway.preview import (
    collisions,
    described,
    dimensions,
    length_counts,
    shares,
    window,
)
from convo_gateway.preview_prompts import preview_prompts
from convo_gateway.reads.catalog_sources import saved_config
from convo_gateway.shapes.preview import (
    Preview,
    Previewed,
    PreviewedPrompts,
    PreviewWanted,
    PromptsWanted,
)

router = APIRouter(prefix="/run-configs", tags=["run-configs"])


@router.post("/preview")
async def preview_config(wanted: PreviewWanted, here: Here) -> Preview:
    """A window of the plan, and what all of it holds, of a config that is saved or being written."""
    return await _preview(here, wanted)


@router.get("/{name}/preview")
async def preview_saved_config(
    name: ObjectName,
    here: Here,
    version: Version = None,
    count: Annotated[
        int | None, Query(ge=1, le=10_000_000, description="Instead of the config's target.")
    ] = None,
    seed: Annotated[int | None, Query(ge=0, lt=2**53, description="Instead of its seed.")] = None,
    offset: Annotated[int, Query(ge=0, lt=10_000_000, description="Begin of the window.")] = 0,
    limit: Annotated[int, Query(ge=1, le=100, description="Most of the window.")] = 20,
    index: Annotated[int | None, Query(ge=0, lt=10_000_000, description="Only this one.")] = None,
) -> Preview:
    """A window of the plan of a saved config, and what all of it holds."""
    wanted = PreviewWanted(
        config=name,
        version=version,
        target_count=count,
        seed=seed,
        offset=offset,
        limit=limit,
        index=index,
    )
    return await _preview(here, wanted)


@router.post("/preview/prompts")
async def preview_config_prompts(wanted: PromptsWanted, here: Here) -> PreviewedPrompts:
    """Every prompt of one conversation of the plan as the models would be sent it. Nothing is called."""
    checked, _ = await _checked(here, wanted)
    snapshot = _snapshot(checked)
    _check_index(snapshot, wanted.index)
    return await asyncio.to_thread(preview_prompts, snapshot, wanted.index)


async def _preview(here: Gateway, wanted: PreviewWanted) -> Preview:
    checked, version = await _checked(here, wanted)
    _snapshot(checked)
    return await asyncio.to_thread(_look, checked, version, wanted)


def _look(checked: Checked, version: int | None, wanted: PreviewWanted) -> Preview:
    snapshot = _snapshot(checked)
    config, size = snapshot.config, snapshot.config.target_count
    offset, limit = wanted.offset, wanted.limit
    if wanted.index is not None:
        _check_index(snapshot, wanted.index)
        offset, limit = wanted.index, 1
    shown, found = window(snapshot, offset, limit), dimensions(snapshot)
    return Preview(
        config=config.name,
        config_version=version,
        mode=config.mode,
        seed=config.seed,
        population=size,
        threads=snapshot.planned_lanes,
        offset=offset,
        window=shown,
        shares=shares(found, size),
        dimensions=[described(dimension) for dimension in found],
        lengths=length_counts(snapshot),
        collisions=collisions(snapshot, found, shown),
        warnings=[Problem(finding.message, finding.pointer) for finding in checked.warnings],
    )


async def _checked(here: Gateway, wanted: Previewed) -> tuple[Checked, int | None]:
    """The config with its own count and seed, checked; and its version where it is saved."""
    async with here.connections.reading() as c:
        if isinstance(wanted.config, str):
            saved = await saved_config(c, wanted.config, wanted.version)
            config = overridden(saved.config, wanted.target_count, wanted.seed)
            return await checked_config(c, config, saved.version), saved.version
        if wanted.version is not None:
            message = (
                "a config that is given whole has no version; name a saved one, or leave it out"
            )
            raise Invalid([Problem(message, "/version")])
        given = {"target_count": wanted.target_count, "seed": wanted.seed}
        changes = {name: value for name, value in given.items() if value is not None}
        return await checked_body(c, {**wanted.config, **changes}), None


def _snapshot(checked: Checked) -> Snapshot:
    """What a run would freeze.

    Raises:
        Invalid: with everything that keeps a run from starting; pointers lead into the config.
    """
    if checked.snapshot is None:
        problems = [Problem(finding.message, finding.pointer) for finding in checked.errors]
        raise Invalid(problems, source=f"run config {checked.config.name}")
    if not checked.config.generates:
        message = "mode import reads its conversations, so there is no plan to look at"
        raise Invalid([Problem(message, "/mode")], source=f"run config {checked.config.name}")
    return checked.snapshot


def _check_index(snapshot: Snapshot, index: int) -> None:
    size = snapshot.config.target_count
    if index >= size:
        message = f"{index}: the plan has the conversations 0 to {size - 1}"
        raise Invalid([Problem(message, "/index")])
