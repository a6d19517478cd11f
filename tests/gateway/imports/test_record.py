"""Rows of the shapes that people have, with all that is odd in them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.codec import encode
from convo_events.outcomes import Generated, Origin
from convo_gateway.imports.record import MOST_LEFT_OUT, MOST_METADATA, read_record
from convo_gateway.imports.row import MOST_BYTES, MOST_TURNS, Refused, Taken
from tests.events.examples import ENVELOPE

USER = {"role": "user", "content": "Hi"}
ANSWER = {"role": "assistant", "content": "Hello"}


def said(record: object) -> list[tuple[str, str]]:
    row = read_record(1, record)
    assert isinstance(row, Taken), row
    return [(turn.role, turn.text) for turn in row.turns]


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [USER, ANSWER]},
        {"messages": [USER, ANSWER | {"tool_calls": None}], "tools": []},
        {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]},
        {"conversations": [USER, ANSWER]},
        {"messages": None, "conversation": [{"from": "USER", "value": "Hi"}, ANSWER]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}, ANSWER]},
    ],
)
def test_both_shapes_and_their_mixtures_are_read(record: object) -> None:
    assert said(record) == [("user", "Hi"), ("assistant", "Hello")]


def test_nothing_is_put_in_another_order_or_left_out() -> None:
    messages = [ANSWER, USER, USER, {"role": "assistant", "content": ""}]
    assert said({"messages": messages}) == [
        ("assistant", "Hello"),
        ("user", "Hi"),
        ("user", "Hi"),
        ("assistant", ""),
    ]


def test_a_leading_system_message_is_kept_beside_the_turns() -> None:
    row = read_record(7, {"id": 5, "messages": [{"role": "system", "content": "Be kind."}, USER]})
    assert isinstance(row, Taken)
    assert (row.row, row.metadata, len(row.turns)) == (7, {"system": "Be kind.", "id": 5}, 1)


def test_what_no_database_holds_is_marked_and_counted() -> None:
    row = read_record(
        1, {"a\0": "\ud83d", "messages": [{"role": "user", "content": "a\0b\ud800c"}]}
    )
    assert isinstance(row, Taken)
    assert (row.turns[0].text, row.mended) == ("a\ufffdb\ufffdc", 2)
    json.dumps(row.metadata).encode()
    assert row.metadata == {"a\ufffd": "\ufffd"}


@pytest.mark.parametrize(
    ("record", "code", "pointer", "says"),
    [
        ([USER], "not_a_conversation", "", "a list, not an object"),
        ("text", "not_a_conversation", "", "text, not an object"),
        ({"prompt": "Hi"}, "not_a_conversation", "", "none of messages"),
        ({"messages": "Hi"}, "not_a_conversation", "/messages", "text, not a list"),
        ({"messages": []}, "empty", "/messages", "no message"),
        ({"messages": [{"role": "system", "content": "x"}]}, "empty", "/messages", "no message"),
        ({"messages": [None]}, "bad_message", "/messages/0", "null, not an object"),
        ({"messages": [USER, {"content": "x"}]}, "bad_role", "/messages/1", "null, not text"),
        (
            {"messages": [{"role": "narrator", "content": "x"}]},
            "bad_role",
            "/messages/0/role",
            "'narrator'",
        ),
        (
            {"messages": [USER, {"role": "system", "content": "x"}]},
            "bad_role",
            "/messages/1",
            "after",
        ),
        ({"messages": [{"role": "user"}]}, "no_text", "/messages/0", "no content"),
        (
            {"messages": [{"role": "user", "content": None}]},
            "no_text",
            "/messages/0/content",
            "null",
        ),
        (
            {"messages": [{"role": "user", "content": 5}]},
            "no_text",
            "/messages/0/content",
            "a number",
        ),
        (
            {"messages": [{"role": "user", "content": []}]},
            "no_text",
            "/messages/0/content",
            "a list",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            "no_text",
            "/messages/0/content/0",
            "pictures",
        ),
        (
            {
                "messages": [
                    USER,
                    {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
                ]
            },
            "tool_call",
            "/messages/1",
            "tool_calls",
        ),
        (
            {"conversations": [{"from": "observation", "value": "x"}]},
            "tool_call",
            "/conversations/0",
            "tools",
        ),
    ],
)
def test_a_refusal_names_place_and_reason(
    record: object, code: str, pointer: str, says: str
) -> None:
    row = read_record(3, record)
    assert isinstance(row, Refused), row
    assert (row.row, row.code, row.pointer) == (3, code, pointer)
    assert says in row.message


def test_a_turn_of_a_megabyte_is_taken_and_more_than_fits_the_log_is_not() -> None:
    large = {"role": "user", "content": "x" * 1_000_000}
    assert isinstance(read_record(1, {"messages": [large]}), Taken)
    refused = read_record(1, {"messages": [large, large | {"content": "y" * MOST_BYTES}]})
    assert isinstance(refused, Refused)
    assert refused.code == "too_long"
    many = read_record(1, {"messages": [USER] * (MOST_TURNS + 1)})
    assert isinstance(many, Refused)
    assert many.code == "too_long"


def test_the_largest_row_fits_into_a_message_of_the_log() -> None:
    turns = [{"role": "assistant", "content": "\U0001f9d1" * 60}] * MOST_TURNS
    fields = {f"{n}\x01": "\x01" * 40 for n in range(60)} | {"\U0001f9d1" * 200: [[[[[[1]]]]]]}
    room = MOST_BYTES - MOST_TURNS * 242 - 2
    row = read_record(2**40, {"system": "x" * room, "messages": turns, **fields})
    assert isinstance(row, Taken), row
    assert (len(row.metadata) > 20, len(row.left_out)) == (True, MOST_LEFT_OUT + 1)
    origin = Origin.model_validate(
        {"source": "imp-1", "row": 1, "metadata": row.metadata, "left_out": row.left_out}
    )
    step = {"run": "r" * 60, "thread": 1, "conversation": 1, "step": 1, "first_turn": 0}
    event = Generated.model_validate(
        {**step, "turns": row.turns, "finish": "stop", "origin": origin}
    )
    assert len(encode(ENVELOPE, event)) < 1_900_000
    refused = read_record(1, {"system": "x" * (room + 1), "messages": turns})
    assert isinstance(refused, Refused)


def test_metadata_is_bounded() -> None:
    row = read_record(
        1, {"a": "x" * 5_000, "b": {"c": [1, None, "ok"]}, "d": float("nan"), "messages": [USER]}
    )
    assert isinstance(row, Taken)
    assert row.metadata == {"b": {"c": [1, None, "ok"]}, "d": None}
    assert row.left_out == ("a",)
    many = {str(n): "y" * 100 for n in range(1_000)}
    bounded = read_record(1, many | {"messages": [USER]})
    assert isinstance(bounded, Taken)
    assert 10 < len(bounded.metadata) * 100 <= MOST_METADATA
    assert len(bounded.left_out) == MOST_LEFT_OUT + 1
    assert bounded.left_out[-1] == "…"
    long = read_record(1, {"k" * 5_000: 1, "messages": [USER]})
    assert isinstance(long, Taken)
    assert (long.metadata, long.left_out) == ({}, ("k" * 100,))


def test_a_long_system_message_is_kept_whole_or_the_row_is_refused() -> None:
    long = "Be \0kind. " * 20_000
    row = read_record(1, {"messages": [{"role": "system", "content": long}, USER]})
    assert isinstance(row, Taken)
    assert row.metadata == {"system": long.replace("\0", "\ufffd")}
    assert (row.mended, row.left_out) == (20_000, ())
    more = {"role": "system", "content": "é" * MOST_BYTES}
    refused = read_record(1, {"messages": [more, USER]})
    assert isinstance(refused, Refused)
    assert refused.code == "too_long"


@pytest.mark.parametrize(
    ("field", "leading", "system", "left_out"),
    [
        ("Be kind.", None, "Be kind.", ()),
        ("Be kind.", "Be kind.", "Be kind.", ()),
        ("Be short.", "Be kind.", "Be kind.", ("system",)),
        ({"be": "kind"}, None, None, ("system",)),
        (None, None, None, ()),
    ],
)
def test_a_field_of_the_row_may_be_its_system_message(
    field: object, leading: str | None, system: str | None, left_out: tuple[str, ...]
) -> None:
    messages = [{"from": "system", "value": leading}] if leading else []
    turn = {"from": "human", "value": "Hi"}
    row = read_record(1, {"system": field, "conversations": [*messages, turn]})
    assert isinstance(row, Taken)
    assert (row.metadata.get("system"), row.left_out) == (system, left_out)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["messages", "conversations", "role", "from", "content", "value", "x"]),
            inner,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_record_is_taken_or_refused_and_never_breaks(record: object) -> None:
    row = read_record(1, record)
    if isinstance(row, Taken):
        assert row.turns
        json.dumps(row.metadata, allow_nan=False).encode()
    else:
        assert row.message
