"""Every rule of the folder keeps the same contract."""

import ast
from pathlib import Path

import pytest

from convo_filters import rules as folder
from convo_filters.evidence import Found
from convo_filters.rules_catalog import Rule, announce, rules
from convo_filters.rules_context import Context, Reading, RuleParameters
from tests.filters.rule_page import PAGE, written
from tests.filters.talk import snapshot, talk

RULES = pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.reason)
ORDER = (
    "empty_turn role_order wrong_length truncated unfinished_sentence code_fence_broken placeholder unsafe_markup "
    "prompt_leak meta_talk stage_direction assistant_embodied role_swap speaker_label user_knows_too_much "
    "assistant_refusal banned_phrase repeated_turn thanks_loop wrong_language garbled_text emoji_flood number_soup "
    "user_markdown url_or_contact"
)


def _files() -> list[Path]:
    return [path for path in Path(folder.__path__[0]).glob("*.py") if path.name != "__init__.py"]


def test_every_file_is_a_rule_and_named_by_its_reason() -> None:
    assert {rule.reason for rule in rules()} == {path.stem for path in _files()}


def test_precedence_is_unique_and_as_documented() -> None:
    numbers = [rule.precedence for rule in rules()]
    assert len(set(numbers)) == len(numbers)
    assert numbers == sorted(numbers)
    assert [rule.reason for rule in rules()] == ORDER.split()


@RULES
def test_shape(rule: Rule) -> None:
    assert rule.description.endswith(".")
    assert issubclass(rule.parameters, RuleParameters)
    defaults = rule.parameters()
    for name, field in rule.parameters.model_fields.items():
        assert field.description, f"{rule.reason}.{name} has no description"
        assert isinstance(getattr(defaults, name), bool | int | float | str)


@RULES
def test_every_rule_has_its_own_tests(rule: Rule) -> None:
    path = Path(__file__).parent / "rules" / f"test_{rule.reason}.py"
    names = {
        node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)
    }
    assert any("hits" in name for name in names)
    assert any("passes" in name for name in names)


@RULES
def test_an_ordinary_conversation_passes(rule: Rule) -> None:
    frozen = snapshot()
    parameters = rule.parameters()
    prepared = rule.prepare(frozen, parameters) if rule.prepare else None
    conversation = talk("When do I sow the peas?", "In March, once the soil has dried a little.")
    found = rule.check(conversation, Context(parameters, prepared, Reading.of(conversation)))
    assert found is None or isinstance(found, Found)
    assert found is None


@pytest.mark.parametrize("path", _files(), ids=lambda path: path.stem)
def test_rules_reach_no_input_output_clock_or_chance(path: Path) -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [n.name for n in node.names]
        )
    }
    assert imported <= {"re", "regex", "typing", "collections", "dataclasses", "functools", "itertools", "pydantic",
                        "convo_events", "convo_filters"}  # fmt: skip


def test_announcements_are_plain_json() -> None:
    announced = announce()
    assert [one.reason for one in announced] == ORDER.split()
    for one in announced:
        assert type(one).model_validate_json(one.model_dump_json()) == one
        assert one.parameters["additionalProperties"] is False


def test_the_page_of_the_rules_is_as_they_are() -> None:
    assert PAGE.read_text() == written(PAGE.read_text()), "run python -m tests.filters.rule_page"
