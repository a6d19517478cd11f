"""The chat format of OpenAI, read by a checker as strict as the one that takes fine-tuning files."""

from pathlib import Path

import orjson
import pytest

from tests.gateway.exports.written import HOSTILE, counted, example, written


def check_strictly(content: bytes) -> list[dict[str, object]]:
    """Every row of a file of chat messages.

    Source: what providers refuse in a training file: a byte order mark, other line ends, empty lines, keys and roles
    that are not known, content that is no text, no answer of the assistant.
    """
    assert not content.startswith(b"\xef\xbb\xbf")
    assert content == b"" or content.endswith(b"\n")
    rows = []
    for line in content.decode("utf-8", "strict").split("\n")[:-1]:
        assert line
        assert not line.endswith("\r")
        row = orjson.loads(line)
        assert set(row) == {"messages", "metadata"}
        assert row["messages"]
        for message in row["messages"]:
            assert set(message) == {"role", "content"}
            assert message["role"] in ("system", "user", "assistant")
            assert type(message["content"]) is str
        assert any(message["role"] == "assistant" for message in row["messages"])
        rows.append(row)
    return rows


@pytest.mark.parametrize("zstd", [False, True])
def test_x09_hostile_text_round_trips(tmp_path: Path, zstd: bool) -> None:
    files, why = written(tmp_path, [example(*HOSTILE)], zstd=zstd)
    assert (why, files[0].rows) == ([], 1)
    assert counted(tmp_path, files, "messages") == 1
    if not zstd:
        (row,) = check_strictly((tmp_path / "data/train.jsonl").read_bytes())
        assert [one["content"] for one in row["messages"]] == list(HOSTILE)  # type: ignore[attr-defined]


def test_u01_half_a_surrogate_pair_is_shown_and_the_file_stays_valid(tmp_path: Path) -> None:
    written(tmp_path, [example("half \ud83d of it", "nul \x00 and \udfff")])
    (row,) = check_strictly((tmp_path / "data/train.jsonl").read_bytes())
    shown = [one["content"] for one in row["messages"]]  # type: ignore[attr-defined]
    assert shown == ["half \\ud83d of it", "nul \x00 and \\udfff"]


def test_what_teaches_nothing_is_left_out_and_named(tmp_path: Path) -> None:
    files, why = written(tmp_path, [example(), example("Anybody?"), example("Hi", "Hello", "Bye")])
    assert why == ["no_turns", "no_assistant_turn"]
    assert len(check_strictly((tmp_path / files[0].path).read_bytes())) == 1
