"""Catalog YAML: every problem at once, at its line and column; what is written reads back as the same object."""

from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import (
    Backend,
    Example,
    FilterList,
    Model,
    Persona,
    Pool,
    PromptSet,
    RunConfig,
)
from convo_events.errors import Invalid, Problem
from convo_events.prices import OffPeak, Prices, Rates
from convo_gateway.catalog.documents import read, read_file, read_folder, write, write_all
from convo_gateway.catalog.starter import starter_objects
from convo_gateway.catalog.yaml_text import MAX_BYTES
from convo_gateway.catalog.yaml_tree import FileProblem
from tests.gateway.catalog import samples

AWKWARD = (
    *("no", "1984", "2024-01-01", "null", "~", "a: b", "- x", "#x", " x ", "1e3", "%a", "{{ x }}"),
    *("x\n", "\nx", "a\n\n b", "a \nb", "a\r\nb", "\t", "'", '"', "---", "...", "🙂\nא"),
    *("\x85", "\x85a\nb", "\u2028", "\ufeff", "\xa0", "\x07", "\x7f"),
)


def problems(text: str | bytes) -> list[Problem]:
    content = text.encode() if isinstance(text, str) else text
    with pytest.raises(Invalid) as caught:
        read(content, "mine.yaml")
    for problem in caught.value.problems:
        assert isinstance(problem, FileProblem)
        assert problem.file == "mine.yaml"
    return caught.value.problems


def places(text: str | bytes) -> list[tuple[int | None, int | None, str]]:
    return [(problem.line, problem.column, problem.message) for problem in problems(text)]


def test_a_file_holds_single_objects_and_lists_of_them() -> None:
    found = read(
        b"""\
kind: persona
name: no
summary: Yes and no are words here, not truth values.
traits: [on, off]
---
kind: voice
items:
  - {name: a, style: x}
  - {name: b, style: y}
---
"""
    )
    assert [(type(item).__name__, item.name) for item in found] == [
        ("Persona", "no"),
        ("Voice", "a"),
        ("Voice", "b"),
    ]
    assert isinstance(found[0], Persona)
    assert found[0].traits == ("on", "off")


def test_an_empty_file_has_nothing() -> None:
    assert read(b"") == []
    assert read(b"# only a comment\n---\n---\n") == []


def test_a_byte_order_mark_is_skipped() -> None:
    assert len(read(b"\xef\xbb\xbfkind: voice\nname: a\nstyle: x\n")) == 1


def test_every_problem_of_every_document_comes_at_once() -> None:
    assert places(
        """\
kind: persona
name: Maya
sumary: hello
traits: [1984, true, 2024-01-01]
---
kind: run-config
name: r
mode: dialog
target_count: "10"
prompt_set: p
personas: [{name: a}]
voices: [{name: a, weight: -1}]
length_mix: [{turns: [4, 2], share: 1}]
roles: {assistant: {backend: b, model: m}}
"""
    ) == [
        (1, 1, '"summary" is missing'),
        (
            2,
            7,
            'found the text "Maya", expected lower-case letters, digits, dots, dashes and underscores, at most 100',
        ),
        (3, 1, 'unknown key "sumary"; did you mean "summary"?'),
        (4, 10, "found the number 1984, expected text: put it in quotes"),
        (4, 16, "found true, expected text: put it in quotes"),
        (4, 22, "found the date 2024-01-01, expected text: put it in quotes"),
        (
            8,
            7,
            "found the text \"dialog\", expected 'scripted', 'dialogue', 'sessions' or 'import'",
        ),
        (9, 15, 'found the text "10", expected a whole number'),
        (12, 28, "found the number -1, expected greater than 0"),
        (13, 14, "turns [4, 2]: the first must not exceed the second"),
    ]


def test_problems_say_where_they_are_in_words_and_as_a_pointer() -> None:
    (problem,) = problems("kind: voice\nitems:\n  - name: a\n")
    assert problem.pointer == "/items/0/style"
    assert str(problem) == 'mine.yaml: line 3, column 5: /items/0/style: "style" is missing'


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("kind: voice\nname: a\nname: b\nstyle: x\n", 3, 1, '"name" stands twice, first on line 2'),
        ("kind: voice\n\tname: a\n", 2, 1, "found a tab where YAML wants spaces"),
        ("kind: voice\nname: a\nstyle: x: y\n", 3, 9, "put the text in quotes"),
        ("kind: voice\nname: a\nstyle: @x\n", 3, 8, "put the text in quotes"),
        ("kind: voice\nname: a\nstyle: 'x\n", 4, 1, "unexpected end"),
        ("kind: voice\nname: a\nstyle: *x\n", 3, 8, "undefined alias"),
        ("kind: voice\nname: a\nstyle: !!python/name:os x\n", 3, 8, "tags are not read"),
        ("kind: voice\nname: a\nstyle: !include x\n", 3, 8, "tags are not read"),
        ("kind: voice\n<<: {name: a}\nstyle: x\n", 2, 1, "merge keys"),
        ('kind: voice\nname: a\nstyle: "a\\0b"\n', 3, 8, "NUL"),
        ('kind: voice\nname: a\nstyle: "a\\ud800"\n', 3, 8, "surrogate"),
        ("kind: voice\nname: a\nstyle: a\x07b\n", 3, 9, "not allowed"),
        ("kind: voice\nname: a\nstyle:\n", 3, 1, "found nothing, expected text"),
        ("kind: voice\nname: a\nstyle: x\n? [1, 2]\n: 3\n", 4, 3, "expected a plain word"),
        ("- kind: voice\n", 1, 1, "no mapping"),
        ("kind: voice\nname: " + "!" * 400_000, 2, 7, "more than 300 characters"),
        ("kind: voice\nname: a\nstyle: " + "x\\n" * 2000, 3, 8, "at most 2000 characters"),
        ("just words", 1, 1, "no mapping"),
        ("name: a\n", 1, 1, '"kind" is missing'),
        ("kind: voices\nname: a\n", 1, 7, 'did you mean "voice"?'),
        ("kind: 3\n", 1, 7, 'unknown kind "3"; there is backend'),
        ("kind: voice\nitems: 3\n", 2, 8, "expected a list"),
        ("kind: voice\nitems: [3]\n", 2, 9, "found the number 3, expected a mapping"),
        ("kind: voice\nnote: x\nitems: []\n", 2, 1, "stands beside items"),
        ("kind: pool\nname: a\nvalues: []\n", 3, 9, "found a list of 0, expected at least 1"),
        ("%YAML 1.1\n---\nkind: voice\nname: no\nstyle: x\n", 4, 7, "found false, expected text"),
    ],
)
def test_what_is_wrong_has_its_place(text: str, line: int, column: int, words: str) -> None:
    found = places(text)
    assert any((at, col) == (line, column) and words in m for at, col, m in found), found


@pytest.mark.parametrize("number", [".inf", "-.inf", ".nan", "1e999"])
def test_numbers_are_finite(number: str) -> None:
    (problem,) = problems(
        f"kind: backend\nname: b\nbase_url: http://b\nmodels: [{{name: m}}]\ntimeout_s: {number}\n"
    )
    assert (problem.line, problem.column) == (5, 12)
    assert "finite" in problem.message


def test_huge_whole_numbers_are_out_of_bounds_and_not_an_overflow() -> None:
    text = f"kind: backend\nname: b\nbase_url: http://b\nmodels: [{{name: m, max_concurrency: {'9' * 300}}}]\n"
    (problem,) = problems(text)
    assert (problem.line, problem.column) == (4, 37)


def test_a_second_object_of_the_same_name_names_the_first() -> None:
    assert places("kind: voice\nitems:\n- {name: a, style: x}\n- {style: x, name: a}\n") == [
        (4, 14, 'voice "a" stands twice, first in mine.yaml line 3')
    ]


def test_keys_and_passwords_are_never_repeated() -> None:
    found = problems(
        "kind: backend\nname: b\nkey_env: sk-secret-123\nbase_url: https://me:secret-123@host\nmodels: [{name: m}]\n"
    )
    assert [problem.line for problem in found] == [3, 4]
    assert "secret" not in "".join(map(str, found))


def test_other_encodings_are_named() -> None:
    assert "UTF-16" in places("kind: voice".encode("utf-16"))[0][2]
    assert places("kind: voice\nstyle: café\n".encode("latin-1")) == [
        (2, 11, "byte 0xe9 is not UTF-8; save the file as UTF-8")
    ]


def test_a_file_that_is_too_large_is_not_read() -> None:
    (problem,) = problems(b"#" * (MAX_BYTES + 1))
    assert "5,000,001 bytes" in problem.message


def test_an_alias_bomb_is_bounded() -> None:
    lines = ["kind: pool", "name: bomb", "a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    lines += ["values: *a8"]
    assert any(
        "values with every alias counted" in message for _, _, message in places("\n".join(lines))
    )


def test_an_alias_to_itself_has_no_end() -> None:
    assert any("no end" in m for _, _, m in places("kind: pool\nname: a\nvalues: &v [*v]\n"))


@pytest.mark.parametrize("depth", [40, 2_000])
def test_depth_is_bounded(depth: int) -> None:
    assert any(
        "nested deeper" in message for _, _, message in places("kind: " + "[" * depth + "]" * depth)
    )


def test_aliases_within_bounds_are_read() -> None:
    (pool,) = read(b"kind: pool\nname: p\nvalues:\n  - &a one\n  - *a\n  - two\n")
    assert isinstance(pool, Pool)
    assert pool.values == ("one", "one", "two")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_anything_is_read_or_refused_in_words(content: bytes) -> None:
    with suppress(Invalid):
        read(content)


class TestFolder:
    def test_all_files_are_one_catalog(self, tmp_path: Path) -> None:
        (tmp_path / "b").mkdir()
        (tmp_path / "b" / "one.yml").write_text("kind: voice\nname: one\nstyle: x\n")
        (tmp_path / "a.yaml").write_text("kind: voice\nname: two\nstyle: x\n")
        (tmp_path / "notes.txt").write_text("kind: nothing")
        assert [item.name for item in read_folder(tmp_path)] == ["two", "one"]

    def test_problems_of_all_files_come_together(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text("kind: voice\nname: one\nstyle: x\n")
        (tmp_path / "b.yaml").write_text("kind: voice\nname: one\nstyle: x\n")
        (tmp_path / "c.yaml").write_text("kind: voice\nname: X\nstyle: x\n")
        with pytest.raises(Invalid) as caught:
            read_folder(tmp_path)
        twice, pattern = map(str, caught.value.problems)
        assert twice.startswith(
            f'{tmp_path}/b.yaml: line 2, column 1: /name: voice "one" stands twice'
        )
        assert f"{tmp_path}/a.yaml line 2" in twice
        assert pattern.startswith(f"{tmp_path}/c.yaml: line 2")

    def test_a_folder_without_yaml_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(Invalid, match="there is no"):
            read_folder(tmp_path)

    def test_a_file_that_is_not_there_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(Invalid, match="cannot be read: No such file"):
            read_file(tmp_path / "none.yaml")


class TestWrite:
    def test_the_starter_catalog_comes_back(self) -> None:
        objects = starter_objects()
        assert read(write_all(objects).encode()) == objects

    def test_kind_and_name_come_first_and_defaults_are_left_out(self) -> None:
        text = write(Persona(name="a", summary="One.\nTwo."))
        assert text == "kind: persona\nname: a\nsummary: |-\n  One.\n  Two.\n"

    def test_prices_come_back_to_the_last_digit(self) -> None:
        rates = Rates(input=Decimal("0.000000000001"), output=Decimal("123456.123456789012"))
        window = OffPeak.model_validate({"start": "22:00", "end": "06:30:15", "rates": rates})
        prices = Prices(rates=rates, off_peak=(window,))
        backend = Backend(
            name="b", base_url="${B_URL}/v1", models=(Model(name="m", prices=prices),)
        )
        assert read(write(backend).encode()) == [backend]

    awkward = st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40
    ) | st.sampled_from(AWKWARD)

    @settings(max_examples=100, deadline=None)
    @given(st.lists(awkward, min_size=1, max_size=5))
    def test_any_text_comes_back(self, texts: list[str]) -> None:
        pool = Pool(name="p", values=tuple(texts))
        words = FilterList(name="f", phrases=tuple(texts), description=texts[0])
        prompts = PromptSet(
            name="s",
            modes=("scripted",),
            segments={"script": texts[0]},
            examples=(Example(name="e", turns=tuple(texts)),),
        )
        assert read(write_all([pool, words, prompts]).encode()) == [pool, words, prompts]

    @settings(max_examples=60, deadline=None)
    @given(
        st.dictionaries(awkward, st.lists(awkward, max_size=2) | st.floats(0, 1e300), max_size=4)
    )
    def test_any_key_comes_back(self, parameters: dict[str, list[str] | float]) -> None:
        rules = {key: {"parameters": parameters} for key in (*parameters, "k" * 2_000)}
        config = samples.config(rules=rules)
        assert read(write(config).encode()) == [config]

    def test_long_texts_are_folded_and_lists_of_numbers_stand_on_a_line(self) -> None:
        summary = " ".join(["word"] * 30)
        assert write(Persona(name="a", summary=summary)).splitlines()[2:] == [
            "summary: >-",
            f"  {' '.join(['word'] * 20)}",
            f"  {' '.join(['word'] * 10)}",
        ]
        assert "  - turns: [2, 4]\n" in write(
            samples.config(length_mix=[{"turns": [2, 4], "share": 1}])
        )

    def test_a_config_with_every_field_comes_back(self) -> None:
        config = RunConfig.model_validate(
            {
                "name": "all",
                "mode": "dialogue",
                "target_count": 3,
                "prompt_set": "p",
                "personas": [{"name": "a", "weight": 0.1}],
                "voices": [{"name": "v"}],
                "length_mix": [{"turns": [2, 4], "share": 1e-7}],
                "roles": {
                    role: {"backend": "b", "model": "m", "temperature": 0}
                    for role in ("user", "assistant", "judge")
                },
                "rules": {
                    "wrong_length": {"parameters": {"a": 1, "b": 1.5, "c": "1", "d": True}},
                    "banned": {"enabled": False, "parameters": {"list": ["x", "y"]}},
                },
                "diversity": {"near_duplicate": None},
                "judge": {"criteria": [{"name": "c", "question": "Q?"}], "threshold": 2},
                "confirm_above_usd": 0,
            }
        )
        assert read(write(config).encode()) == [config]
