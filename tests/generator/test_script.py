import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.conversations import Turn
from convo_generator.malformed import DETAIL_LIMIT, Malformed
from convo_generator.script import messages, parse, schema
from tests.snapshots import drawn, prompt_set, snapshot

TURNS = (Turn(role="user", text="Hi {there}"), Turn(role="assistant", text='Say "yes" ü'))
LISTED = [{"role": turn.role, "text": turn.text} for turn in TURNS]
PLAIN = json.dumps({"turns": LISTED}, ensure_ascii=False)


@pytest.mark.parametrize(
    "answer",
    [
        PLAIN,
        json.dumps({"turns": LISTED}),
        json.dumps(LISTED),
        f"```json\n{PLAIN}\n```",
        f"Here is the conversation [1]:\n{PLAIN}\nHope it helps {{really}}!",
        f'<think>maybe {{"turns": []}}</think>{PLAIN}',
        f"{PLAIN}\n{PLAIN}",
        PLAIN.replace('"role": "user"', '"role": "Human"').replace('"assistant"', '"gpt"'),
        PLAIN.replace('"assistant"', '"bot"').replace('"text"', '"content"'),
        json.dumps({"title": {"a": [1]}, "turns": [{**item, "mood": None} for item in LISTED]}),
    ],
)
def test_scripts_that_are_read(answer: str) -> None:
    assert parse(answer) == TURNS


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("", "no JSON"),
        ("I cannot do that.", "no JSON"),
        ("null", "no JSON"),
        ('{"turns": null}', "not a list"),
        ('{"turns": {}}', "not a list"),
        ('{"turns": []}', "0 turns"),
        ('{"turns": ["hi"]}', "turn 1: not an object"),
        ('{"turns": [{"role": "user", "text": null}]}', "turn 1: no text"),
        ('{"turns": [{"role": "user", "text": 4}]}', "not a string"),
        ('{"turns": [{"role": "user"}]}', "turn 1: no text"),
        ('{"turns": [{"role": "system", "text": "x"}]}', "'system'"),
        ('{"turns": [{"role": null, "text": "x"}]}', "neither user nor assistant"),
        ('{"turns": [{"role": "user", "text": "a", "content": "b"}]}', "differ"),
        ('{"turns": [{"role": "user", "text": "a", "text": "b"}]}', "two different values"),
        ('{"turns": [{"role": "user", "text": "a"}, {"role": "assi', "before it is complete"),
        (f'{PLAIN} {{"turns": [{{"role": "user", "text": "other"}}]}}', "two scripts"),
        ("[" * 100_000, "deeper"),
        ("[" * 100 + "]" * 100, "deeper"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "deeper"),
        ("9" * 10 + "[" + "9" * 5_000 + "]", "digits"),
        ("[x" * 20_000, "almost JSON"),
        ("x" * 2_000_001, "longer than"),
        (json.dumps([{"role": "user", "text": "x"}] * 1_001), "1001 turns"),
    ],
)
def test_g02_what_is_no_script_is_malformed_with_a_reason(answer: str, says: str) -> None:
    found = parse(answer)
    assert isinstance(found, Malformed)
    assert says in found.detail
    assert len(found.detail) <= DETAIL_LIMIT


def test_g01_order_and_number_are_left_to_the_rules() -> None:
    found = parse('[{"role": "user", "text": "a"}, {"role": "user", "text": ""}]')
    assert found == (Turn(role="user", text="a"), Turn(role="user", text=""))


def test_text_that_cannot_be_stored_is_shown_as_replaced() -> None:
    found = parse('[{"role": "user", "text": "a\\u0000b\\ud800c\\ud83d\\ude42\nd"}]')
    assert found == (Turn(role="user", text="a\ufffdb\ufffdc🙂\nd"),)


def test_the_same_value_twice_under_one_name_is_no_conflict() -> None:
    found = parse('[{"role": "user", "role": "user", "text": "a"}]')
    assert found == (Turn(role="user", text="a"),)


def test_schema_asks_for_the_planned_turns_and_is_strict() -> None:
    asked = schema(drawn(turns=6))
    turns = asked["properties"]["turns"]  # type: ignore[index, call-overload]
    assert (turns["minItems"], turns["maxItems"]) == (6, 6)  # type: ignore[index, call-overload]
    assert asked["additionalProperties"] is False
    assert turns["items"]["required"] == ["role", "text"]  # type: ignore[index, call-overload]


def test_the_contract_is_in_words_only_where_no_schema_holds() -> None:
    prompts = prompt_set(script="Write {{ turns }} turns about {{ topic }}.")
    draw = drawn(pools={"topic": "{x} %s"})
    system, request = messages(snapshot(prompts, mode="scripted"), draw)
    assert system == ("system", "Write 4 turns about {x} %s.")
    assert request == ("user", "Write the conversation.")
    for structured in ("json_object", "none"):
        _, (_, text) = messages(snapshot(prompts, mode="scripted", structured=structured), draw)
        assert "JSON" in text
        assert "exactly 4 turns" in text
        assert '{"turns": [{"role": "user"' in text


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        '"turns"',
        '"role"',
        '"text"',
        '"user"',
        "null",
        "1",
        "NaN",
        "\\ud800",
        "```",
    ]
)


@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_any_answer_is_read(answer: str) -> None:
    found = parse(answer)
    assert isinstance(found, Malformed) or all(turn.text.encode() is not None for turn in found)
