"""Checks of run configs: everything that is wrong is said at once, whatever state the config is in."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import Backend, Model, Persona, PromptSet, RunConfig
from convo_gateway.catalog.checks.check import Checked, check_body
from convo_gateway.catalog.checks.mend import mended
from convo_gateway.catalog.checks.sources import Sources, sources_in
from convo_gateway.catalog.documents import Named
from convo_gateway.catalog.starter import starter_objects
from tests.gateway.catalog.samples import catalog, config, prices, roles

RULES: dict[str, dict[str, object]] = {
    "wrong_length": {"properties": {"slack": {"type": "integer", "minimum": 0, "maximum": 9}}}
}


def body(**changes: object) -> dict[str, Any]:
    """The sample config as a person writes it."""
    fields = config().model_dump(mode="json", exclude_defaults=True)
    written = fields | changes
    return {name: value for name, value in written.items() if value is not ...}


def checked(objects: list[Named] | None = None, **changes: object) -> Checked:
    return check_body(body(**changes), sources_in(objects or catalog()), rules=RULES)


def said(found: Checked) -> dict[str, str]:
    """Pointer to severity and message; the worst where a place has several."""
    return {f.pointer: f"{f.severity}: {f.message}" for f in reversed(found.findings)}


def warned(found: Checked) -> dict[str, str]:
    assert found.errors == ()
    return {f.pointer: f.message for f in found.warnings}


def test_a_good_config_has_no_finding_and_can_start() -> None:
    found = checked()
    assert found.findings == ()
    assert found.snapshot is not None
    assert found.config == config()


def test_the_starter_has_no_finding_but_a_demo_that_judges_itself() -> None:
    objects = starter_objects()
    found = {
        item.name: [
            f.pointer
            for f in check_body(item.model_dump(mode="json"), sources_in(objects)).findings
        ]
        for item in objects
        if isinstance(item, RunConfig)
    }
    assert found.pop("local-demo") == ["/roles/judge/model"]
    assert found
    assert not any(found.values()), found


def test_shape_names_and_meaning_are_all_wrong_at_once() -> None:
    """One request shows everything, so that nobody corrects a config ten times."""
    found = checked(
        target_count="many",
        threads=0,
        surprise=1,
        prompt_set="promts",
        personas=[{"name": "adda"}, {"name": "bo", "weight": -1}, {"nam": "x"}, {"name": "bo"}],
        voices=[],
        pools=["topic"],
        filter_lists=["words", 7],
        length_mix=[{"turns": [3, 3], "share": 1}, {"turns": [9, 2], "share": 1}],
        rules={"wrong_lenght": {}, "wrong_length": {"parameters": {"slack": 99}}},
        roles={
            "assistant": {"backend": "api", "model": "smal"},
            "user": {"backend": "apo", "model": "small", "temperature": 9},
            "judge": {"backend": "api", "model": "large", "max_tokens": 4000},
            "memory": {"backend": "api", "model": "small"},
        },
        memory=...,
        spend_cap_usd="5",
    )
    problems = said(found)
    assert found.snapshot is None
    assert problems["/target_count"] == 'error: found the text "many", expected a whole number'
    assert "unknown key" in problems["/surprise"]
    assert 'did you mean "prompts"?' in problems["/prompt_set"]
    assert 'did you mean "ada"?' in problems["/personas/0/name"]
    assert "expected greater than 0" in problems["/personas/1/weight"]
    assert "unknown key" in problems["/personas/2/nam"]
    assert 'did you mean "topics"?' in problems["/pools/0"]
    assert problems["/length_mix/0/turns"].startswith("warning: a dialogue ends with")
    assert "must not exceed" in problems["/length_mix/1"]
    assert 'did you mean "wrong_length"?' in problems["/rules/wrong_lenght"]
    assert "at most 9" in problems["/rules/wrong_length/parameters/slack"]
    assert 'did you mean "small"?' in problems["/roles/assistant/model"]
    assert "less than or equal to 2" in problems["/roles/user/temperature"]
    assert "no room for a prompt" in problems["/roles/judge/max_tokens"]
    assert problems["/memory"] == "error: memory and roles.memory go together: name both or neither"
    assert {"/threads", "/voices", "/filter_lists/1", "/spend_cap_usd"} <= set(problems)


def test_what_stands_in_for_something_invalid_is_never_spoken_of() -> None:
    found = checked(mode="dialog", roles=7, prompt_set=None, length_mix=[{"turns": [3, 3]}])
    assert {f.pointer for f in found.findings} == {
        "/mode",
        "/roles",
        "/prompt_set",
        "/length_mix/0/share",
    }
    assert not any("stand" in f.message for f in found.findings)


def test_an_empty_config_lacks_what_every_config_needs() -> None:
    found = check_body({}, sources_in(catalog()))
    assert {f.pointer for f in found.errors} == {
        f"/{name}" for name, field in RunConfig.model_fields.items() if field.is_required()
    }


Junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**12)
    | st.floats(allow_nan=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_INNER = st.sampled_from(
    ["assistant", "judge", "name", "weight", "turns", "share", "threshold", "scale"]
)


@given(
    st.dictionaries(st.sampled_from(list(RunConfig.model_fields)), Junk, max_size=6),
    st.dictionaries(_INNER, Junk, max_size=3),
)
@settings(max_examples=150, deadline=None)
def test_whatever_is_written_is_answered(changes: dict[str, Any], inner: dict[str, Any]) -> None:
    """A config with junk in it never breaks the check, and is never called startable by mistake."""
    for place in ("roles", "judge"):
        changes.setdefault(place, {**body()[place], **inner})
    found = check_body(body(**changes), sources_in(catalog()), rules=RULES)
    try:
        RunConfig.model_validate(body(**changes), strict=False)
    except ValueError:
        assert found.errors
    _, unsure, findings = mended(body(**changes))
    assert bool(unsure) <= bool(findings)


class TestAgreement:
    def test_each_missing_half_is_named_where_it_is_missing(self) -> None:
        found = said(checked(roles={k: v for k, v in roles().items() if k == "assistant"}))
        assert "mode dialogue needs a model" in found["/roles/user"]
        assert "go together" in found["/roles/judge"]
        assert "go together" in said(checked(judge=...))["/judge"]

    def test_memory_is_for_sessions(self) -> None:
        wanted = {**roles(), "memory": roles()["user"]}
        found = said(checked(roles=wanted, memory={}))
        assert "memory is for mode sessions" in found["/memory"]

    def test_a_threshold_that_nothing_misses(self) -> None:
        judge = {"criteria": [{"name": "good", "question": "Good?"}], "threshold": 1}
        assert "rejects nothing" in warned(checked(judge=judge))["/judge/threshold"]

    @pytest.mark.parametrize(
        ("code", "fine"), [("en", True), ("pt-BR", True), ("zh-Hant-TW", True), ("english!", False)]
    )
    def test_language_codes(self, code: str, fine: bool) -> None:
        speaking = catalog(
            ada=Persona(name="ada", summary="A.", language=code),
            bo=Persona(name="bo", summary="B.", language=code),
        )
        assert ("/language" in warned(checked(speaking, language=code))) is not fine

    def test_a_persona_of_another_language(self) -> None:
        mixed = catalog(bo=Persona(name="bo", summary="B.", language="de-AT"))
        found = warned(checked(mixed))
        assert list(found) == ["/personas/1/name"]
        assert 'persona "bo" writes de-AT' in found["/personas/1/name"]

    def test_nobody_comes_back(self) -> None:
        sessions = PromptSet.model_validate(
            {
                "name": "prompts",
                "modes": ["sessions"],
                "segments": {"user": "{{ topics }}", "assistant": "a"},
            }
        )
        objects = catalog(prompts=sessions)
        assert "nobody comes back" in warned(checked(objects, mode="sessions"))["/threads"]
        assert "/threads" not in warned(checked(objects, mode="sessions", threads=2))


class TestPrompts:
    def prompts(self, **segments: str) -> list[Named]:
        said = {"user": "{{ topics }}", "assistant": "a"} | segments
        fields = {"name": "prompts", "modes": ["dialogue", "sessions"], "segments": said}
        return catalog(prompts=PromptSet.model_validate(fields))

    def test_segments_for_memory_and_roughening_are_needed(self) -> None:
        wanted = {**roles(), "memory": roles()["user"], "roughen": roles()["user"]}
        asked = {"mode": "sessions", "threads": 2, "roles": wanted, "memory": {}, "roughen": {}}
        found = said(checked(self.prompts(), **asked))
        assert "has no segment memory" in found["/memory"]
        assert "has no segment roughen" in found["/roughen"]
        whole = self.prompts(memory="{{ memory }}", roughen="r", user="{{ topics }} {{ memory }}")
        assert warned(checked(whole, **asked)).keys() <= {"/roughen/share"}

    def test_memory_that_reaches_nobody_and_memory_that_is_not(self) -> None:
        wanted = {**roles(), "memory": roles()["user"]}
        asked = {"mode": "sessions", "threads": 2, "roles": wanted, "memory": {}}
        found = warned(checked(self.prompts(memory="m {{ memory }}"), **asked))
        assert "reaches nobody" in found["/memory"]
        found = warned(checked(self.prompts(user="{{ topics }} You know: {{ memory }}")))
        assert "remembers nothing" in found["/prompt_set"]

    def test_a_prompt_set_for_both_kinds_of_config_is_fine(self) -> None:
        """What asks whether there is a memory has thought of its being empty."""
        both = "{{ topics }}{%- if memory %} You know: {{ memory }}{% endif %}"
        assert warned(checked(self.prompts(user=both))) == {}

    def test_a_pool_that_no_prompt_says(self) -> None:
        found = warned(
            checked(self.prompts(user="{{ persona.topics_of }}".replace("topics_of", "name")))
        )
        assert "no prompt of mode dialogue says topics" in found["/pools/0"]


class TestNumbers:
    def test_entries_too_light_for_any_conversation(self) -> None:
        mix = [{"turns": [2, 2], "share": 1}, {"turns": [4, 4], "share": 0.01}]
        found = warned(checked(length_mix=mix))
        assert "is none" in found["/length_mix/1"]
        many = catalog(**{f"p{at}": Persona(name=f"p{at}", summary="P.") for at in range(9)})
        light = [{"name": f"p{at}"} for at in range(9)]
        assert "5 of 9 entries get none" in warned(checked(many, personas=light))["/personas"]

    def test_more_threads_than_conversations_where_somebody_asked_for_them(self) -> None:
        assert "only 4 have something to do" in warned(checked(threads=40))["/threads"]
        assert "/threads" not in warned(checked(threads=16))

    def test_odd_lengths_of_a_dialogue(self) -> None:
        found = warned(checked(length_mix=[{"turns": [3, 7], "share": 1}]))
        assert "3 to 7 turns are 4 to 6, even numbers only" in found["/length_mix/0/turns"]

    def test_a_context_too_small_for_the_longest_conversation(self) -> None:
        found = warned(checked(length_mix=[{"turns": [40, 40], "share": 1}]))
        # The judge's model holds 4,000 tokens; twenty turns of each side have 4,360 with their frames.
        assert list(found) == ["/roles/judge/model"]
        assert "holds 4,000" in found["/roles/judge/model"]
        broken = checked(length_mix=[{"turns": [40, 40], "share": 1}], voices=[{"name": "gone"}])
        assert "/roles/judge/model" in said(broken), "another problem does not hide it"

    def test_an_answer_too_short_for_a_script(self) -> None:
        found = warned(checked(mode="scripted", length_mix=[{"turns": [30, 30], "share": 1}]))
        assert "a script of 30 turns" in found["/roles/assistant/max_tokens"]

    def test_a_range_that_stands_twice(self) -> None:
        mix = [{"turns": [2, 4], "share": 1}, {"turns": [2, 4], "share": 2}]
        assert "stand twice" in warned(checked(length_mix=mix))["/length_mix/1/turns"]

    def test_a_floor_that_nothing_reaches(self) -> None:
        assert "/diversity/distinct3_floor" in warned(checked(diversity={"distinct3_floor": 1}))

    def test_a_floor_that_cannot_stop_the_run(self) -> None:
        for chosen in ("pause", "stop"):
            asked = {"below_floor": chosen}
            assert (
                "no distinct-3 floor" in warned(checked(diversity=asked))["/diversity/below_floor"]
            )
            few = warned(checked(target_count=99, diversity=asked | {"distinct3_floor": 0.3}))
            assert f"it does not {chosen}" in few["/diversity/below_floor"]
        enough = checked(
            target_count=100, diversity={"below_floor": "stop", "distinct3_floor": 0.3}
        )
        assert "/diversity/below_floor" not in said(enough)

    def test_a_similarity_that_is_never_met(self) -> None:
        assert "/diversity/near_duplicate" in warned(checked(diversity={"near_duplicate": 1}))


class TestMoney:
    UNPRICED = roles(assistant="unpriced")

    def test_a_cap_is_an_error_and_a_threshold_a_warning(self) -> None:
        capped = checked(roles=self.UNPRICED, spend_cap_usd=5.0)
        assert said(capped)["/spend_cap_usd"].startswith("error: a spend cap needs a price")
        asking = warned(checked(roles=self.UNPRICED, confirm_above_usd=1.0))
        assert "every start asks" in asking["/confirm_above_usd"]
        assert warned(checked(roles=self.UNPRICED)) == {}

    def test_roughening_needs_a_price_too(self) -> None:
        models = (
            Model(name="small", prices=prices(1, 1)),
            Model(name="large", prices=prices(1, 1)),
        )
        rough = {**roles(), "roughen": {"backend": "other", "model": "free"}}
        other = Backend(name="other", base_url="http://o", models=(Model(name="free"),))
        objects = [*catalog(api=Backend(name="api", base_url="http://a", models=models)), other]
        found = said(checked(objects, roles=rough, roughen={}, spend_cap_usd=5.0))
        assert "other/free" in found["/spend_cap_usd"]


def test_archived_objects_are_a_warning() -> None:
    sources = sources_in(catalog())
    known = Sources(sources.lookup, sources.names, frozenset({("voices", "plain")}))
    found = check_body(body(), known)
    assert found.snapshot is not None
    (finding,) = found.findings
    assert (finding.severity, finding.pointer) == ("warning", "/voices/0/name")
    assert "archived" in finding.message
