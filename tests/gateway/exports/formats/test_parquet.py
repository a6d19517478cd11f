"""Parquet: one schema whatever is in it, opened by pyarrow."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from convo_gateway.exports.arrow import schema_of
from convo_gateway.exports.columns import COLUMNS
from convo_gateway.exports.examples import Example
from convo_gateway.exports.formats import parquet
from tests.gateway.exports.written import AT, HOSTILE, counted, example, written

HIT = {
    "reason": "stage_direction",
    "layer": 1,
    "turn": 1,
    "excerpt": "*smiles*",
    "detail": "",
    "neighbour": None,
    "similarity": None,
}
REVIEW = {
    "version": 1,
    "reviewer": "Ada",
    "decision": "flagged",
    "reason": "",
    "note": "",
    "edited_turns": [0],
    "at": AT,
}
ALL_NULL = replace(example(), metadata=dict.fromkeys(example().metadata) | {"split": "train"})
FULL = example("Hi", "Hello", hit=HIT, also=[HIT], reviews=[REVIEW], score=4.5, layer=1)


@pytest.mark.parametrize("rows", [[], [FULL], [ALL_NULL], [ALL_NULL, FULL], [example()]])
def test_x02_the_schema_is_the_same_whatever_the_rows(tmp_path: Path, rows: list[Example]) -> None:
    (file,), why = written(tmp_path, rows, format="parquet")
    assert file.path == "data/train-00000-of-00001.parquet"
    table = pq.read_table(tmp_path / file.path)
    assert table.schema.equals(schema_of(COLUMNS))
    assert (table.num_rows, file.rows, why) == (len(rows), len(rows), [])
    assert counted(tmp_path, [file], "parquet") == len(rows)


@pytest.mark.parametrize("zstd", [False, True])
def test_x09_hostile_text_round_trips(tmp_path: Path, zstd: bool) -> None:
    (file,), _ = written(tmp_path, [example(*HOSTILE)], format="parquet", zstd=zstd)
    (row,) = pq.read_table(tmp_path / file.path).to_pylist()
    assert [message["content"] for message in row["messages"]] == list(HOSTILE)


def test_u01_half_a_surrogate_pair_is_shown(tmp_path: Path) -> None:
    rows = [example("half \ud83d", persona="\udfff"), example("Hi")]
    (file,), _ = written(tmp_path, rows, format="parquet")
    first, second = pq.read_table(tmp_path / file.path).to_pylist()
    assert (first["messages"][0]["content"], first["persona"]) == ("half \\ud83d", "\\udfff")
    assert second["messages"][0]["content"] == "Hi"


def test_files_end_at_a_size_and_are_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP_ROWS", 2)
    monkeypatch.setattr(parquet, "SHARD_BYTES", 10)
    files, _ = written(tmp_path, [example("Hi", str(n)) for n in range(5)], format="parquet")
    assert [file.path for file in files] == [
        f"data/train-0000{at}-of-00003.parquet" for at in range(3)
    ]
    assert [file.rows for file in files] == [2, 2, 1]
    said = [row["messages"][1]["content"] for row in pq.read_table(tmp_path / "data").to_pylist()]
    assert said == ["0", "1", "2", "3", "4"]
