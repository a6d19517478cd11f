"""Preference pairs: who is a sibling of whom, and which two of them make a pair."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from convo_gateway.exports.examples import Example
from tests.gateway.exports.written import counted, example, written


def accepted(name: str, score: float, *turns: str, **more: object) -> Example:
    return example(*turns, conversation=name, score=score, **more)


def rejected(name: str, score: float, *turns: str, **more: object) -> Example:
    own: dict[str, object] = {
        "status": "rejected",
        "reason": "judge_below_threshold",
        "layer": 3,
    }
    return example(*turns, conversation=name, score=score, **own | more)


def pairs(tmp_path: Path, wanted: list[Example], **options: object) -> tuple[Any, list[str]]:
    files, why = written(tmp_path, wanted, format="preference", **options)
    rows = [orjson.loads(line) for line in (tmp_path / files[0].path).read_bytes().splitlines()]
    assert counted(tmp_path, files, "preference") == len(rows)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    return rows, sorted(why)


def test_the_best_meets_the_worst_and_each_is_in_one_pair(tmp_path: Path) -> None:
    wanted = [
        accepted("a-good", 4.0, "Hi", "good"),
        accepted("a-best", 5.0, "Hi", "best"),
        rejected("r-poor", 2.0, "Hi", "poor"),
        rejected("r-worst", 1.0, "Hi", "worst"),
        rejected("r-poor-too", 2.0, "Hi", "poor too"),
    ]
    rows, why = pairs(tmp_path, wanted)
    named = [
        (row["metadata"]["chosen"]["conversation"], row["metadata"]["rejected"]["conversation"])
        for row in rows
    ]
    assert named == [("a-best", "r-worst"), ("a-good", "r-poor")]
    assert why == ["no_sibling_left"]
    assert rows[0]["prompt"] == [{"role": "user", "content": "Hi"}]
    assert rows[0]["chosen"] == [{"role": "assistant", "content": "best"}]
    assert rows[0]["rejected"] == [{"role": "assistant", "content": "worst"}]


@pytest.mark.parametrize(
    "stranger",
    [
        rejected("r", 1.0, "Hi", "x", seed_group="another"),
        rejected("r", 1.0, "Hi", "x", snapshot="b" * 64),
        rejected("r", 1.0, "Hello there", "x"),
    ],
)
def test_strangers_are_no_siblings(tmp_path: Path, stranger: Example) -> None:
    rows, why = pairs(tmp_path, [accepted("a", 5.0, "Hi", "y"), stranger])
    assert (rows, why) == ([], ["no_sibling_left"] * 2)


def test_only_the_judge_makes_a_rejected_side(tmp_path: Path) -> None:
    other = rejected("r", 1.0, "Hi", "x", reason="near_duplicate", layer=2)
    rows, why = pairs(tmp_path, [accepted("a", 5.0, "Hi", "y"), other])
    assert (rows, why) == ([], ["no_sibling_left", "not_under_the_judge_threshold"])


def test_whole_conversations_are_compared_where_that_is_wanted(tmp_path: Path) -> None:
    wanted = [accepted("a", 5.0, "Hi", "y"), rejected("r", 1.0, "Hello there", "x")]
    rows, why = pairs(tmp_path, wanted, pairs="whole")
    assert why == []
    assert rows[0]["prompt"] == []
    assert [one["content"] for one in rows[0]["rejected"]] == ["Hello there", "x"]


def test_the_order_of_arrival_does_not_matter(tmp_path: Path) -> None:
    wanted = [accepted(f"a{n}", n, "Hi", str(n)) for n in range(4)]
    wanted += [rejected(f"r{n}", n, "Hi", f"-{n}") for n in range(4)]
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    assert pairs(one, wanted) == pairs(other, wanted[::-1])


def test_nothing_to_tell_them_apart_is_no_pair(tmp_path: Path) -> None:
    wanted = [accepted("a", 5.0, "Hi", "y", "Bye"), rejected("r", 1.0, "Hi", "y", "Bye", "more")]
    rows, why = pairs(tmp_path, wanted)
    assert (rows, why) == ([], ["one_begins_with_all_of_the_other"] * 2)
