"""Exports of what was brought in: its system messages, its other fields, and a card that says what is true."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest

from convo_events.snapshot import ImportSource
from convo_gateway.exports.arrow import schema_of
from convo_gateway.exports.card import front_of, merged
from convo_gateway.exports.columns import COLUMNS, WITH_ORIGIN
from convo_gateway.exports.examples import Example
from convo_gateway.exports.known_formats import known_formats
from convo_gateway.exports.verify import verify_folder
from convo_gateway.imports.record import read_record
from convo_gateway.imports.row import Taken
from tests.gateway.exports.folders import folder_of, run_part
from tests.gateway.exports.written import HOSTILE, counted, example, written

SYSTEM = HOSTILE[0]
SOURCE = ImportSource(
    id="imp-1", name="old | <b>.jsonl", sha256="b" * 64, count=90, turns=180, characters=900
)
ROW: dict[str, Any] = {
    "import_source": "imp-1",
    "import_row": 17,
    "import_left_out": ["picture"],
    "metadata": '{"topic":"bees"}',
    "run": "run-i",
    "columns": WITH_ORIGIN,
}
READ = example("Hi", "Hello", system=SYSTEM, conversation="run-i.0.0", **ROW)
MADE = example("Hi", "Hello", conversation="run-a.0.0", columns=WITH_ORIGIN)
IMPORT = run_part("run-i", mode="import", source=SOURCE.model_dump(), judged=False)

BEFORE = {
    "messages": "afd968ae80d2d4b967f927d4cdc1871646f69785bbb1ce8296a5821dff60a962",
    "sharegpt": "a59fa75d0f1fe7ebb32361a63c0993afc2a42c5d4fab0777ff862ef8925af71f",
    "prompt-completion": "dcea6be010296b87142aa9717af915b6db996e5647f6bc4521e37e82fd30652c",
    "csv": "9317e9db5e03b3610581fd3988169aed34d365f45be64fc5c9bdae49c0511a77",
}


def chat(*said: tuple[str, str]) -> list[dict[str, str]]:
    return [{"role": role, "content": text} for role, text in said]


WHOLE = chat(("system", SYSTEM), ("user", "Hi"), ("assistant", "Hello"))


def lines(folder: Path, *rows: Example, form: str, **options: object) -> list[dict[str, Any]]:
    (file,), why = written(folder, rows, columns=WITH_ORIGIN, format=form, **options)
    assert why == []
    return [orjson.loads(line) for line in (folder / file.path).read_bytes().splitlines()]


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("messages", lambda row: row["messages"] == WHOLE),
        ("prompt-completion", lambda row: row["prompt"] == WHOLE[:2]),
        (
            "sharegpt",
            lambda row: row["conversations"][0] == {"from": "system", "value": SYSTEM},
        ),
    ],
)
def test_a_conversation_begins_with_its_system_message(
    tmp_path: Path, form: str, begins: Callable[[dict[str, Any]], bool]
) -> None:
    read, made = lines(tmp_path, READ, MADE, form=form)
    assert begins(read), read
    assert not begins(made)
    told = [read["metadata"][name] for name in list(ROW)[:4]]
    assert told == ["imp-1", 17, ["picture"], '{"topic":"bees"}']
    assert list(read["metadata"]) == list(made["metadata"]) == [one.name for one in WITH_ORIGIN]


@pytest.mark.parametrize("form", ["messages", "sharegpt"])
def test_what_was_exported_comes_in_with_all_of_it(tmp_path: Path, form: str) -> None:
    review = {"version": 1, "reviewer": "Ada", "decision": "flagged", "edited_turns": [0, 1]}
    scores = [{"name": "kind", "score": 4.0, "why": "It is."}]
    read = replace(READ, metadata={**READ.metadata, "reviews": [review], "criteria": scores})
    (line,) = lines(tmp_path, read, form=form)
    taken = read_record(1, line)
    assert isinstance(taken, Taken)
    assert (taken.metadata["system"], taken.left_out) == (SYSTEM, ())
    assert [turn.text for turn in taken.turns] == ["Hi", "Hello"]
    assert taken.metadata["metadata"] == line["metadata"]


def test_a_pair_has_the_system_message_of_both_in_its_prompt(tmp_path: Path) -> None:
    poor: dict[str, Any] = {
        "status": "rejected",
        "reason": "judge_below_threshold",
        "conversation": "run-i.1.0",
    }
    other = example("Hi", "No.", system=SYSTEM, **ROW | poor)
    (row,) = lines(tmp_path, READ, other, form="preference")
    assert row["prompt"] == WHOLE[:2]
    assert row["rejected"] == chat(("assistant", "No."))


@pytest.mark.parametrize("form", ["messages", "sharegpt", "prompt-completion", "preference"])
def test_a_system_message_alone_is_no_turn(tmp_path: Path, form: str) -> None:
    _, why = written(tmp_path, [example(system=SYSTEM)], format=form)
    assert why == ["no_turns"]


@pytest.mark.parametrize("rows", [[], [MADE], [READ, MADE]])
def test_tables_have_one_schema_with_imports_and_one_without(
    tmp_path: Path, rows: list[Example]
) -> None:
    options: dict[str, Any] = {"columns": WITH_ORIGIN}
    (file,), _ = written(tmp_path / "parquet", rows, format="parquet", **options)
    table = pq.read_table(tmp_path / "parquet" / file.path)
    assert table.schema.equals(schema_of(WITH_ORIGIN))
    assert table.schema.names[: len(COLUMNS) + 1] == schema_of(COLUMNS).names
    assert counted(tmp_path / "parquet", [file], "parquet") == len(rows)
    if READ in rows:
        first = table.to_pylist()[0]
        assert first["messages"] == WHOLE
        assert (first["import_row"], first["import_left_out"]) == (17, ["picture"])
    (file,), _ = written(tmp_path / "csv", rows, format="csv", **options)
    head = (tmp_path / "csv" / file.path).read_text().splitlines()[0]
    assert head.split(",") == [one.name for one in WITH_ORIGIN]
    assert counted(tmp_path / "csv", [file], "csv") == len(rows)


@pytest.mark.parametrize("form", list(known_formats()))
def test_such_a_folder_is_verified(tmp_path: Path, form: str) -> None:
    runs = [run_part("run-a"), IMPORT]
    folder = folder_of(tmp_path / "x", [READ, MADE], format=form, runs=runs, columns=WITH_ORIGIN)
    assert verify_folder(folder).differences == ()
    manifest = orjson.loads((folder / "manifest.json").read_bytes())
    assert manifest["format_version"] == 3
    assert manifest["runs"][1]["source"]["sha256"] == SOURCE.sha256
    assert ("source" in manifest["runs"][0], "judged" in manifest["runs"][0]) == (False, False)


def test_an_export_without_imports_has_the_bytes_that_it_had_before_there_were_any(
    tmp_path: Path,
) -> None:
    """The digest is of a folder that convo made then, README and data in it."""
    rows = [example("Hi", f"Hello {n}", conversation=f"run-a.{n}.0") for n in range(3)]
    for form, digest in BEFORE.items():
        folder = folder_of(tmp_path / form, rows, format=form, runs=[run_part("run-a")])
        manifest = orjson.loads((folder / "manifest.json").read_bytes())
        assert (manifest["format_version"], manifest["sha256"]) == (2, digest)


def card_of(tmp_path: Path, *rows: Example, **runs: object) -> str:
    parts = list(runs.values())
    folder = folder_of(tmp_path / "x", rows, runs=parts, columns=WITH_ORIGIN)  # type: ignore[arg-type]  # as given
    return (folder / "README.md").read_text()


def test_a_card_of_imports_names_the_file_and_no_writer(tmp_path: Path) -> None:
    card = card_of(tmp_path, READ, read=IMPORT)
    assert front_of(card)["tags"] == ["conversational", "convo"]
    assert "synthetic" not in card
    assert "made with convo" not in card
    assert "made elsewhere and brought in from the files above" in card
    assert "no model judged them" in card
    assert rf"| run-i | old \| \<b\>.jsonl | {SOURCE.sha256} | 90 | 1 |" in card


def test_a_card_of_both_says_how_many_are_which(tmp_path: Path) -> None:
    card = card_of(tmp_path, READ, MADE, MADE, read=IMPORT, made=run_part("run-a"))
    assert front_of(card)["tags"] == ["synthetic", "conversational", "convo"]
    assert "2 of the conversations are synthetic, written by language models; 1 were" in card
    assert "scored by a model as judge where their run has one" in card


def test_a_card_of_what_nobody_judged_says_so(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "x", [example("a", "b")], runs=[run_part("run-a", judged=False)])
    assert "no model judged them" in (folder / "README.md").read_text()
    assert orjson.loads((folder / "manifest.json").read_bytes())["format_version"] == 3


def test_an_export_of_imports_in_place_of_a_generated_one_is_not_called_synthetic(
    tmp_path: Path,
) -> None:
    card = card_of(tmp_path, READ, read=IMPORT)
    before = "---\ntags: [mine, synthetic, conversational, convo]\n---\n"
    assert front_of(merged(card, before))["tags"] == ["mine", "conversational", "convo"]
    own = "---\ntags: [synthetic, mine]\n---\n"
    assert "synthetic" in front_of(merged(card, own))["tags"]  # type: ignore[operator]
    once = merged(card, own)
    assert merged(card, once) == once
