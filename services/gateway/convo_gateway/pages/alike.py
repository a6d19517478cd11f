"""A conversation beside what it is too near to."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import ValidationError

from convo_events.conversations import Hit, Overlap
from convo_events.errors import NotFound
from convo_events.store import Connection
from convo_gateway.alike import Frozen, example_pieces, shared, side
from convo_gateway.etags import tagged_model
from convo_gateway.gateway import Here
from convo_gateway.pages.conversations import ConversationId
from convo_gateway.reads.alike import Piece, near_hits, pieces, run_and_turns
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.alike import Alike

router = APIRouter(prefix="/conversations", tags=["conversations"])

MOST_TURNS = 60
_FROM_START = 200
"""Turns that are read of each to find what both have, where the verdict kept no places."""

First = Annotated[int, Query(ge=0, le=1_000_000)]


@dataclass(frozen=True, slots=True)
class _Other:
    run: str | None
    turns: int
    shown: list[Piece]
    start: list[Piece]


@router.get("/{conversation}/alike", response_model=Alike)
async def get_alike(
    conversation: ConversationId,
    here: Here,
    request: Request,
    reason: Literal["near_duplicate", "example_copy"] | None = None,
    first: First = 0,
    other_first: First = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_TURNS)] = MOST_TURNS,
) -> Response:
    """The conversation or the example that this one is too near to, beside it, with the words that both have.

    Turns of both from ``first`` and ``other_first`` on, each cut after 8,000 characters.
    """
    async with here.connections.reading() as c:
        hit, body = await _hit_and_body(c, conversation, reason)
        frozen = await asyncio.to_thread(_frozen, body, hit)
        own = await run_and_turns(c, conversation)
        mine = await pieces(c, conversation, first=first, most=limit)
        other = await _other(c, hit, frozen, (other_first, limit))
        start = [] if hit.overlaps else await pieces(c, conversation, first=0, most=_FROM_START)

    def compared() -> Alike:
        overlaps: list[Overlap] = list(hit.overlaps) or shared(start, other.start, frozen.mask)
        return Alike(
            conversation=conversation,
            reason=hit.reason,
            detail=hit.detail,
            similarity=hit.similarity,
            limit=frozen.limit,
            kind="example" if hit.reason == "example_copy" else "conversation",
            neighbour=hit.neighbour or "",
            neighbour_run=other.run,
            prompt_set=frozen.prompt_set,
            overlaps=overlaps,
            worked_out=not hit.overlaps,
            mine=side(mine, own[1] if own else len(mine), frozen.mask),
            theirs=side(other.shown, other.turns, frozen.mask),
        )

    return tagged_model(request, await asyncio.to_thread(compared))


async def _hit_and_body(
    c: Connection, conversation: str, reason: str | None
) -> tuple[Hit, bytes | None]:
    """The hit that names a neighbour, and what the run froze.

    Raises:
        NotFound: if there is no such conversation, or nothing that it was too near to.
    """
    found = await near_hits(c, conversation)
    if found is None:
        raise NotFound(f"There is no conversation {conversation}.")
    content, hits = found
    hit = next((one for one in hits if reason in (None, one.reason)), None)
    if hit is None:
        what = f"no hit {reason}" if reason else "no hit of layer 2"
        raise NotFound(f"Conversation {conversation} has {what}: there is nothing to compare.")
    return hit, await snapshot_body(c, content)


def _frozen(body: bytes | None, hit: Hit) -> Frozen:
    try:
        return Frozen.of(body, hit)
    except ValidationError:
        return Frozen.of(None, hit)  # written by another version


async def _other(c: Connection, hit: Hit, frozen: Frozen, page: tuple[int, int]) -> _Other:
    first, most = page
    if hit.reason == "example_copy":
        if frozen.example is None:
            return _Other(None, 0, [], [])
        shown = example_pieces(frozen.example, first=first, most=most)
        start = example_pieces(frozen.example, first=0, most=_FROM_START)
        return _Other(None, len(frozen.example.turns), shown, start)
    name = hit.neighbour or ""
    known = await run_and_turns(c, name)
    if known is None:
        return _Other(None, 0, [], [])
    shown = await pieces(c, name, first=first, most=most)
    start = [] if hit.overlaps else await pieces(c, name, first=0, most=_FROM_START)
    return _Other(known[0], known[1], shown, start)
