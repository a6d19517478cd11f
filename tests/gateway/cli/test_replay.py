"""`convo run replay`: changes as people write them, and the result in words."""

from datetime import UTC, datetime

import pytest

from convo_events.replays import FlipCount, ReasonShift, StatusCounts
from convo_gateway.cli.exits import CommandError
from convo_gateway.cli.replay import lists_of, print_replay, rules_of
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.replays import Flip, FlipPage, Replay, ReplayResult


def test_rules_are_switched_and_tuned() -> None:
    wanted = ["stage_direction=off", "wrong_length.tolerance=2", "wrong_length.most_words=null"]
    assert rules_of(wanted) == {
        "stage_direction": {"enabled": False},
        "wrong_length": {"enabled": True, "parameters": {"tolerance": 2, "most_words": None}},
    }
    assert rules_of(["a.b=on", "a.c=words of it"]) == {
        "a": {"enabled": True, "parameters": {"b": True, "c": "words of it"}}
    }


def test_lists_stand_as_today_or_are_left_out_or_have_more_phrases() -> None:
    assert lists_of(["sales=latest", "old=out"], ["sales=buy now", "sales=a=b"]) == {
        "sales": {"latest": True, "add": ["buy now", "a=b"]},
        "old": {"left_out": True},
    }


@pytest.mark.parametrize(
    "text", ["stage_direction", "stage_direction=maybe", "=on", "wrong_length.=3"]
)
def test_what_is_no_change_of_a_rule_is_said(text: str) -> None:
    with pytest.raises(CommandError, match="no change of a rule"):
        rules_of([text])


@pytest.mark.parametrize(("choices", "added"), [(["sales=old"], []), ([], ["sales="])])
def test_what_is_no_change_of_a_list_is_said(choices: list[str], added: list[str]) -> None:
    with pytest.raises(CommandError):
        lists_of(choices, added)


def test_before_and_after_and_what_flips(capsys: pytest.CaptureFixture[str]) -> None:
    result = ReplayResult(
        population=Counted(value=1_200, unit="conversations", scope="this run", of=1_200),
        before=StatusCounts(accepted=1_000, rejected=200, failed=0, unjudged=0),
        after=StatusCounts(accepted=1_000, rejected=100, failed=0, unjudged=100),
        reasons=(ReasonShift(reason="stage_direction", layer=1, before=150, after=50),),
        flips=(FlipCount(was="rejected", status="unjudged", conversations=100),),
        flipped=100,
    )
    at = datetime(2026, 3, 1, tzinfo=UTC)
    done = Replay(
        id="replay-1", run="run-1", state="done", phase="comparing", looked_at=1, total=1, changes={},
        notes=["Something is left out."], problem="", result=result, verdict_set=None,
        created_at=at, began_at=at, ended_at=at,
    )  # fmt: skip
    flip = Flip(
        conversation="run-1.0.0", preview="Hello", score=None, was_status="rejected",
        was_reason="stage_direction", was_layer=1, was_detail="", status="unjudged", reason="",
        layer=None, detail="",
    )  # fmt: skip
    print_replay(done, FlipPage(items=[flip], next_cursor=None))
    said, beside = capsys.readouterr()
    lines = [" ".join(line.split()) for line in said.splitlines()]
    assert lines[0] == "100 of 1,200 conversations of run run-1 flip"
    assert "would be judged 0 100 +100" in lines
    assert "stage_direction 150 50 -100" in lines
    assert not any(line.startswith("failed") for line in lines)
    assert "run-1.0.0 rejected: stage_direction would be judged" in lines
    assert "Something is left out." in beside
    assert "99 more" in beside
