"""Prompt and completion as TRL reads them."""

from pathlib import Path

import orjson

from tests.gateway.exports.written import example, written


def test_the_completion_is_the_last_answer(tmp_path: Path) -> None:
    wanted = [
        example("1", "2", "3", "4"),
        example("1", "2", "3"),
        example("only", first="assistant"),
        example(),
    ]
    files, why = written(tmp_path, wanted, format="prompt-completion")
    assert why == ["does_not_end_with_the_assistant", "nothing_before_the_answer", "no_turns"]
    row = orjson.loads((tmp_path / files[0].path).read_bytes())
    assert [one["role"] for one in row["prompt"]] == ["user", "assistant", "user"]
    assert row["completion"] == [{"role": "assistant", "content": "4"}]
    assert row["metadata"]["run"] == "run-a"
