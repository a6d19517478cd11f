from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.catalog import Roughening
from convo_models.prompts import TemplateProblem, check_templates, render
from convo_models.templates import OUTPUT_LIMIT, compiled
from tests.snapshots import drawn, prompt_set, snapshot

HOSTILE = "{x} {{x}} {{ persona }} {% if %} {# x #} %s %(x)s $x ${x} \\n <b> ünïcödé 漢字 \u202e"


def rendered(template: str, **values: object) -> str:
    prompts, memory = prompt_set(user=template), str(values.pop("memory", ""))
    frozen = snapshot(prompts, language="de", roughen=Roughening(strength="strong"))
    return render(frozen, "user", drawn(**values), 2, memory)  # type: ignore[arg-type]


def problem(template: str, **values: object) -> TemplateProblem:
    with pytest.raises(TemplateProblem) as caught:
        rendered(template, **values)
    assert "Traceback" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return caught.value


def test_every_variable_can_be_used() -> None:
    template = (
        "{{ persona.name }}|{{ persona.summary }}|{{ persona.traits|join(', ') }}|{{ persona.language }}|"
        "{{ voice.name }}|{{ voice.style }}|{{ small_topics }}|{{ turns }}|{{ turn }}|{{ language }}|"
        "{% for example in examples %}{{ example.name }}:{% for said in example.turns %}"
        " {{ loop.cycle('U', 'A') }}={{ said }}{% endfor %}{% endfor %}|"
        "{{ visit }}|{{ memory }}|{{ strength }}"
    )
    assert check_templates(prompt_set(user=template), ["small-topics"]) == []
    assert rendered(template, pools={"small-topics": "trains"}, visit=3, memory="Likes tea.") == (
        "ana|A nurse.|works nights, likes tea|en|plain|Short.|trains|4|2|de|greeting: U=Hi there A=Hello|"
        "3|Likes tea.|strong"
    )


def test_lines_of_blocks_leave_no_gap() -> None:
    assert rendered("a\n{% if turn > 1 %}\nb\n{% endif %}\nc") == "a\nb\nc"


@pytest.mark.parametrize("place", ["summary", "style", "pool", "memory"])
def test_u06_values_are_plain_data(place: str) -> None:
    values = {"pools": {"topic": HOSTILE}} if place == "pool" else {place: HOSTILE}
    variable = {"summary": "persona.summary", "style": "voice.style", "pool": "topic"}.get(
        place, place
    )
    assert rendered(f"<{{{{ {variable} }}}}>", **values) == f"<{HOSTILE}>"


def test_u06_signs_of_other_languages_in_a_segment_are_text() -> None:
    text = "{x} %s %(name)d $x ${y} {0} }} %} 100% \\ {% raw %}{{x}}{% endraw %}"
    assert rendered(text) == "{x} %s %(name)d $x ${y} {0} }} %} 100% \\ {{x}}"


@given(st.text(min_size=1, max_size=200))
def test_u06_any_value_comes_out_as_it_went_in(value: str) -> None:
    assert rendered("{{ topic }}", pools={"topic": value}) == value


def test_u04_text_is_not_escaped() -> None:
    assert rendered("{{ topic }} ü", pools={"topic": "<漢字> & 'é'"}) == "<漢字> & 'é' ü"


def test_g04_a_bad_field_fails_by_name_and_only_its_own_conversation() -> None:
    template = "line one\n{{ 12 / (persona.summary|length - 8) }}"
    found = problem(template, summary="A nurse.")
    assert (found.segment, found.line) == ("user", 2)
    assert "division by zero" in found.message
    assert rendered(template, summary="A longer one.").startswith("line one\n")


def test_a_segment_that_is_not_there_is_named() -> None:
    with pytest.raises(TemplateProblem, match=r"segment 'opening'.*prompt set 'small'"):
        render(snapshot(prompt_set()), "opening", drawn(), 1)


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{% for i in range(99999) %}xxxxxxxxxx{% endfor %}",
        "{{ topic }}{{ topic }}{{ topic }}{{ topic }}",
        "{% set x = topic ~ topic %}" + "{% set x = x ~ x %}" * 40,
        "{% set x = topic %}" + "{% set x = x + x %}" * 40,
        "{% set x = [topic] %}" + "{% set x = [x, x, x, x] %}" * 40,
        "{% set x = 9 %}" + "{% set x = x * x %}" * 40,
        "{{ 'a' * 999999999 }}",
        "{{ [1] * 999999999 }}",
        "{{ '%999999999d' % 1 }}",
        "{{ topic|replace('w', topic) }}",
        "{{ range(9999)|join(topic) }}",
        "{{ topic|center(999999999) }}",
        "{{ range(99999)|map('string')|list|length }}",
    ],
)
def test_no_template_grows_or_runs_without_end(template: str) -> None:
    problem(template, pools={"topic": "w" * 40_000})


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{{ persona.__class__ }}", "unsafe"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ persona.items }}", "unsafe"),
        ("{{ persona.summary.upper() }}", "use a filter"),
        ("{{ persona }}", "only text and numbers"),
        ("{{ lipsum() }}", "use a filter"),
        ("{% include 'etc' %}", "not available"),
        ("{% macro a() %}{{ a() }}{% endmacro %}", "not available"),
        ("{{ 9 ** 9 }}", "not available"),
        ("{{ turn|random }}", "no filter named 'random'"),
        ("{{ " + "(" * 3_000 + "1" + ")" * 3_000 + " }}", "too deep"),
        ("{% for a in [1] %}" * 30 + "{% endfor %}" * 30, "too deep"),
    ],
)
def test_what_prompts_may_not_do(template: str, says: str) -> None:
    assert says in problem(template).message


@pytest.mark.parametrize(
    ("template", "pointer", "says"),
    [
        ("ok\n{% if %}", "/segments/user", "line 2 of the segment"),
        ("ok\n\n{{ personna.name }}", "/segments/user", "line 3 of the segment: unknown variable"),
        ("{{ persona.nme }}", "/segments/user", "persona has no field 'nme'"),
        ("{{ voice['tone'] }}", "/segments/user", "voice has no field 'tone'"),
        ("{{ turn|shout }}", "/segments/user", "no filter named 'shout'"),
        ("{{ turn is loud }}", "/segments/user", "no test named 'loud'"),
    ],
)
def test_check_finds_faults_with_their_place(template: str, pointer: str, says: str) -> None:
    found = check_templates(prompt_set(user=template), [])
    assert [one.pointer for one in found] == [pointer]
    assert says in found[0].message


def test_check_finds_all_faults_at_once() -> None:
    prompts = prompt_set(user="{{ a }}\n{{ b }}", assistant="{{ persona.c }}")
    assert len(check_templates(prompts, [])) == 3


@pytest.mark.parametrize(
    ("pools", "says"),
    [
        (["turn"], "every template has"),
        (["a-b", "a_b"], "pool 'a-b'"),
        (["3d"], "start with a letter"),
    ],
)
def test_check_finds_pools_that_cannot_be_variables(pools: list[str], says: str) -> None:
    (found,) = check_templates(prompt_set(), pools)
    assert says in found.message
    assert found.pointer == f"/pools/{len(pools) - 1}"


def test_the_same_text_is_compiled_once() -> None:
    assert compiled("same {{ turn }}", "user") is compiled("same {{ turn }}", "user")


PIECES = st.sampled_from(
    [
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        " if ",
        " endif ",
        " for x in ",
        " endfor ",
        " set x = ",
        "join",
        "(",
        ")",
        "[",
        "]",
        "~",
        "*",
        "+",
        "/",
        "0",
        "9",
        "'a'",
        "persona",
        ".summary",
        "turn",
        "x",
        "range",
        "\n",
        "is",
    ]
) | st.just("|")


@given(st.lists(PIECES, min_size=1, max_size=25).map("".join) | st.text(min_size=1, max_size=80))
def test_render_raises_nothing_but_template_problem(template: str) -> None:
    with suppress(TemplateProblem):
        assert len(rendered(template)) <= OUTPUT_LIMIT
    assert all(one.message for one in check_templates(prompt_set(user=template), []))
