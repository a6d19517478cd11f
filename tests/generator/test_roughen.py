"""Roughening: what is sent, which answers are taken, and what stays as it was."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.catalog import Roughening
from convo_events.conversations import Turn
from convo_events.outcomes import Roughened, StepFact, StepFailed
from convo_events.steps import StepRequested
from convo_events.usage import Call, Usage
from convo_generator.handlers import Generating
from convo_generator.malformed import Malformed
from convo_generator.roughen import INPUT_LIMIT, parse
from convo_models.backends.protocol import ChatReply
from convo_models.paid_work import Order
from convo_models.past import Past
from tests.snapshots import drawn, prompt_set, snapshot

PROMPTS = prompt_set(roughen="Type like {{ persona.name }}, {{ voice.style }} {{ strength }}.")
FROZEN = snapshot(PROMPTS, roughen=Roughening(share=1, strength="medium"))
STEP = StepRequested(
    run="run-a",
    thread=0,
    conversation=0,
    leader=1,
    epoch=1,
    step=5,
    kind="roughen",
    turn=4,
    emit=1,
    snapshot="s",
)
CALL = Call(role="roughen", backend="b", model="m", attempt=1, step_key="k", basis="free")
PAST = Past(
    (
        Turn(role="user", text="Where is my order 4711?"),
        Turn(role="assistant", text="On its way, SECRET."),
        Turn(role="user", text="I do not want it any more."),
        Turn(role="assistant", text="Send it back then."),
    )
)


def reply(text: str, finish: str = "stop", refusal: str | None = None) -> ChatReply:
    return ChatReply(
        text=text,
        finish=finish,
        refusal=refusal,
        usage=Usage(input_tokens=1, output_tokens=1),  # type: ignore[arg-type]
    )


def numbered(*texts: str) -> str:
    listed = [{"number": n, "text": text} for n, text in enumerate(texts, 1)]
    return orjson.dumps({"turns": listed}).decode()


def read(text: str, **how: str) -> StepFact:
    return Generating().read(STEP, FROZEN, drawn(), PAST, reply(text, **how), CALL)


def test_the_users_turns_are_sent_as_numbered_data() -> None:
    order = Generating().order(STEP, FROZEN, drawn(), PAST)
    assert isinstance(order, Order)
    assert order.role == "roughen"
    (_, system), (_, request) = order.request.messages
    assert system.startswith("Type like ana, Short. medium.")
    sent = orjson.loads(request.split("\n\n")[0])
    assert [turn["number"] for turn in sent["turns"]] == [1, 2]
    assert [turn["text"] for turn in sent["turns"]] == [t.text for t in PAST.turns[::2]]
    assert "SECRET" not in request
    schema = order.request.response_schema
    assert schema is not None
    assert schema["properties"]["turns"]["minItems"] == 2  # type: ignore[call-overload, index]


def test_rewritten_turns_are_taken_and_the_others_say_why() -> None:
    found = read(numbered("where is my order 4711", "i want it"))
    assert isinstance(found, Roughened)
    assert [(turn.turn, turn.text) for turn in found.rewritten] == [(0, "where is my order 4711")]
    assert [(turn.turn, turn.why) for turn in found.kept] == [(2, "a negation was lost")]


def test_what_is_missing_or_unchanged_stays() -> None:
    found = read(numbered(PAST.turns[0].text))
    assert isinstance(found, Roughened)
    assert [turn.why for turn in found.kept] == [
        "nothing was changed",
        "the answer has no new text for it",
    ]
    assert found.rewritten == ()


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "{}",
        '{"turns": []}',
        '{"turns": [{"number": 9, "text": "x"}]}',
        "[1, 2]",
        numbered("a")[:-4],
    ],
)
def test_an_answer_that_is_none_is_asked_for_again(text: str) -> None:
    found = read(text)
    assert isinstance(found, StepFailed)
    assert (found.reason, found.retryable) == ("malformed_output", True)


def test_an_answer_that_was_cut_off_says_so() -> None:
    found = read(numbered("where is", "x")[:30], finish="length")
    assert isinstance(found, StepFailed)
    assert "raise max_tokens" in found.detail
    refused = read("", refusal="no")
    assert isinstance(refused, StepFailed)
    assert (refused.reason, refused.retryable) == ("backend_refused", False)


def test_numbers_may_be_text_and_the_list_may_be_bare() -> None:
    assert parse('[{"number": "2", "text": " b "}, {"number": 1, "text": "a"}]', 2) == {
        1: "a",
        2: "b",
    }
    doubled = parse(numbered("a") + numbered("b"), 2)
    assert isinstance(doubled, Malformed)
    assert "twice" in doubled.detail


def test_what_cannot_be_asked_is_not_asked() -> None:
    for past, says in (
        (Past(), "no user turn"),
        (Past((Turn(role="user", text="x" * (INPUT_LIMIT + 1)),)), "at most"),
    ):
        found = Generating().order(STEP, FROZEN, drawn(), past)
        assert isinstance(found, StepFailed)
        assert says in found.detail
        assert not found.retryable


@given(
    st.text(max_size=200) | st.lists(st.text(max_size=20), max_size=4).map(lambda t: numbered(*t))
)
def test_any_answer_leaves_every_user_turn_rewritten_or_kept(text: str) -> None:
    found = read(text)
    if isinstance(found, Roughened):
        turns = [turn.turn for turn in (*found.rewritten, *found.kept)]
        assert sorted(turns) == [0, 2]
        assert all(turn.why for turn in found.kept)
    else:
        assert isinstance(found, StepFailed)
