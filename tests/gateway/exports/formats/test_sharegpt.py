"""ShareGPT: a human first, then strictly in turn, and everything else named."""

from dataclasses import replace
from pathlib import Path

import orjson

from convo_gateway.exports.examples import Message
from tests.gateway.exports.written import HOSTILE, counted, example, written


def test_turns_alternate_and_what_does_not_is_skipped(tmp_path: Path) -> None:
    twice = replace(example("Hi", "Hello"), messages=(Message("user", "a"), Message("user", "b")))
    wanted = [
        example("Hi", "Hello", "Bye"),
        example("Hello", "Hi", first="assistant"),
        twice,
        example(),
        example("Hi"),
        example(*HOSTILE),
    ]
    files, why = written(tmp_path, wanted, format="sharegpt")
    assert why == [
        "does_not_begin_with_the_user",
        "does_not_alternate",
        "no_turns",
        "no_assistant_turn",
    ]
    rows = [orjson.loads(line) for line in (tmp_path / files[0].path).read_bytes().splitlines()]
    assert len(rows) == counted(tmp_path, files, "sharegpt") == 2
    for row in rows:
        speakers = [turn["from"] for turn in row["conversations"]]
        assert speakers == [("human", "gpt")[at % 2] for at in range(len(speakers))]
        assert row["id"] == row["metadata"]["conversation"] == "run-a.0.0"
    assert [turn["value"] for turn in rows[1]["conversations"]] == list(HOSTILE)
