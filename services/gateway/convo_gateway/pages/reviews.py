"""Reviews: what people say of conversations, one by one and many at once."""

from collections import defaultdict
from collections.abc import Sequence

import asyncpg
from fastapi import APIRouter, Request, Response

from convo_events.commands import Review, ReviewReply, ReviewRun
from convo_events.errors import NotFound
from convo_events.reviews import Edit, Opinion
from convo_events.store import Connection
from convo_gateway.commands import ask_scheduler
from convo_gateway.etags import tagged_model, version_tag, version_to_edit
from convo_gateway.gateway import Gateway, Here
from convo_gateway.pages.conversations import ConversationId
from convo_gateway.pages.start import is_folded
from convo_gateway.problems import HttpProblem
from convo_gateway.reads.conversations import place_of_conversation
from convo_gateway.reads.reviews import edits_at, places_of, reviews_of, turns_of
from convo_gateway.second_looks import changed_turns, look_again
from convo_gateway.shapes.reviews import (
    BulkDone,
    BulkItem,
    BulkWanted,
    EditsWanted,
    Reviews,
    ReviewTaken,
    ReviewWanted,
    TextChecked,
    TurnEdit,
)

one = APIRouter(prefix="/conversations", tags=["reviews"])
router = APIRouter(prefix="/reviews", tags=["reviews"])


@one.get("/{conversation}/review", response_model=Reviews)
async def get_reviews(conversation: ConversationId, here: Here, request: Request) -> Response:
    """What people said of a conversation. The ``ETag`` names the latest review."""
    async with here.connections.reading() as c:
        await _place(c, conversation)
        found = await reviews_of(c, conversation)
    return tagged_model(request, found, version_tag(found.version))


@one.post("/{conversation}/review/check")
async def check_edits(conversation: ConversationId, wanted: EditsWanted, here: Here) -> TextChecked:
    """What layer 1 would say of a conversation with these turns changed. Nothing is saved."""
    async with here.connections.reading() as c:
        place = await _place(c, conversation)
        turns = await turns_of(c, conversation)
    edits = changed_turns(turns, _edits(wanted.edits))
    return TextChecked(hits=await look_again(here.connections, place, turns, edits))


@one.put("/{conversation}/review", response_model=ReviewTaken)
async def review_conversation(
    conversation: ConversationId, wanted: ReviewWanted, here: Here, request: Request
) -> Response:
    """Say what is to be held of a conversation, and how its turns should read.

    ``If-Match`` names the latest review that the reviewer saw (``"v0"`` where there was none); where another one came
    between, the answer is 412 with that one in ``current``. Edited text is looked at by layer 1 first: what it finds is
    answered with 409 and ``hits``, and saved only when its reasons are named in ``despite``. The verdict of
    the run, its counters and the turns as they were made stay as they are.
    """
    seen = version_to_edit(request)
    async with here.connections.reading() as c:
        place = await _place(c, conversation)
        turns = await turns_of(c, conversation)
    edits = changed_turns(turns, _edits(wanted.edits))
    if edits:
        await _see_that_rules_agree(here, place, turns, edits, wanted.despite)
    opinion = Opinion(decision=wanted.decision, reason=wanted.reason, note=wanted.note, edits=edits)
    review = Review(
        thread=place["thread"], conversation=place["number"], seen=seen, opinion=opinion
    )
    command = ReviewRun(run=place["run"], reviewer=wanted.reviewer.strip(), reviews=(review,))
    answer = await ask_scheduler(here.connections, command)
    await is_folded(here, answer.seq)
    taken = answer.reviews[0]
    if taken.code:
        await _refuse(here, taken)
    shown = ReviewTaken(conversation=conversation, version=taken.version)
    return Response(
        shown.model_dump_json(),
        media_type="application/json",
        headers={"ETag": version_tag(taken.version)},
    )


@router.post("")
async def review_many(wanted: BulkWanted, here: Here) -> BulkDone:
    """Say the same of many conversations. Each is recorded or refused by itself; edited turns stay edited."""
    asked = {place.conversation: place.seen for place in wanted.conversations}
    async with here.connections.reading() as c:
        places = await places_of(c, list(asked))
        edited = await edits_at(c, list(asked.items()))
    runs: dict[str, list[tuple[str, Review]]] = defaultdict(list)
    for name, place in places.items():
        opinion = Opinion(
            decision=wanted.decision,
            reason=wanted.reason,
            note=wanted.note,
            edits=edited[name][1] if name in edited else (),
        )
        review = Review(
            thread=place["thread"],
            conversation=place["number"],
            seen=asked[name],
            opinion=opinion,
        )
        runs[place["run"]].append((name, review))
    replies: dict[str, ReviewReply] = {}
    seq = 0
    for run, reviews in runs.items():
        command = ReviewRun(
            run=run,
            reviewer=wanted.reviewer.strip(),
            reviews=tuple(review for _, review in reviews),
        )
        answer = await ask_scheduler(here.connections, command)
        seq = max(seq, answer.seq)
        replies |= {reply.conversation: reply for reply in answer.reviews}
    await is_folded(here, seq)
    items = [_item(name, replies.get(name)) for name in asked]
    taken = sum(not item.code for item in items)
    return BulkDone(taken=taken, refused=len(items) - taken, items=items)


def _item(conversation: str, reply: ReviewReply | None) -> BulkItem:
    if reply is None:
        message = f"There is no conversation {conversation}."
        return BulkItem(conversation=conversation, version=0, code="not_found", message=message)
    return BulkItem.model_validate(reply.model_dump())


def _edits(wanted: Sequence[TurnEdit]) -> list[Edit]:
    return [Edit(turn=edit.turn, text=edit.text) for edit in wanted]


async def _see_that_rules_agree(
    here: Gateway,
    place: asyncpg.Record,
    turns: Sequence[asyncpg.Record],
    edits: Sequence[Edit],
    despite: Sequence[str],
) -> None:
    """The edited text passes layer 1, but for what the reviewer lets stand.

    Raises:
        HttpProblem: 409 with the hits where it does not.
    """
    hits = await look_again(here.connections, place, turns, edits)
    new = [hit for hit in hits if hit.reason not in despite]
    if new:
        reasons = ", ".join(hit.reason for hit in new)
        raise HttpProblem(
            409,
            f"The edited text hits {reasons}. Change it, or name the reasons in despite to let them stand.",
            code="rules-hit",
            extra={"hits": [hit.model_dump(mode="json") for hit in hits]},
        )


async def _refuse(here: Gateway, reply: ReviewReply) -> None:
    """Answer a review that the scheduler did not take.

    Raises:
        NotFound: there is no such conversation.
        HttpProblem: somebody else reviewed it meanwhile, or it is not settled yet.
    """
    if reply.code == "not_found":
        raise NotFound(reply.message)
    if reply.code != "changed":
        raise HttpProblem(409 if reply.code == "conflict" else 422, reply.message)
    async with here.connections.reading() as c:
        found = await reviews_of(c, reply.conversation)
    raise HttpProblem(
        412,
        reply.message,
        headers={"ETag": version_tag(reply.version)},
        extra={"current": found.latest.model_dump(mode="json") if found.latest else None},
    )


async def _place(c: Connection, conversation: str) -> asyncpg.Record:
    place = await place_of_conversation(c, conversation)
    if place is None:
        raise NotFound(f"There is no conversation {conversation}.")
    return place
