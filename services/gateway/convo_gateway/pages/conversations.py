"""Conversations: lists without text, and one with everything."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import asyncpg
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import ValidationError

from convo_events.errors import NotFound
from convo_events.snapshot import Snapshot
from convo_events.store import Connection
from convo_gateway.cursors import cursor, place_of
from convo_gateway.etags import tagged_model
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.conversation_query import Sort, Wanted
from convo_gateway.pages.query import Cursor, Limit
from convo_gateway.problems import HttpProblem
from convo_gateway.prompts_used import Sent, prompts_used
from convo_gateway.reads.conversation_events import events_of_conversation
from convo_gateway.reads.conversations import (
    memory_before,
    one_conversation,
    place_of_conversation,
    roles_called,
    turns_of_conversation,
)
from convo_gateway.reads.corpus import beside, column_of, page_of_conversations, plan_each_time
from convo_gateway.reads.facets import facets
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.conversations import (
    Beside,
    Conversation,
    ConversationEvents,
    ConversationPage,
    PromptsUsed,
    TurnPage,
)
from convo_gateway.shapes.facets import Facets

router = APIRouter(prefix="/conversations", tags=["conversations"])

MOST_TURNS = 1_000_000
ConversationId = Annotated[str, Path(max_length=200, examples=["run-k3v9d0q2m1xa.0.0"])]


@router.get("")
async def list_conversations(
    here: Here,
    wanted: Wanted,
    sort: Sort = "-created",
    limit: Limit = 100,
    cursor_: Annotated[Cursor, Query(alias="cursor")] = None,
) -> ConversationPage:
    """Conversations of all runs, newest first unless sorted otherwise, without their text."""
    kind = f"conversations/{sort}"
    place = place_of(cursor_, kind, column_of(sort)[1], str, gaps=True)
    async with _search(here) as c:
        found = await page_of_conversations(
            c, wanted, sort, limit=limit + 1, after=(place[0], str(place[1])) if place else None
        )
    more, found = len(found) > limit, found[:limit]
    end = cursor(kind, found[-1][1], found[-1][0].id) if more else None
    return ConversationPage(items=[item for item, _ in found], next_cursor=end)


@router.get("/facets")
async def get_facets(here: Here, wanted: Wanted) -> Facets:
    """How many conversations a filter leaves, and how many each other choice would: a page of numbers, no list."""
    async with _search(here) as c:
        return await facets(c, wanted)


@router.get("/{conversation}", response_model=Conversation)
async def get_conversation(
    conversation: ConversationId,
    here: Here,
    request: Request,
    turns: Annotated[
        int, Query(ge=0, le=MOST_TURNS, description="Only so many of its first turns.")
    ] = MOST_TURNS,
) -> Response:
    """One conversation: turns, verdict, the words that fired it, scores, and every call with its cost.

    Of a very long one take the first turns only; ``/turns`` has the others.
    """
    async with here.connections.reading() as c:
        found = await one_conversation(c, conversation, turns=turns)
    if found is None:
        raise _no(conversation)
    return tagged_model(request, found)


@router.get("/{conversation}/turns", response_model=TurnPage)
async def list_turns(
    conversation: ConversationId,
    here: Here,
    request: Request,
    first: Annotated[int, Query(ge=0, le=MOST_TURNS, description="From this turn on.")] = 0,
    limit: Limit = 500,
) -> Response:
    """Turns of a conversation, oldest first, from any of them on."""
    async with here.connections.reading() as c:
        await _place(c, conversation)
        found = await turns_of_conversation(c, conversation, first=first, most=limit)
    return tagged_model(request, TurnPage(items=found))


@router.get("/{conversation}/beside", response_model=Beside)
async def get_beside(
    conversation: ConversationId,
    here: Here,
    request: Request,
    wanted: Wanted,
    sort: Sort = "-created",
) -> Response:
    """The conversations before and after this one in the list that the same filter and order give."""
    async with _search(here) as c:
        found = await beside(c, conversation, wanted, sort)
    if found is None:
        raise _no(conversation)
    return tagged_model(request, found)


@router.get("/{conversation}/events", response_model=ConversationEvents)
async def list_conversation_events(
    conversation: ConversationId, here: Here, request: Request
) -> Response:
    """Requests, outcomes and the verdict of a conversation, oldest first, without its text."""
    async with here.connections.reading() as c:
        place = await _place(c, conversation)
        items = await events_of_conversation(c, place["run"], place["thread"], place["number"])
    return tagged_model(request, ConversationEvents(items=items))


@router.get("/{conversation}/prompts", response_model=PromptsUsed)
async def get_prompts(conversation: ConversationId, here: Here, request: Request) -> Response:
    """What the plan drew for a conversation, and its prompts as they were sent."""
    async with here.connections.reading() as c:
        place = await _place(c, conversation)
        body = await snapshot_body(c, place["snapshot"])
        where = (place["run"], place["thread"], place["number"])
        memory = await memory_before(c, *where)
        roles = await roles_called(c, *where)
    if body is None:
        raise NotFound(f"What run {place['run']} froze is not in this database.")

    def rendered() -> PromptsUsed:
        snapshot = Snapshot.model_validate_json(body)
        past = Sent(place["turns"], memory.text if memory else "", roles)
        return prompts_used(snapshot, place["thread"], place["number"], past)

    try:
        return tagged_model(request, await asyncio.to_thread(rendered))
    except (IndexError, ValidationError):
        raise NotFound(
            f"The plan of run {place['run']} cannot be made again by this version of convo."
        ) from None


@asynccontextmanager
async def _search(here: Gateway) -> AsyncIterator[Connection]:
    """A connection for questions over all conversations.

    Raises:
        HttpProblem: 422 where the answer takes too long.
    """
    try:
        async with here.connections.reading() as c:
            await plan_each_time(c)
            yield c
    except asyncpg.QueryCanceledError:
        detail = "This takes too long over so many conversations; add a word or another filter."
        raise HttpProblem(422, detail, code="too-slow") from None


async def _place(c: Connection, conversation: str) -> asyncpg.Record:
    row = await place_of_conversation(c, conversation)
    if row is None:
        raise _no(conversation)
    return row


def _no(conversation: str) -> NotFound:
    return NotFound(f"There is no conversation {conversation}.")
