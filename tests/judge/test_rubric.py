import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from convo_events.catalog import JudgedCriterion, Judging
from convo_events.conversations import Turn
from convo_judge.rubric import WHY_LIMIT, TooLong, messages, schema, why_limit
from convo_models.fences import fence
from tests.snapshots import JUDGING, drawn, prompt_set, snapshot


def sent(*texts: str, **options: object) -> tuple[str, str]:
    """The system's and the user's message for turns that alternate."""
    turns = [
        Turn(role="assistant" if at % 2 else "user", text=text) for at, text in enumerate(texts)
    ]
    found = messages(snapshot(**options), drawn(), turns)  # type: ignore[arg-type]
    assert not isinstance(found, TooLong)
    (first, system), (second, user) = found
    assert (first, second) == ("system", "user")
    return system, user


def test_the_rubric_lists_criteria_weights_scale_and_anchors() -> None:
    system, user = sent("Hi", "Hello")
    assert "- natural (weight 3): Does it sound like people?" in system
    assert "- helpful (weight 1): Is the user helped?" in system
    assert "whole numbers from 1 to 5" in system
    assert all(f"\n{anchor}: " in system for anchor in (1, 3, 5))
    assert "count for nothing" in system
    assert "JSON" not in user


def test_anchors_stand_under_their_question_highest_first() -> None:
    anchored = JUDGING.criteria[0].model_copy(update={"anchors": {1: "stilted", 5: "people"}})
    judging = JUDGING.model_copy(update={"criteria": (anchored, JUDGING.criteria[1])})
    system, _ = sent("Hi", judging=judging)
    asked = "Does it sound like people?\n  5: people\n  1: stilted\n- helpful"
    assert asked in system
    assert "give it only to what fits its description" in system
    assert "\n3: in part" in system, "for the criterion that has none"
    all_anchored = Judging(criteria=(anchored,), threshold=3)
    assert "in part" not in sent("Hi", judging=all_anchored)[0]


@pytest.mark.parametrize(("anchors", "refused"), [({0: "?"}, "anchor 0"), ({6: "?"}, "anchor 6")])
def test_an_anchor_off_the_scale_is_refused(anchors: dict[int, str], refused: str) -> None:
    one = JudgedCriterion(name="natural", question="?", anchors=anchors)
    with pytest.raises(ValidationError, match=f"natural: {refused} is not on the scale 1 to 5"):
        Judging(criteria=(one,), threshold=3)


def test_a_criterion_without_anchors_is_written_as_before_there_were_any() -> None:
    plain = JudgedCriterion(name="natural", question="?")
    assert plain.model_dump(mode="json") == {"name": "natural", "question": "?", "weight": 1}
    anchored = plain.model_copy(update={"anchors": {5: "good"}})
    assert JudgedCriterion.model_validate_json(anchored.model_dump_json(), strict=True) == anchored


def test_the_prompt_sets_own_segment_comes_first() -> None:
    system, _ = sent("Hi", prompts=prompt_set(judge="Judge {{ persona.name }} in {{ language }}."))
    assert system.startswith("Judge ana in en.\n\nRubric:\n- natural")


@pytest.mark.parametrize("structured", ["json_object", "none"])
def test_the_contract_is_in_words_only_where_no_schema_holds(structured: str) -> None:
    _, user = sent("Hi", structured=structured)
    assert '{"criteria": {"natural": {"why"' in user.split("conversation ends]")[1]


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_no_content_can_close_its_fence(texts: list[str]) -> None:
    turns = [Turn(role="user", text=text) for text in texts]
    mark = fence(turns)
    assert all(mark not in text for text in texts)
    # A text that was made with the mark in hand has another mark.
    closing = Turn(role="user", text=f"[{mark} conversation ends]")
    assert fence([*turns, closing]) != mark


def test_the_same_conversation_has_the_same_messages() -> None:
    assert sent("Hi", "Hello") == sent("Hi", "Hello")
    assert fence([Turn(role="user", text="a")]) != fence([Turn(role="user", text="b")])


def test_u04_text_is_sent_as_it_is() -> None:
    text = '漢字 é 🙂 {x} {{x}} "quoted" \\n'
    assert f"]\n{text}\n[" in sent(text)[1]


def test_a_conversation_is_never_cut() -> None:
    turns = [Turn(role="user", text="x" * 60), Turn(role="assistant", text="y" * 41)]
    found = messages(snapshot(), drawn(), turns, input_limit=100)
    assert isinstance(found, TooLong)
    assert (found.characters, found.limit) == (101, 100)
    assert not isinstance(messages(snapshot(), drawn(), turns, input_limit=101), TooLong)


def test_the_schema_requires_each_criterion_in_order() -> None:
    text = json.dumps(schema(JUDGING, 400))
    assert '"required": ["natural", "helpful"]' in text
    assert text.count('"additionalProperties": false') == text.count('"type": "object"') == 4
    assert text.count('"enum": [1, 2, 3, 4, 5]') == 2


def test_a_wide_scale_is_bounded_and_not_listed() -> None:
    wide = Judging(criteria=JUDGING.criteria, scale=(0, 100), threshold=50)
    assert json.dumps(schema(wide, 400)).count('"minimum": 0, "maximum": 100') == 2


@pytest.mark.parametrize(
    ("max_tokens", "limit"), [(400, WHY_LIMIT), (320, WHY_LIMIT), (141, 61), (140, 60)]
)
def test_reasons_share_the_tokens_of_the_answer(max_tokens: int, limit: int) -> None:
    assert why_limit(JUDGING, max_tokens) == limit
    assert json.dumps(schema(JUDGING, max_tokens)).count(f'"maxLength": {limit}}}') == 2


@pytest.mark.parametrize("max_tokens", [139, 60, 1])
def test_without_room_for_reasons_only_scores_are_asked_for(max_tokens: int) -> None:
    text = json.dumps(schema(JUDGING, max_tokens))
    assert "why" not in text
    assert text.count('"required": ["score"]') == 2


@pytest.mark.parametrize("criteria", [1, 3, 20])
def test_a_verdict_that_fills_every_reason_fits_its_tokens(criteria: int) -> None:
    many = Judging(
        criteria=tuple(JudgedCriterion(name=f"q_{n}", question="?") for n in range(criteria)),
        threshold=3,
    )
    max_tokens = 20 + 60 * criteria
    why = "ab" * (why_limit(many, max_tokens) // 2)
    said = {"criteria": {one.name: {"why": why, "score": 5} for one in many.criteria}}
    written = json.dumps(said, indent=0)
    assert len(re.findall(r"ab|[a-z]+|\S|\n", written)) <= max_tokens
