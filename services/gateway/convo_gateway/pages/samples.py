"""One conversation of a plan, made for real and for a stated price, without a run in the list."""

import uuid

from fastapi import APIRouter, Response

from convo_events import ids
from convo_events.clock import now
from convo_events.snapshots import store_snapshot
from convo_gateway.commands import ask_scheduler
from convo_gateway.gateway import Gateway, Here
from convo_gateway.idempotency import Done, once, request_hash
from convo_gateway.pages.start import Key, command_for, is_folded
from convo_gateway.reads.earlier_text import with_common_text
from convo_gateway.sample_cap import most_micro
from convo_gateway.shapes.samples import SampleStart, SampleStarted, SampleWanted
from convo_gateway.shapes.start import EstimateAnswer, Wanted
from convo_gateway.wishes import answer_of, check_confirmed, consider

router = APIRouter(prefix="/samples", tags=["samples"])


@router.post("/estimate")
async def estimate_sample(wanted: SampleWanted, here: Here) -> EstimateAnswer:
    """What exactly this conversation would cost. Nothing is made."""
    async with here.connections.reading() as c:
        return await answer_of(await consider(c, _run_of(wanted), now(), only=wanted.index))


@router.post("", status_code=201, response_model=SampleStarted)
async def make_sample(wanted: SampleStart, here: Here, key: Key = None) -> Response:
    """Make one conversation of the plan with all its steps: filters, judge, verdict and cost.

    A sample that costs anything is refused until its estimate is repeated in ``confirm_estimate_micro``. It may spend
    the most that its calls can cost, and not more. Read its conversation, or cancel its run, as any other.
    """
    run = ids.run_id(key or uuid.uuid4().hex)

    async def work() -> Done:
        return await _make(here, wanted, run)

    return await once(here.connections, key, request_hash("make_sample", wanted), work)


async def _make(here: Gateway, wanted: SampleStart, run: str) -> Done:
    at = now()
    async with here.connections.reading() as c:
        found = await consider(c, _run_of(wanted), at, only=wanted.index)
    check_confirmed(found, wanted.confirm_estimate_micro)
    snapshot = found.frozen.snapshot
    async with here.connections.database() as c:
        content = await store_snapshot(c, await with_common_text(c, snapshot))
    command = command_for(found, run, content, at).model_copy(
        update={
            "kind": "sample",
            "name": f"Sample {wanted.index} of {wanted.config}",
            "spend_cap_micro": most_micro(snapshot),
        }
    )
    reply = await ask_scheduler(here.connections, command)
    await is_folded(here, reply.seq)
    made = SampleStarted(run=run, conversation=ids.conversation_id(run, 0, 0))
    return Done(201, made.model_dump_json().encode(), f"/api/v1/runs/{run}")


def _run_of(wanted: SampleWanted) -> Wanted:
    return Wanted(
        config=wanted.config,
        version=wanted.version,
        target_count=wanted.target_count,
        seed=wanted.seed,
    )
