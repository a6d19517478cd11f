"""What every format keeps to, whichever there are."""

from pathlib import Path

import pytest

from convo_gateway.exports.known_formats import known_formats
from convo_gateway.exports.tally import Tally
from tests.gateway.exports.written import HOSTILE, example, written

JUDGED = {"status": "rejected", "reason": "judge_below_threshold", "layer": 3, "score": 1.0}
ROWS = [
    example(*HOSTILE, conversation="run-a.0.0", score=5.0),
    example(HOSTILE[0], "worse", conversation="run-a.1.0", **JUDGED),
    example(conversation="run-a.2.0"),
]


@pytest.mark.parametrize("zstd", [False, True])
@pytest.mark.parametrize("name", list(known_formats()))
def test_every_conversation_is_in_a_file_or_named(tmp_path: Path, name: str, zstd: bool) -> None:
    form = known_formats()[name]
    files, why = written(tmp_path, ROWS, format=name, zstd=zstd, splits={"train": 0.5, "test": 0.5})
    tally = Tally()
    for file in files:
        assert file.kind == "data"
        assert file.split in ("train", "test")
        assert f".{form.suffix}" in file.path
        assert (tmp_path / file.path).stat().st_size == file.bytes
        rows = list(form.rows(tmp_path / file.path))
        assert len(rows) == file.rows
        for conversations in rows:
            tally.add(*conversations)
    counts = tally.counts()
    assert counts.conversations + len(why) == len(ROWS)
    assert counts.runs == {"run-a": counts.conversations}
    assert counts.layers.get("3") == 1
    assert {file.split for file in files} == {"train", "test"}, "an empty split has a file too"


@pytest.mark.parametrize("name", list(known_formats()))
def test_the_same_rows_give_the_same_bytes(tmp_path: Path, name: str) -> None:
    one, other = (
        written(tmp_path / part, ROWS, format=name, zstd=True) for part in ("one", "other")
    )
    assert one == other


@pytest.mark.parametrize("name", list(known_formats()))
def test_what_is_none_of_its_files_is_said(tmp_path: Path, name: str) -> None:
    form = known_formats()[name]
    file = tmp_path / f"broken.{form.suffix}"
    for content in (b"\xff\xfe\x00", b"[]\n", b"{}\n", b"PAR1 but no more"):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"\w+"):
            list(form.rows(file))
