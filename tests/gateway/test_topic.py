"""A topic of the websocket: numbered deltas that lead from any known state to the present one."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from convo_gateway.live.messages import Replayed, Snapshot
from convo_gateway.live.session import QUEUED, Session
from convo_gateway.live.topic import KEPT, Topic, merged, without_nulls
from convo_gateway.shapes.live import State

values = (
    st.none() | st.integers(0, 9) | st.text(max_size=3) | st.lists(st.integers(0, 3), max_size=3)
)
states = st.dictionaries(
    st.sampled_from("abcdef"),
    values | st.dictionaries(st.sampled_from("xyz"), values, max_size=3),
    max_size=6,
)


@given(st.lists(states, min_size=2, max_size=6))
def test_deltas_lead_from_every_state_to_the_next(path: list[State]) -> None:
    topic = Topic("runs", "e", 1, path[0])
    known, seq = topic.state, topic.seq
    for state in path[1:]:
        topic.want(state)
        while (delta := topic.step()) is not None:
            assert delta.seq == seq + 1
            known, seq = merged(known, delta.patch), delta.seq
        assert known == without_nulls(state)


def test_a_large_change_goes_in_patches_under_2_kilobytes() -> None:
    topic = Topic("run:x", "e", 1, {"reasons": {}})
    reasons = {f"reason_{at:03}": {"layer": 1, "precedence": at, "count": at} for at in range(200)}
    topic.want({"reasons": reasons})
    sizes, known = [], topic.state
    while (delta := topic.step()) is not None:
        sizes.append(len(orjson.dumps(delta.patch)))
        known = merged(known, delta.patch)
    assert known == {"reasons": reasons}
    assert len(sizes) > 3
    assert max(sizes) < 2_000


def test_a_client_that_comes_back_gets_what_it_missed() -> None:
    topic = Topic("run:x", "e", 10, {"n": 0})
    for n in range(1, 6):
        topic.want({"n": n})
        topic.step()
    missed = topic.answer("e", 12)
    assert isinstance(missed, Replayed)
    assert [delta.seq for delta in missed.deltas] == [13, 14, 15]
    assert isinstance(nothing := topic.answer("e", 15), Replayed)
    assert nothing.deltas == ()


def test_another_epoch_a_future_and_a_long_past_get_a_snapshot() -> None:
    topic = Topic("run:x", "e", 10, {"n": 0})
    for n in range(1, KEPT + 3):
        topic.want({"n": n})
        topic.step()
    for epoch, after in (("other", topic.seq), ("e", topic.seq + 1), ("e", 11), (None, 0)):
        answer = topic.answer(epoch, after)
        assert isinstance(answer, Snapshot)
        assert (answer.seq, answer.state) == (topic.seq, {"n": KEPT + 2})


def test_a_slow_client_is_told_to_subscribe_again() -> None:
    session = Session()
    session.topics = {"runs"}
    assert all(session.tell(b"delta") for _ in range(QUEUED))
    assert session.tell(b"delta") is False
    assert len(session._queue) == 1
    assert session._queue[0][0] == b'{"op":"resync","topics":["runs"]}'
