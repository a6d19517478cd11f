"""What `convo run show` says of judges: in words, with the number that each is taken over."""

from typing import Any

import orjson
import pytest

from convo_events.agreement import Confusion
from convo_events.judge_answers import STATES
from convo_events.judge_health import JudgeHealth
from convo_gateway.cli.run_judge import print_judge
from convo_gateway.judge_report import Frozen, judge_report
from convo_gateway.reads.judge_health import Reviewed

KNOWN = Frozen(("fake/judge",), JudgeHealth(), 0.1)
NOBODY = Reviewed(Confusion(), 0, 0, Confusion())
ROW: dict[str, Any] = {
    "judge": "fake/judge",
    **dict.fromkeys(STATES, 0),
    "scored": 48,
    "unparsed": 40,
    "scale_min": 1.0,
    "scale_max": 5.0,
    "mean": 3.5,
    "squares": 12.0,
    "lowest": 0,
    "highest": 12,
    "bins": orjson.dumps([0, 0, 0, 0, 12, 0, 24, 0, 12]),
    "criteria": b'{"natural": [48, 3.25, 3.0]}',
    "recent": orjson.dumps([[at, "unparsed" if at % 4 else "scored", None] for at in range(1, 51)]),
    "recent_pairs": b"[]",
    **{"pass_pass": 30, "pass_fail": 5, "fail_pass": 5, "fail_fail": 10},
    "apart": 12.5,
    "rechecks": 50,
    "recheck_micro": 40_000,
    "recheck_unknown": 1,
}


def told(capsys: pytest.CaptureFixture[str], *rows: dict[str, Any], reviews: Reviewed) -> str:
    print_judge(judge_report(KNOWN, rows, 0, reviews))
    return " ".join(capsys.readouterr().out.split())


def test_a_judge_that_has_not_answered_has_no_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, reviews=NOBODY)
    assert "fake/judge unknown Answers none counted yet Judged again no conversation yet" in said
    assert "With people no conversation that both decided on yet" in said
    assert "0.0" not in said


def test_a_run_without_a_judge_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_judge(judge_report(Frozen((), None, 0), (), 0, NOBODY))
    assert capsys.readouterr().out == ""


def test_a_sick_judge_is_told_with_its_finding_and_all_its_numbers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reviews = Reviewed(Confusion(20, 5, 10, 15), 2, 3, Confusion(9, 0, 0, 0))
    said = told(capsys, ROW, reviews=reviews)
    for part in (
        "fake/judge sick, on its last 50 answers Finding Judge fake/judge gave no verdict in 38 of its last 50 answers",
        "Answers 88: 48 scored, 40 unparsed",
        "Last 50 50: 12 scored, 38 unparsed",
        "mean 3.50, deviation 0.50 over 48; commonest 4 (50.0 %), at the ends of 1 to 5: 25.0 %",
        "natural mean 3.25, deviation 0.25 over 48",
        "40 of 50 conversations the same way (80.0 %), scores 0.25 apart on average",
        "kappa 0.52, 95 % interval",
        "$0.0400 in 50 calls, 1 of unknown cost",
        "35 of 50 conversations the same (70.0 %); kappa 0.40, 95 % interval",
        "passed and accepted 20, passed and rejected 5, failed and accepted 10, failed and rejected 15",
        "left out: 2 flagged or withdrawn, 3 without a verdict",
        "9 of 9 conversations the same (100.0 %); kappa not defined: both raters say the same of all 9",
    ):
        assert part in said
