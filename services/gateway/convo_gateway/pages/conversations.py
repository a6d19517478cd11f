"""Conversations: lists without text, and one with everything."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from convo_events.errors import NotFound
from convo_gateway.cursors import cursor, place_of
from convo_gateway.etags import tagged_model
from convo_gateway.gateway import Here
from convo_gateway.pages.query import Cursor, Limit
from convo_gateway.reads.conversations import (
    ConversationFilter,
    one_conversation,
    page_of_conversations,
)
from convo_gateway.shapes.conversations import (
    Conversation,
    ConversationPage,
    ConversationStatus,
)

router = APIRouter(prefix="/conversations", tags=["conversations"])

Text = Annotated[str | None, Query(max_length=100)]


@router.get("")
async def list_conversations(
    here: Here,
    run: Text = None,
    status: ConversationStatus | None = None,
    reason: Text = None,
    layer: Annotated[int | None, Query(ge=0, le=3)] = None,
    persona: Text = None,
    limit: Limit = 100,
    cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
) -> ConversationPage:
    """Conversations, newest first: by their verdict where only settled ones of a run are asked for."""
    wanted = ConversationFilter(run, status, reason, layer, persona)
    after = place_of(cursor_, wanted.order, wanted.key_type, str)
    async with here.connections.reading() as c:
        found = await page_of_conversations(c, wanted, limit=limit + 1, after=after)
    more, found = len(found) > limit, found[:limit]
    end = cursor(wanted.order, found[-1][1], found[-1][0].id) if more else None
    return ConversationPage(items=[item for item, _ in found], next_cursor=end)


@router.get("/{conversation}", response_model=Conversation)
async def get_conversation(
    conversation: Annotated[str, Path(max_length=200)], here: Here, request: Request
) -> Response:
    """One conversation: turns, verdict, the words that fired it, scores, and every call with its cost."""
    async with here.connections.reading() as c:
        found = await one_conversation(c, conversation)
    if found is None:
        raise NotFound(f"There is no conversation {conversation}.")
    return tagged_model(request, found)
