import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.catalog import JudgedCriterion, Judging
from convo_judge.score import read_score
from convo_judge.verdict import (
    Broken,
    Contradictory,
    OutOfRange,
    RefusedToJudge,
    Scored,
    Truncated,
    Unparsed,
    Verdict,
    read,
)
from convo_models.json_answers import Json
from tests.snapshots import JUDGING


def answer(natural: Json, helpful: Json = 2, **beside: Json) -> str:
    scores = {
        "natural": {"why": "a {b} ü", "score": natural},
        "helpful": {"why": "", "score": helpful},
    }
    return json.dumps({"criteria": scores, **beside}, ensure_ascii=False)


def verdict(text: str | None, finish: str = "stop", refusal: str | None = None) -> Verdict:
    return read(text, finish, refusal, JUDGING)


def scores(text: str) -> tuple[float, ...]:
    found = verdict(text)
    assert isinstance(found, Scored), found
    return tuple(one.score for one in found.criteria)


def test_a_verdict_has_the_rubrics_order_and_its_weighted_mean() -> None:
    found = verdict('{"criteria": {"helpful": {"score": 1, "why": "w"}, "natural": {"score": 5}}}')
    assert isinstance(found, Scored)
    assert [(one.name, one.score, one.why) for one in found.criteria] == [
        ("natural", 5, ""),
        ("helpful", 1, "w"),
    ]
    assert found.score == (3 * 5 + 1 * 1) / 4


@pytest.mark.parametrize(
    ("written", "score"),
    [
        (4, 4),
        (4.0, 4),
        (3.5, 3.5),
        ("4", 4),
        (" 4.0 ", 4),
        (" 4/5 ", 4),
        ("4 / 5", 4),
        ("four", 4),
        (" Five ", 5),
    ],
)
def test_j03_the_unambiguous_is_coerced(written: Json, score: float) -> None:
    assert scores(answer(written)) == (score, 2)


@pytest.mark.parametrize(
    "written",
    [
        None,
        True,
        False,
        "",
        "high",
        "good",
        "4/10",
        "4 or 5",
        "4-5",
        "~4",
        "vier",
        "four/ten",
        "4 out of 10",
        "4,500",
        "4 and a half or so",
        "half",
        [4],
        {"score": {"score": {"score": 4}}},
        {"score": 4, "max": 10},
        {"score": 4, "value": None},
        "1e0",
    ],
)
def test_j02_the_ambiguous_is_unparsed_and_no_low_score(written: Json) -> None:
    assert isinstance(verdict(answer(written)), Unparsed)


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity"])
def test_j02_not_a_number_is_unparsed(literal: str) -> None:
    assert isinstance(verdict(answer(4).replace("4", literal)), Unparsed)


@pytest.mark.parametrize("written", [0, 6, -1, "0", "6", "ten", 5.01, 1e300, 10**400])
def test_j02_off_the_scale_is_out_of_range(written: Json) -> None:
    found = verdict(answer(written))
    assert isinstance(found, OutOfRange)
    assert "natural" in found.detail
    assert "1 to 5" in found.detail


def test_j01_a_worded_rating_leaves_other_answers_alone() -> None:
    found = [verdict(text) for text in (answer(4), answer("pretty good"), answer(5))]
    assert [type(one) for one in found] == [Scored, Unparsed, Scored]


def test_j05_a_missing_criterion_is_unparsed() -> None:
    found = verdict('{"criteria": {"natural": {"score": 4}}}')
    assert found == Unparsed("no score for 'helpful'")


def test_j05_an_extra_criterion_is_left_out() -> None:
    text = '{"criteria": {"natural": 4, "style": 1, "helpful": 5}}'
    assert scores(text) == (4, 5)


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{answer(4)}\n```",
        f"```\n{answer(4)}\n```",
        f"My verdict [draft]: {answer(4)}. Hope {{this}} helps.",
        f"<think>{answer(1)}</think>{answer(4)}",
        answer(4).replace("a {b} ü", 'nested {braces} and \\"quotes\\"'),
        f"{answer(4)}\n{answer(4)}",
        f"{answer(4)}\n{answer(4.0, '2')}",
        '{"natural": 4, "helpful": {"score": "two"}}',
        '{"criteria": [{"name": "helpful", "score": 2}, {"criterion": "Natural", "score": 4}]}',
        '{"criteria": {"Natural": {"score": 4}, "HELPFUL": {"score": 2}}}',
        '{"criteria": {"natural": {"score": 4, "score": 4}, "helpful": 2}}',
        answer(4).replace("a {b} ü", "two\nlines"),
    ],
)
def test_j06_a_verdict_is_found_in_what_stands_around_it(text: str) -> None:
    assert scores(text) == (4, 2)


@pytest.mark.parametrize(
    "text",
    [
        f"{answer(4)}\n{answer(5)}",
        f"{answer(4)}\n{answer(None)}",
        '{"criteria": {"natural": {"score": 4, "score": 1}, "helpful": 2}}',
        '{"criteria": [{"name": "natural", "score": 4}, {"name": "natural", "score": 1}]}',
        '{"criteria": {"natural": 4, "Natural": 1, "helpful": 2}}',
    ],
)
def test_j06_two_verdicts_that_disagree_are_contradictory(text: str) -> None:
    assert isinstance(verdict(text), Contradictory)


@pytest.mark.parametrize(
    ("beside", "noted"),
    [
        ({"pass": False}, True),
        ({"verdict": "Reject"}, True),
        ({"overall": 1}, True),
        ({"overall_score": "1/5"}, True),
        ({"pass": True}, False),
        ({"verdict": "mixed"}, False),
        ({"overall": 4}, False),
        ({"overall": None, "pass": None}, False),
    ],
)
def test_j08_the_threshold_decides_and_a_contradiction_is_recorded(
    beside: dict[str, Json], noted: bool
) -> None:
    found = verdict(answer(4, **beside))
    assert isinstance(found, Scored)
    assert found.score == 3.5
    assert bool(found.detail) is noted
    if noted:
        assert "threshold 3" in found.detail


def test_j10_a_cut_verdict_is_truncated_with_a_hint() -> None:
    for length in range(1, len(answer(4)) - 1):
        found = verdict(answer(4)[:length], finish="length")
        assert isinstance(found, Truncated), length
        assert "max_tokens" in found.detail


def test_j10_a_verdict_that_is_whole_counts_whatever_came_after() -> None:
    assert isinstance(verdict(answer(4) + "\n\nAs I said", finish="length"), Scored)
    assert isinstance(verdict("", finish="length"), Truncated)
    assert isinstance(verdict("<think>so long", finish="length"), Truncated)


@pytest.mark.parametrize(
    "text", [None, "", " \n", "null", "[]", "{}", "4", '"4"', "I cannot say.", '{"criteria": null}']
)
def test_j13_no_verdict_is_unparsed(text: str | None) -> None:
    assert isinstance(verdict(text), Unparsed)


def test_a_refusal_is_told_apart() -> None:
    assert isinstance(verdict(None, refusal="I can't help with that"), RefusedToJudge)
    assert isinstance(verdict(answer(5), refusal="no"), RefusedToJudge)
    assert isinstance(verdict(None, finish="content_filter"), RefusedToJudge)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"criteria":' * 40_000,
        "{x" * 50_000,
        '{"natural": ' + "9" * 5_000 + "}",
        "x" * 2_000_001,
    ],
)
def test_bombs_are_unparsed(text: str) -> None:
    assert isinstance(verdict(text), Unparsed)


def test_a_criterion_may_be_called_overall() -> None:
    judging = Judging(criteria=(JudgedCriterion(name="overall", question="?"),), threshold=3)
    found = read('{"criteria": {"overall": {"score": 2}}, "overall": 2}', "stop", None, judging)
    assert isinstance(found, Scored)
    assert (found.score, found.detail) == (2, "")
    both = read('{"criteria": {"overall": {"score": 2}}, "overall": 5}', "stop", None, judging)
    assert isinstance(both, Contradictory)


def test_reasons_are_kept_as_data_within_their_bound() -> None:
    found = verdict(
        '{"natural": {"score": 4, "why": "'
        + "x" * 5_000
        + '"}, "helpful": {"score": 2, "why": "a\\u0000\\ud800"}}'
    )
    assert isinstance(found, Scored)
    assert [len(one.why) for one in found.criteria] == [1_000, 3]
    assert found.criteria[1].why == "a\ufffd\ufffd"


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"criteria"',
        '"natural"',
        '"helpful"',
        '"score"',
        "4",
        '"5/5"',
        "null",
        "NaN",
        "true",
        "```json",
        "<think>",
        "</think>",
        '"\\ud800"',
        "-",
        "1e999",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["criteria", "natural", "helpful", "score", "why", "pass"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.none() | st.text() | st.lists(PIECES, max_size=30).map("".join) | VALUES.map(json.dumps),
    st.sampled_from(["stop", "length", "content_filter"]),
    st.none() | st.text(),
)
def test_any_answer_is_read_and_no_score_is_made_up(
    text: str | None, finish: str, refusal: str | None
) -> None:
    found = verdict(text, finish, refusal)
    if isinstance(found, Scored):
        assert 1 <= found.score <= 5
        assert [one.name for one in found.criteria] == ["natural", "helpful"]
    else:
        assert isinstance(found, get_args(Broken))
        assert found.detail
    assert len(found.detail) <= 300
    found.detail.encode()


@given(st.text())
def test_a_written_score_is_a_finite_number_or_nothing(written: str) -> None:
    score = read_score(written, 5)
    assert score is None or -(10**12) <= score <= 10**12
