"""What a run would cost, and starting one."""

import asyncio
import uuid
from datetime import datetime
from typing import Annotated

from fastapi import Header, Response

from convo_events import ids
from convo_events.clock import now
from convo_events.commands import Reply, StartRun
from convo_events.errors import Unavailable
from convo_events.snapshots import store_snapshot
from convo_gateway.commands import ask_scheduler
from convo_gateway.gateway import Gateway, Here
from convo_gateway.idempotency import Done, once, request_hash
from convo_gateway.pages.runs import read_run, router
from convo_gateway.reads.earlier_text import with_common_text
from convo_gateway.reads.runs import folded
from convo_gateway.shapes.runs import Run, RunState
from convo_gateway.shapes.start import EstimateAnswer, Start, Wanted
from convo_gateway.wishes import MICRO_PER_USD, Considered, answer_of, check_confirmed, consider

__all__ = ["Key", "command_for", "estimate_run", "is_folded", "start_run", "state_of"]

READ_OWN_WRITE_S = 10.0
"""How long an answer waits for the read model: a page that reads on at once finds what it has just changed."""
_POLL_S = 0.03

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Makes a repeat of the request harmless: it is answered as the first one was.",
    ),
]


@router.post("/estimate")
async def estimate_run(wanted: Wanted, here: Here) -> EstimateAnswer:
    """What a run would cost, by role, with its range and basis. Nothing is started."""
    async with here.connections.reading() as c:
        return await answer_of(await consider(c, wanted, now()))


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


async def _start(here: Gateway, wanted: Start, run: str) -> Done:
    at = now()
    async with here.connections.reading() as c:
        found = await consider(c, wanted, at)
    check_confirmed(found, wanted.confirm_estimate_micro)
    async with here.connections.database() as c:
        content = await store_snapshot(c, await with_common_text(c, found.frozen.snapshot))
    command = command_for(found, run, content, at)
    if wanted.name:
        command = command.model_copy(update={"name": wanted.name})
    reply = await ask_scheduler(here.connections, command)
    location = f"/api/v1/runs/{run}"
    if await is_folded(here, reply.seq):
        page = await read_run(here, run)
        return Done(201, page.model_dump_json().encode(), location)
    return Done(202, state_of(reply).model_dump_json().encode(), location)


def command_for(found: Considered, run: str, content: str, at: datetime) -> StartRun:
    """The command that starts what was considered.

    Args:
        found: The run that could start.
        run: Its id.
        content: Hash of its snapshot.
        at: Now.
    """
    snapshot, guess = found.frozen.snapshot, found.estimate
    config = snapshot.config
    cap = config.spend_cap_usd
    return StartRun(
        run=run,
        name=f"{config.name} {at:%Y-%m-%d %H:%M}",
        config=config.name,
        config_version=snapshot.config_version,
        mode=config.mode,
        snapshot=content,
        target=snapshot.target,
        seed=config.seed,
        lanes=snapshot.lanes,
        estimate_micro=guess.total.expected if guess.total else None,
        expected_accepted=guess.accepted,
        spend_cap_micro=None if cap is None else round(cap * MICRO_PER_USD),
        distinct3_floor=config.diversity.distinct3_floor,
        not_before=found.begins if found.begins > at else None,
        language=config.language,
    )


async def is_folded(here: Gateway, seq: int) -> bool:
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
