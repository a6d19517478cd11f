"""Reviews stand beside what a run decided."""

from convo_events.reviews import ConversationReviewed, Edit
from convo_projector.projections import conversations, reviews
from tests.histories import history
from tests.projector.test_projections import SNAPSHOT, folded


def test_a_review_changes_neither_verdict_nor_count() -> None:
    memory = folded(history(SNAPSHOT, 3, 150))
    before = {name: dict(rows) for name, rows in memory.rows.items()}
    one = next(row for row in before[conversations.TABLE].values() if row.status == "accepted")
    place = {"run": one.run, "thread": one.thread, "conversation": one.number, "reviewer": "ana"}
    flagged = ConversationReviewed(**place, version=1, decision="flagged", reason="tone")
    edited = ConversationReviewed(**place, version=2, edits=(Edit(turn=0, text="Hello?"),))
    for seq, event in enumerate((flagged, edited, flagged), start=1_000):
        memory.fold(seq, f"w:{one.id}:{event.version}", event)

    after = memory.rows[conversations.TABLE][(one.id,)]
    assert (after.review, after.edited, after.review_version) == ("", True, 2)
    assert (after.status, after.score, after.settled_seq) == (
        "accepted",
        one.score,
        one.settled_seq,
    )
    assert [row.decision for row in memory.rows[reviews.TABLE].values()] == ["flagged", ""]
    for name in before.keys() - {conversations.TABLE, reviews.TABLE}:
        assert memory.rows[name] == before[name]
