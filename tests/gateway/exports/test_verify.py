"""A folder is checked from its files alone: nothing changed in it stays unseen, and each difference has its place."""

import shutil
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from convo_gateway.exports.verify import verify_folder
from convo_gateway.shapes.export_manifest import seal_of
from tests.gateway.exports.folders import folder_of
from tests.gateway.exports.written import example

ROWS = [example("Hi", f"Hello {n}", conversation=f"run-a.{n}.0") for n in range(10)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(tmp_path_factory.mktemp("made") / "export", [*ROWS, example()])


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "export")
    return tmp_path / "export"


def differences(folder: Path) -> list[tuple[str, str]]:
    return [(found.file, found.what) for found in verify_folder(folder).differences]


def test_what_was_made_is_what_it_says(folder: Path) -> None:
    checked = verify_folder(folder)
    assert (checked.differences, checked.rows, checked.conversations) == ((), 10, 10)


def test_a_changed_byte(folder: Path) -> None:
    file = folder / "data/train.jsonl"
    file.write_bytes(file.read_bytes().replace(b"Hello 7", b"Hello 8"))
    ((path, what),) = differences(folder)
    assert (path, what) == ("data/train.jsonl", "its bytes differ, first after byte 0")


def test_a_removed_line(folder: Path) -> None:
    file = folder / "data/train.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:4] + lines[5:]))
    found = differences(folder)
    assert "9 rows, expected 10" in dict(found)["data/train.jsonl"]
    assert ("manifest.json", "counts/rows says 10, the files have 9") in found


def test_a_line_that_is_no_json(folder: Path) -> None:
    file = folder / "data/train.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], b"{broken\n", *lines[4:]]))
    assert "line 4 is no JSON" in dict(differences(folder))["data/train.jsonl"]


CHANGES: list[tuple[str, Callable[[dict[str, dict[str, object]]], object], str]] = [
    ("rows", lambda m: m["counts"].update(rows=11), "counts/rows says 11, the files have 10"),
    (
        "statuses",
        lambda m: m["counts"]["statuses"].update(accepted=9),  # type: ignore[attr-defined]
        "counts/statuses/accepted says 9, the files have 10",
    ),
    (
        "cost",
        lambda m: m["counts"].update(cost_micro=1),
        "counts/cost_micro says 1, the files have 100",
    ),
    (
        "population",
        lambda m: m["coverage"]["population"].update(value=12),  # type: ignore[attr-defined]
        "coverage/written/of says 11, the other counts make 12",
    ),
    (
        "skipped",
        lambda m: m["coverage"]["why"][0].update(code="other"),  # type: ignore[index]
        "coverage/why format no_turns says 0, skipped.jsonl has 1",
    ),
]


@pytest.mark.parametrize(
    ("change", "said"), [one[1:] for one in CHANGES], ids=[one[0] for one in CHANGES]
)
@pytest.mark.parametrize("resealed", [False, True])
def test_a_count_that_was_changed_in_the_manifest(
    folder: Path,
    change: Callable[[dict[str, dict[str, object]]], object],
    said: str,
    resealed: bool,
) -> None:
    file = folder / "manifest.json"
    document = orjson.loads(file.read_bytes())
    change(document)
    if resealed:
        document["sha256"] = seal_of(document)
    file.write_bytes(orjson.dumps(document))
    found = differences(folder)
    assert ("manifest.json", said) in found
    sealed = [what for _, what in found if "its own sha256" in what]
    assert bool(sealed) is not resealed


def test_a_file_that_is_missing_and_one_that_nobody_counted(folder: Path) -> None:
    (folder / "skipped.jsonl").unlink()
    (folder / "data/more.jsonl").write_bytes(b"{}\n")
    (folder / "notes.txt").write_text("a person's own")
    found = dict(differences(folder))
    assert found["skipped.jsonl"] == "cannot be read: no such file or directory"
    assert found["data/more.jsonl"] == "is not in the manifest"
    assert "notes.txt" not in found


def test_a_manifest_that_leads_out_of_the_folder(folder: Path) -> None:
    file = folder / "manifest.json"
    document = orjson.loads(file.read_bytes())
    document["files"][0]["path"] = "../../etc/passwd"
    file.write_bytes(orjson.dumps(document))
    assert dict(differences(folder))["../../etc/passwd"] == "leads out of the folder"


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff", b'{"format_version": 2}', b'{"format_version": 1}']
)
def test_what_is_no_manifest(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"manifest\.json"):
        verify_folder(tmp_path)


def test_a_difference_in_a_large_file_has_its_place(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "large", [example("Hi", "x" * 700_000) for _ in range(4)])
    file = folder / "data/train.jsonl"
    content = bytearray(file.read_bytes())
    content[1_500_000] = ord("y")
    file.write_bytes(content)
    ((_, what),) = differences(folder)
    assert what == "its bytes differ, first between byte 1,048,576 and 2,097,152"


@pytest.mark.parametrize("form", ["messages", "csv", "parquet", "sharegpt"])
@pytest.mark.parametrize("at", [10, -30])
def test_damage_inside_of_a_compressed_file(tmp_path: Path, form: str, at: int) -> None:
    folder = folder_of(tmp_path / "pressed", ROWS, format=form, zstd=True)
    (file,) = (folder / "data").iterdir()
    content = bytearray(file.read_bytes())
    for offset in range(8):
        content[at + offset] ^= 0xFF
    file.write_bytes(content)
    found = dict(differences(folder))
    assert "its bytes differ" in found[f"data/{file.name}"]
