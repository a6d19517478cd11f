"""Freezing: everything by value, every problem at once with its pointer, and warnings for what is allowed but odd."""

from collections.abc import Sequence

import pytest

from convo_events.catalog import FilterList, Model, Persona, Pool, PromptSet, RunConfig
from convo_events.errors import Invalid, Problem
from convo_gateway.catalog.documents import Named
from convo_gateway.catalog.freeze import Frozen, distinct_draws, freeze, lookup_in, references
from tests.gateway.catalog.samples import catalog, config, roles


def frozen(wanted: RunConfig, objects: list[Named] | None = None) -> Frozen:
    return freeze(wanted, 3, lookup_in(catalog() if objects is None else objects))


def refused(
    wanted: RunConfig, objects: list[Named] | None = None, **more: object
) -> dict[str, str]:
    """Pointer to message of every problem."""
    with pytest.raises(Invalid) as caught:
        freeze(wanted, 3, lookup_in(catalog() if objects is None else objects), **more)  # type: ignore[arg-type]
    return {problem.pointer: problem.message for problem in caught.value.problems}


def test_a_snapshot_has_everything_by_value() -> None:
    found = frozen(config())
    snapshot = found.snapshot
    assert [persona.summary for persona in snapshot.personas] == ["Ada counts.", "Bo builds."]
    assert snapshot.config_version == 3
    assert snapshot.versions["prompt-sets/prompts"] == 1
    assert set(snapshot.versions) == {f"{kind}/{name}" for kind, name in references(config())}
    assert snapshot.backend("api").model_named("large") is not None
    assert found.warnings == ()


def test_equal_inputs_have_equal_hashes_and_an_edit_has_another() -> None:
    edited = catalog(ada=Persona(name="ada", summary="Ada still counts."))
    first = frozen(config()).snapshot.hash()
    assert frozen(config(), list(reversed(catalog()))).snapshot.hash() == first
    assert frozen(config(), edited).snapshot.hash() != first


def test_target_and_seed_of_this_run_go_into_the_snapshot() -> None:
    found = freeze(config(seed=5), 1, lookup_in(catalog()), target_count=2, seed=0)
    assert (found.snapshot.config.target_count, found.snapshot.config.seed) == (2, 0)


@pytest.mark.parametrize(
    ("field", "value"), [("target_count", 0), ("seed", -1), ("target_count", 10**9)]
)
def test_overrides_keep_the_bounds_of_the_config(field: str, value: int) -> None:
    assert list(refused(config(), None, **{field: value})) == [f"/{field}"]


def test_everything_that_is_missing_is_said_at_once() -> None:
    missing = refused(config(), [])
    assert set(missing) == {
        "/prompt_set",
        "/personas/0/name",
        "/personas/1/name",
        "/voices/0/name",
        "/pools/0",
        "/filter_lists/0",
        "/roles/assistant/backend",
        "/roles/user/backend",
        "/roles/judge/backend",
    }
    assert missing["/pools/0"] == 'there is no pool "topics" in the catalog; add it or name another'


def test_a_model_that_the_backend_lacks_is_named_with_those_it_has() -> None:
    found = refused(config(roles=roles(judge="huge")))
    assert found == {
        "/roles/judge/model": 'backend "api" has no model "huge"; it has small, large, unpriced'
    }


def test_an_answer_that_fills_the_model_is_refused() -> None:
    wanted = roles()
    wanted["judge"] = {"backend": "api", "model": "large", "max_tokens": 4000}
    assert "no room for a prompt" in refused(config(roles=wanted))["/roles/judge/max_tokens"]


def test_a_prompt_set_for_another_mode_is_refused() -> None:
    only = PromptSet(name="prompts", modes=("scripted",), segments={"script": "s"})
    assert refused(config(), catalog(prompts=only)) == {
        "/mode": 'prompt set "prompts" is for scripted, not for dialogue'
    }


def test_problems_of_templates_lead_to_the_prompt_set() -> None:
    segments = {"user": "{{ topic }}", "assistant": "{% if %}"}
    broken = PromptSet.model_validate(
        {"name": "prompts", "modes": ["dialogue"], "segments": segments}
    )
    with pytest.raises(Invalid) as caught:
        frozen(config(), catalog(prompts=broken))
    first, second = caught.value.problems
    assert (first.pointer, second.pointer) == ("/prompt_set", "/prompt_set")
    assert "segment user: line 1 of the segment: unknown variable 'topic'" in first.message
    assert "segment assistant" in second.message


def test_the_checker_of_templates_may_be_another() -> None:
    seen: list[tuple[str, Sequence[str]]] = []

    def check(prompt_set: PromptSet, pools: Sequence[str]) -> list[Problem]:
        seen.append((prompt_set.name, pools))
        return []

    freeze(config(), 1, lookup_in(catalog()), check_templates=check)
    assert seen == [("prompts", ("topics",))]


def test_a_name_that_comes_twice_is_refused() -> None:
    twice = config(personas=[{"name": "ada"}, {"name": "bo"}, {"name": "ada"}])
    assert "named 2 times" in refused(twice)["/personas/2/name"]


def test_a_pattern_that_is_no_regular_expression_is_refused() -> None:
    broken = FilterList(name="words", patterns=("fine", "(oops"))
    assert (
        "'(oops' is no regular expression"
        in refused(config(), catalog(words=broken))["/filter_lists/0"]
    )


class TestC09UnpricedModels:
    def test_a_cap_on_an_unpriced_model_is_refused(self) -> None:
        found = refused(config(roles=roles(assistant="unpriced"), spend_cap_usd=5))
        assert list(found) == ["/spend_cap_usd"]
        assert "api/unpriced" in found["/spend_cap_usd"]

    def test_without_a_cap_it_may_run(self) -> None:
        assert frozen(config(roles=roles(assistant="unpriced"))).warnings == ()

    def test_a_cap_where_all_have_prices_is_fine(self) -> None:
        assert frozen(config(spend_cap_usd=5)).snapshot.config.spend_cap_usd == 5

    def test_a_model_that_makes_no_call_needs_no_price(self) -> None:
        scripted = config(mode="scripted", roles=roles(user="unpriced"), spend_cap_usd=5)
        assert frozen(scripted).warnings == ()

    def test_free_is_a_price(self) -> None:
        (api,) = [item for item in catalog() if item.name == "api"]
        models = (
            Model.model_validate({"name": "small", "prices": {"rates": {"input": 0, "output": 0}}}),
        )
        free = api.model_copy(update={"models": models})
        wanted = config(roles=roles(judge=None), judge=None, spend_cap_usd=1)
        assert frozen(wanted, catalog(api=free)).warnings == ()


def test_j12_a_judge_of_its_own_work_is_a_warning() -> None:
    (warning,) = frozen(config(roles=roles(judge="small"))).warnings
    assert warning.pointer == "/roles/judge/model"


class TestD07DistinctDraws:
    def test_more_conversations_than_draws_are_a_warning(self) -> None:
        # Two personas, one voice, and two values, of which one stands twice.
        (warning,) = frozen(config(target_count=5)).warnings
        assert warning.pointer == "/target_count"
        assert "5 conversations from 4 distinct draws" in warning.message

    def test_as_many_as_draws_are_fine(self) -> None:
        found = frozen(config(target_count=4))
        assert distinct_draws(found.snapshot.config, [("bread", "rain", "bread")]) == 4
        assert found.warnings == ()

    def test_more_values_help(self) -> None:
        more = catalog(topics=Pool(name="topics", values=("bread", "rain", "snow")))
        assert frozen(config(target_count=6), more).warnings == ()


def test_an_odd_dialogue_is_a_warning() -> None:
    (warning,) = frozen(config(length_mix=[{"turns": [3, 3], "share": 1}])).warnings
    assert (warning.pointer, warning.message) == (
        "/length_mix/0/turns",
        "a dialogue ends with the assistant: 3 turns become 4",
    )


def test_an_environment_variable_in_a_url_waits_for_the_call() -> None:
    (api,) = [item for item in catalog() if item.name == "api"]
    found = frozen(config(), catalog(api=api.model_copy(update={"base_url": "${NOT_SET}/v1"})))
    assert found.snapshot.backend("api").base_url == "${NOT_SET}/v1"


ANNOUNCED: dict[str, dict[str, object]] = {
    "wrong_length": {
        "properties": {
            "slack": {"type": "integer", "minimum": 0, "maximum": 9},
            "unit": {"type": "string", "enum": ["turns", "words"]},
            "strict": {"type": "boolean"},
            "words": {"type": "array"},
        }
    },
    "empty_turn": {},
}


class TestRules:
    def problems(self, **settings: dict[str, object]) -> dict[str, str]:
        rules = {name: {"parameters": parameters} for name, parameters in settings.items()}
        return refused(config(rules=rules), rules=ANNOUNCED)

    def test_what_is_announced_is_accepted(self) -> None:
        fitting = {"slack": 2, "unit": "words", "strict": True, "words": ["a"]}
        wanted = config(rules={"wrong_length": {"parameters": fitting}, "empty_turn": {}})
        freeze(wanted, 1, lookup_in(catalog()), rules=ANNOUNCED)

    def test_unknown_rules_and_parameters_are_refused(self) -> None:
        found = self.problems(wrong_lenght={}, empty_turn={"x": 1}, wrong_length={"slak": 1})
        assert (
            found["/rules/wrong_lenght"]
            == 'unknown rule "wrong_lenght"; did you mean "wrong_length"?'
        )
        assert 'did you mean "slack"?' in found["/rules/wrong_length/parameters/slak"]
        assert "it has none" in found["/rules/empty_turn/parameters/x"]

    @pytest.mark.parametrize(
        ("name", "value", "expected"),
        [
            ("slack", "2", "integer"),
            ("slack", True, "integer"),
            ("slack", 10, "at most 9"),
            ("slack", -1, "at least 0"),
            ("unit", "pages", "one of turns, words"),
            ("strict", 1, "boolean"),
        ],
    )
    def test_values_fit_their_schema(self, name: str, value: object, expected: str) -> None:
        found = self.problems(wrong_length={name: value})
        assert found[f"/rules/wrong_length/parameters/{name}"].endswith(f"expected {expected}")

    def test_without_announcements_settings_are_taken_on_trust(self) -> None:
        assert frozen(config(rules={"not_known_yet": {}})).warnings == ()
