"""CSV of metadata: for scripts as it is, for spreadsheets where that is wanted, and never a formula."""

import csv
import io
from pathlib import Path

import orjson
import pytest

from convo_gateway.exports.columns import COLUMNS
from tests.gateway.exports.written import HOSTILE, counted, example, written


def table(folder: Path, path: str = "data/train.csv") -> list[dict[str, str]]:
    text = (folder / path).read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("bom", [False, True])
def test_x08_a_byte_order_mark_only_where_it_is_asked_for(tmp_path: Path, bom: bool) -> None:
    files, _ = written(tmp_path, [example("Hi", "Hello")], format="csv", bom=bom)
    content = (tmp_path / "data/train.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf") is bom
    assert b"\r\n" not in content
    assert counted(tmp_path, files, "csv") == 1


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r="])
def test_x08_no_cell_is_a_formula(tmp_path: Path, start: str) -> None:
    text = f"{start}cmd|' /C calc'!A0"
    written(tmp_path, [example("Hi", persona=text, score=-0.5)], format="csv")
    (row,) = table(tmp_path)
    assert row["persona"] == f"'{text}"
    assert row["score"] == "-0.5", "a number is no formula"


def test_x09_hostile_text_round_trips(tmp_path: Path) -> None:
    hits = [{"reason": "x", "excerpt": text} for text in HOSTILE]
    rows = [example("Hi", persona=text, also=hits) for text in HOSTILE]
    files, _ = written(tmp_path, rows, format="csv")
    read = table(tmp_path)
    assert [row["persona"] for row in read] == list(HOSTILE)
    assert orjson.loads(read[0]["also"]) == hits
    assert counted(tmp_path, files, "csv") == files[0].rows == 4


def test_x02_no_row_is_a_head_and_unknown_is_empty(tmp_path: Path) -> None:
    files, _ = written(tmp_path, [], format="csv")
    head = (tmp_path / files[0].path).read_text().strip().split(",")
    assert head == [column.name for column in COLUMNS]
    assert counted(tmp_path, files, "csv") == files[0].rows == 0
    other = tmp_path / "other"
    written(other, [example("Hi", score=None, layer=None)], format="csv")
    (row,) = table(other)
    assert (row["score"], row["layer"], row["edited"]) == ("", "", "false")
