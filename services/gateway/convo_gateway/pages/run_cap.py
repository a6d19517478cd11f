"""Another spend cap for a run that has not ended."""

import asyncio
from typing import Annotated, Self

from fastapi import Response
from pydantic import ConfigDict, Field, ValidationError, model_validator

from convo_events.commands import CapRun
from convo_events.errors import Invalid, Problem
from convo_events.snapshot import Snapshot
from convo_gateway.commands import ask_scheduler
from convo_gateway.gateway import Gateway, Here
from convo_gateway.idempotency import Done, once, request_hash
from convo_gateway.pages.runs import RunId, router
from convo_gateway.pages.start import Key, state_of
from convo_gateway.reads.runs import existing_run
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.counts import Input
from convo_gateway.shapes.runs import RunState
from convo_gateway.shapes.start import SpendCap
from convo_gateway.wishes import MICRO_PER_USD

__all__ = ["change_run"]


class RunChange(Input):
    """What of a run can be changed before it ends: its spend cap, in one of two units."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"spend_cap_usd": 40}, {"spend_cap_micro": None}]}
    )

    spend_cap_usd: SpendCap | None = None
    """US dollars; null takes the cap away."""
    spend_cap_micro: Annotated[int, Field(ge=1, le=10**15)] | None = None
    """The same in micro-dollars."""

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("give spend_cap_usd or spend_cap_micro")
        return self

    @property
    def cap_micro(self) -> int | None:
        """Micro-dollars; None for no cap."""
        if self.spend_cap_usd is not None:
            return round(self.spend_cap_usd * MICRO_PER_USD)
        return self.spend_cap_micro


@router.patch("/{run}", response_model=RunState)
async def change_run(run: RunId, change: RunChange, here: Here, key: Key = None) -> Response:
    """Raise, lower or take away the spend cap of a run that has not ended.

    A run that is paused for its cap stays paused until it is resumed. One that has spent more than the new cap is
    paused. Calls under way were allowed under the old cap, and what they cost counts.
    """

    async def work() -> Done:
        await _see_that_a_cap_can_be_kept(here, run, change.cap_micro)
        command = CapRun(run=run, spend_cap_micro=change.cap_micro)
        reply = await ask_scheduler(here.connections, command)
        return Done(200, state_of(reply).model_dump_json().encode(), f"/api/v1/runs/{run}")

    wanted = request_hash(f"change_run {run}", change)
    return await once(here.connections, key, wanted, work)


async def _see_that_a_cap_can_be_kept(here: Gateway, run: str, cap_micro: int | None) -> None:
    """A cap needs a price for every model that the run froze.

    Raises:
        NotFound: there is no such run.
        Invalid: a model of it has no price.
    """
    async with here.connections.reading() as c:
        body = await snapshot_body(c, (await existing_run(c, run))["snapshot"])
    if cap_micro is None or body is None:
        return
    unpriced = await asyncio.to_thread(_unpriced, body)
    if unpriced:
        message = f"a spend cap needs a price for every model, and this run froze {', '.join(unpriced)} without one"
        raise Invalid([Problem(message, "/spend_cap_usd")])


def _unpriced(body: bytes) -> list[str]:
    """``backend/model`` of every model without a price; empty where the snapshot is of another version of convo."""
    try:
        snapshot = Snapshot.model_validate_json(body)
    except ValidationError:
        return []
    chosen = {(r.backend, r.model) for r in snapshot.models()}
    return sorted(
        f"{backend}/{name}"
        for backend, name in chosen
        if (model := snapshot.backend(backend).model_named(name)) is None or model.prices is None
    )
