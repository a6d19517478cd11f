"""What becomes of a review, as a table of cases."""

import pytest

from convo_events.commands import Review, ReviewRun
from convo_events.reviews import Edit, Opinion
from convo_scheduler.review import Head, Made, decide_review, decide_reviews, digest_of

FLAG = Opinion(decision="flagged", reason="tone")
MADE = Made(turns=4, open=False)


def asked(seen: int, opinion: Opinion = FLAG, reviewer: str = "ana") -> tuple[Review, ReviewRun]:
    review = Review(thread=2, conversation=5, seen=seen, opinion=opinion)
    return review, ReviewRun(run="run-a", reviewer=reviewer, reviews=(review,))


def test_a_review_that_saw_the_latest_is_the_next_version() -> None:
    review, command = asked(seen=3)

    decided = decide_review(review, command, MADE, Head(3, "other"))

    assert (decided.reply.conversation, decided.reply.version, decided.reply.code) == (
        "run-a.2.5",
        4,
        "",
    )
    assert decided.event is not None
    assert (decided.event.version, decided.event.reviewer) == (4, "ana")
    assert (decided.event.decision, decided.event.reason) == ("flagged", "tone")
    assert decided.said == digest_of(review, "ana")


@pytest.mark.parametrize(
    ("seen", "opinion", "made", "head", "code", "says"),
    [
        (0, FLAG, None, Head(), "not_found", "there is no conversation run-a.2.5"),
        (0, FLAG, Made(4, open=True), Head(), "conflict", "still being made"),
        (1, FLAG, MADE, Head(2, "x"), "changed", "you saw version 1, it is at version 2"),
        (2, FLAG, MADE, Head(1, "x"), "changed", "you saw version 2, it is at version 1"),
        (0, Opinion(edits=(Edit(turn=4, text="x"),)), MADE, Head(), "invalid", "no turn 4"),
    ],
)
def test_a_refusal_says_why_and_which_version_holds(
    seen: int, opinion: Opinion, made: Made | None, head: Head, code: str, says: str
) -> None:
    review, command = asked(seen, opinion)

    decided = decide_review(review, command, made, head)

    assert (decided.event, decided.reply.version, decided.reply.code) == (None, head.version, code)
    assert says in decided.reply.message


def test_the_same_wish_again_is_done_once_and_another_person_s_is_refused() -> None:
    review, command = asked(seen=0)
    head = Head(1, digest_of(review, "ana"))
    assert decide_review(review, command, MADE, head).event is None
    assert decide_review(review, command, MADE, head).reply.code == ""

    review, command = asked(seen=0, reviewer="ben")
    assert decide_review(review, command, MADE, head).reply.code == "changed"


def test_reviews_of_one_command_stand_on_each_other() -> None:
    first, _ = asked(seen=0)
    undone = first.model_copy(update={"seen": 1, "opinion": Opinion()})
    command = ReviewRun(run="run-a", reviewer="ana", reviews=(first, undone, undone))

    decided = decide_reviews(command, {"run-a.2.5": MADE}, {})

    assert [one.reply.version for one in decided] == [1, 2, 2]
    assert [one.event.decision if one.event else None for one in decided] == ["flagged", "", None]
