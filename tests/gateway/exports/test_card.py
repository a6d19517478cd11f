"""The card: what hubs read of it, and what stays of a card that a person has worked on."""

from pathlib import Path

import orjson
import pytest

from convo_gateway.exports.card import front_of, merged
from tests.gateway.exports.folders import folder_of
from tests.gateway.exports.written import example

BEFORE = """---
# looked over by Ada
license: cc-by-4.0
pretty_name: "My data: the best"
tags:
- mine
- synthetic
size_categories: [n<1K]
configs: old
---

My own words.

<!-- made by convo: begin -->
old words
<!-- made by convo: end -->

More of my own.
"""


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = folder_of(tmp_path_factory.mktemp("card") / "export", [example("a", "b")] * 3)
    return (folder / "README.md").read_text()


def test_the_front_matter_names_files_splits_and_size(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "x", [example("a", "b")] * 3, format="parquet", license="cc0-1.0")
    front = front_of((folder / "README.md").read_text())
    manifest = orjson.loads((folder / "manifest.json").read_bytes())
    (data,) = (file for file in manifest["files"] if file["kind"] == "data")
    assert front["license"] == "cc0-1.0"
    assert front["size_categories"] == ["n<1K"]
    assert "synthetic" in front["tags"]  # type: ignore[operator]
    (config,) = front["configs"]  # type: ignore[misc]
    assert config["data_files"] == [{"split": "train", "path": [data["path"]]}]
    told = front["dataset_info"]
    assert [feature["name"] for feature in told["features"][:2]] == ["messages", "conversation"]  # type: ignore[index]
    assert told["splits"] == [{"name": "train", "num_bytes": data["bytes"], "num_examples": 3}]  # type: ignore[index]


def test_x06_another_export_keeps_what_a_person_wrote(card: str) -> None:
    front, text = front_of(merged(card, BEFORE)), merged(card, BEFORE)
    assert (front["license"], front["pretty_name"]) == ("cc-by-4.0", "My data: the best")
    assert front["tags"] == ["mine", "synthetic", "conversational", "convo"]
    assert front["configs"] != "old"
    assert "# looked over by Ada" in text
    assert "My own words." in text
    assert "More of my own." in text
    assert "old words" not in text
    assert text.count("<!-- made by convo: begin -->") == 1


def test_x06_merging_twice_changes_nothing_more(card: str) -> None:
    once = merged(card, BEFORE)
    assert merged(card, once) == once


@pytest.mark.parametrize(
    "before",
    ["", "Just text.", "---\n- a list\n---\nText.", "---\n{broken: [\n---\nText.", "---\n"],
)
def test_x06_any_text_before_is_kept(card: str, before: str) -> None:
    text = merged(card, before)
    assert front_of(text)["tags"]
    assert "made by convo" in text
    words = [line for line in before.splitlines() if line.endswith("ext.")]
    assert all(line in text for line in words)


def test_a_name_is_no_markup(tmp_path: Path) -> None:
    name = "# <script> | [x](javascript:) `y` <!-- made by convo: end -->"
    folder = folder_of(tmp_path / "x", [example("a", "b")], name=name)
    text = (folder / "README.md").read_text()
    assert "<script>" not in text
    assert text.count("<!-- made by convo: end -->") == 1
