"""What becomes of a person's review: taken, done already, or refused. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from convo_events import ids
from convo_events.commands import Review, ReviewReply, ReviewRun
from convo_events.reviews import ConversationReviewed


@dataclass(frozen=True, slots=True)
class Head:
    """The latest review of a conversation."""

    version: int = 0
    """0 where nobody reviewed it."""
    said: str = ""
    """``digest_of`` what it says."""


@dataclass(frozen=True, slots=True)
class Made:
    """The conversation under review, as far as it matters."""

    turns: int
    open: bool
    """Still being made."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The answer, and the event where there is one."""

    reply: ReviewReply
    event: ConversationReviewed | None = None
    said: str = ""


def digest_of(review: Review, reviewer: str) -> str:
    """A hash of who says what; the same wish asked again has the same."""
    return ids.digest("review", reviewer, review.opinion.model_dump_json(), length=32)


def decide_review(review: Review, command: ReviewRun, made: Made | None, head: Head) -> Decided:
    """What a review does to a conversation whose latest review is ``head``.

    A review names the version that its author saw. Where another one came between, it is refused and nothing is lost:
    both are there to be looked at.
    """
    name = ids.conversation_id(command.run, review.thread, review.conversation)
    if made is None:
        return _refused(name, head, "not_found", f"there is no conversation {name}")
    if made.open:
        return _refused(name, head, "conflict", f"conversation {name} is still being made")
    beyond = [edit.turn for edit in review.opinion.edits if edit.turn >= made.turns]
    if beyond:
        message = f"conversation {name} has {made.turns} turns, counted from 0: there is no turn {beyond[0]} to edit"
        return _refused(name, head, "invalid", message)
    said = digest_of(review, command.reviewer)
    if head.version == review.seen + 1 and head.said == said:
        return Decided(ReviewReply(conversation=name, version=head.version))
    if head.version != review.seen:
        message = (
            f"conversation {name} was reviewed meanwhile: you saw version {review.seen}, "
            f"it is at version {head.version}"
        )
        return _refused(name, head, "changed", message)
    event = ConversationReviewed(
        run=command.run,
        thread=review.thread,
        conversation=review.conversation,
        version=head.version + 1,
        reviewer=command.reviewer,
        **dict(review.opinion),
    )
    return Decided(ReviewReply(conversation=name, version=event.version), event, said)


def decide_reviews(
    command: ReviewRun, made: Mapping[str, Made], heads: Mapping[str, Head]
) -> list[Decided]:
    """The same for all reviews of a command, in their order; each stands on the one before it."""
    after = dict(heads)
    decided = []
    for review in command.reviews:
        name = ids.conversation_id(command.run, review.thread, review.conversation)
        one = decide_review(review, command, made.get(name), after.get(name, Head()))
        if one.event is not None:
            after[name] = Head(one.event.version, one.said)
        decided.append(one)
    return decided


def _refused(name: str, head: Head, code: str, message: str) -> Decided:
    return Decided(ReviewReply(conversation=name, version=head.version, code=code, message=message))
