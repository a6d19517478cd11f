"""Layer 1 as a whole."""

import pytest

from convo_events.catalog import RuleSetting
from convo_events.errors import Invalid
from convo_filters.layers import RuleSet, check_mechanical, validate_rules
from tests.filters.talk import answered, hits, snapshot, talk

WORST = talk(
    "How can I help you?", "*smiles* My wife asked [Your Name],", finish="length", planned=9
)


def test_all_hits_come_in_precedence_order() -> None:
    found = check_mechanical(WORST, snapshot())
    assert [hit.reason for hit in found] == [
        "wrong_length", "truncated", "placeholder", "stage_direction", "assistant_embodied", "role_swap",
    ]  # fmt: skip
    assert [hit.precedence for hit in found] == sorted(hit.precedence for hit in found)
    assert {hit.layer for hit in found} == {1}


def test_a_rule_that_is_switched_off_finds_nothing() -> None:
    off = snapshot(
        {"wrong_length": RuleSetting(enabled=False), "truncated": RuleSetting(enabled=False)}
    )
    assert check_mechanical(WORST, off)[0].reason == "placeholder"


def test_one_rule_set_serves_many_conversations() -> None:
    ready = RuleSet.of(snapshot())
    assert ready.check(talk("When do I sow peas?", "In March.")) == ()
    assert ready.check(WORST) == check_mechanical(WORST, snapshot())


def test_every_problem_of_a_config_is_named_with_its_place() -> None:
    problems = validate_rules(
        {
            "stage_directions": RuleSetting(),
            "zzz": RuleSetting(),
            "empty_turn": RuleSetting(parameters={"x/y": 1}),
            "wrong_length": RuleSetting(parameters={"tolerance": -1, "most_words": "many"}),
            "role_order": RuleSetting(parameters={"ends_with": "any"}),
        }
    )
    assert {problem.pointer for problem in problems} == {
        "/rules/stage_directions",
        "/rules/zzz",
        "/rules/empty_turn/parameters/x~1y",
        "/rules/wrong_length/parameters/tolerance",
        "/rules/wrong_length/parameters/most_words",
    }
    text = "\n".join(map(str, problems))
    assert "did you mean stage_direction?" in text
    assert "rules are: empty_turn, " in text
    assert "wrong_length knows: tolerance, most_words, fewest_words" in text


def test_a_snapshot_with_wrong_rules_is_refused() -> None:
    with pytest.raises(Invalid, match="/rules/nothing"):
        RuleSet.of(snapshot({"nothing": RuleSetting()}))


def test_u02_an_excerpt_is_short_and_whole() -> None:
    family = "👨‍👩‍👧‍👦"
    text = "(" + "sighs " + family * 7 + ")"
    hit = hits(answered(text))["stage_direction"]
    assert hit.excerpt == text
    assert len(hits(talk("\ufffd" + "x", "y" * 3_000))["garbled_text"].excerpt) == 1
    long = hits(answered("e\u0301" * 150 + ",")).get("truncated")
    assert long is not None
    assert len(long.excerpt) <= 200
