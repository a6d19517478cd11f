"""What to review next, and how far people agree."""

from typing import Annotated

from fastapi import APIRouter, Query

from convo_gateway.gateway import Here
from convo_gateway.pages.conversation_query import Sort, Wanted
from convo_gateway.reads.review_queues import MOST, Per, agreement_of, queue_of, sample_of
from convo_gateway.shapes.reviews import Agreement, Queue

router = APIRouter(prefix="/reviews", tags=["reviews"])

Who = Annotated[
    str, Query(max_length=100, description="Whose own decisions and progress are told.")
]


@router.get("/queue")
async def get_queue(
    here: Here,
    wanted: Wanted,
    sort: Sort = "-created",
    per: Annotated[
        Per | None, Query(description="Sample for each value of this column instead of all.")
    ] = None,
    count: Annotated[int, Query(ge=1, le=MOST, description="Conversations of each value.")] = 10,
    seed: Annotated[int, Query(ge=0, lt=2**53, description="Which sample.")] = 1,
    reviewer: Who = "",
) -> Queue:
    """Conversations to go through: those of a filter in their order, or a sample that the same seed gives again."""
    async with here.connections.reading() as c:
        if per is None:
            return await queue_of(c, wanted, sort, reviewer.strip())
        return await sample_of(c, wanted, per, count, seed, reviewer.strip())


@router.get("/agreement")
async def get_agreement(here: Here, wanted: Wanted) -> Agreement:
    """How far people agree who decided the same conversations of a filter."""
    async with here.connections.reading() as c:
        return Agreement(pairs=await agreement_of(c, wanted))
