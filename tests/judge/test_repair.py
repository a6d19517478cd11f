"""Answers as small models really write them: what is unambiguous is read, and all else has a state of its own."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.catalog import JudgedCriterion, Judging
from convo_judge.verdict import (
    Contradictory,
    OutOfRange,
    RefusedToJudge,
    Scored,
    Truncated,
    Unparsed,
    read,
)
from convo_models.json_answers import Json, read_json
from tests.snapshots import JUDGING

V = '{"criteria": {"natural": {"why": "ok", "score": 4}, "helpful": {"why": "ok", "score": 2}}}'

WRITTEN: list[tuple[Json, float]] = [
    (4, 4),
    (4.0, 4),
    (3.5, 3.5),
    ("4", 4),
    (" 4 ", 4),
    ("+4", 4),
    ("4.0", 4),
    ("4.5", 4.5),
    ("4,5", 4.5),
    ("4,50", 4.5),
    ("4/5", 4),
    ("4 / 5", 4),
    ("4.5/5", 4.5),
    ("4,5/5,0", 4.5),
    ("4 out of 5", 4),
    ("4.0 Out Of 5.0", 4),
    ("four out of five", 4),
    ("four/5", 4),
    ("four", 4),
    ("Four", 4),
    ("FOUR", 4),
    ("four and a half", 4.5),
    ("Four-and-a-half", 4.5),
    ("4 and a half", 4.5),
    ("three and a half out of five", 3.5),
    ("4 points", 4),
    ("1 star", 1),
    ("4/5 stars", 4),
    ("４", 4),
    ("٤", 4),
    ("४", 4),
    ({"value": 4}, 4),
    ({"Value": "four"}, 4),
    ({"score": "4/5"}, 4),
    ({"value": 4, "max": 5}, 4),
    ({"value": 4, "out of": "5", "note": "good"}, 4),
    ({"score": 4, "value": 4.0}, 4),
    ({"rating": 4}, 4),
]
ANSWERS: list[str] = [
    V,
    f"```json\n{V}\n```",
    f"```JSON\n{V}```",
    f"~~~\n{V}\n~~~",
    f"`{V}`",
    f"Sure! Here is my evaluation:\n\n{V}\n\nLet me know if you need anything else.",
    f"**Verdict**\n{V}",
    f"\ufeff{V}",
    f"<think>They greet. 4, maybe 5?</think>\n{V}",
    f"{V}\n{V}",
    f"```json\n{V}\n```\nTo repeat:\n```json\n{V}\n```",
    f"[{V}]",
    f'{{"verdict": {V}}}',
    f'{{"response": {{"evaluation": {V}}}}}',
    V.replace("}}}", "},},}"),
    V.replace('"score": 4}', '"score": 4,}').replace('"score": 2}', '"score": 2 ,\n }'),
    V.replace('"criteria"', '"Criteria"').replace('"score"', '"Score"'),
    V.replace('"natural"', '" NATURAL "').replace('"why"', '"Why"'),
    V.replace('"ok"', '"two\nlines"'),
    V.replace('"ok"', '"a, ] b, } c"').replace("}}}", "},}}"),
    '{"natural": 4, "helpful": 2}',
    '{"natural": "4/5", "helpful": "two", }',
    '{"Natural": {"score": {"value": 4}}, "Helpful": {"Score": "2"}}',
    '[{"name": "natural", "score": 4}, {"name": "helpful", "score": 2}]',
    '{"criteria": [{"Criterion": "Natural", "Score": 4,}, {"criterion": "helpful", "score": 2},]}',
    '{"scores": {"natural": 4, "helpful": 2}, "summary": "fine"}',
    '{"criteria": {"natural": 4, "helpful": 2}, "natural": 4}',
    '{"natural": 4, "helpful": 2, "overall": 3.5, "comment": "4 or 5 words"}',
]
BROKEN: list[tuple[str, str, type]] = [
    ("", "stop", Unparsed),
    ("natural: 4, helpful: 2", "stop", Unparsed),
    ("natural=4 helpful=2 {}", "stop", Unparsed),
    ("Score: 4", "stop", Unparsed),
    ("I'm sorry, but I can't help with that.", "stop", Unparsed),
    (V.replace('"', "'"), "stop", Unparsed),
    (V.replace('"', '\\"'), "stop", Unparsed),
    (V.replace("4", '"4 or 5"'), "stop", Unparsed),
    (V.replace("4", '"4-5"'), "stop", Unparsed),
    (V.replace("4", '"3/4"'), "stop", Unparsed),
    (V.replace("4", '"4 out of 10"'), "stop", Unparsed),
    (V.replace("4", '"80%"'), "stop", Unparsed),
    (V.replace("4", '"4,000"'), "stop", Unparsed),
    (V.replace("4", '"1.000,5"'), "stop", Unparsed),
    (V.replace("4", '"A"'), "stop", Unparsed),
    (V.replace("4", '"four five"'), "stop", Unparsed),
    (V.replace("4", '"not 4"'), "stop", Unparsed),
    (V.replace("4", '"high"'), "stop", Unparsed),
    (V.replace("4", '"whole number from 1 to 5"'), "stop", Unparsed),
    (V.replace("4", "true"), "stop", Unparsed),
    (V.replace("4", "null"), "stop", Unparsed),
    (V.replace("4", "[4]"), "stop", Unparsed),
    (V.replace("4", "{}"), "stop", Unparsed),
    (V.replace("4", "NaN"), "stop", Unparsed),
    (V.replace("4", "04"), "stop", Unparsed),
    (V.replace("4", '{"value": 4, "max": 10}'), "stop", Unparsed),
    (V.replace("4", '{"value": 4, "score": null}'), "stop", Unparsed),
    ('{"natural": 4}', "stop", Unparsed),
    ('{"helpful": 2, "quality": 4}', "stop", Unparsed),
    (V[:-20], "length", Truncated),
    (f"<think>{V}", "length", Truncated),
    ("", "length", Truncated),
    (f"{V}\n{V[:30]}", "length", Truncated),
    (V.replace("4", "0"), "stop", OutOfRange),
    (V.replace("4", "6"), "stop", OutOfRange),
    (V.replace("4", "-4"), "stop", OutOfRange),
    (V.replace("4", "5.0001"), "stop", OutOfRange),
    (V.replace("4", '"ten"'), "stop", OutOfRange),
    (V.replace("4", '"five and a half"'), "stop", OutOfRange),
    (V.replace("4", "45"), "stop", OutOfRange),
    (f"{V}\n{V.replace('4', '5')}", "stop", Contradictory),
    (f"{V}\n{V.replace('4', '9')}", "stop", Contradictory),
    (f'{V} {{"natural": 4}}', "stop", Contradictory),
    (f'{{"draft": {V.replace("4", "1")}, "final": {V}}}', "stop", Contradictory),
    ('{"natural": 4, "NATURAL": 5, "helpful": 2}', "stop", Contradictory),
    (V.replace('"score": 4', '"score": 4, "Score": 5'), "stop", Contradictory),
    (V.replace('"score": 4', '"score": 4, "score": 5'), "stop", Contradictory),
    (V.replace("4", '{"value": 4, "score": 5}'), "stop", Contradictory),
    ("", "content_filter", RefusedToJudge),
    (V, "content_filter", RefusedToJudge),
]


@pytest.mark.parametrize(("written", "score"), WRITTEN)
def test_a_score_that_can_mean_one_thing_is_read(written: Json, score: float) -> None:
    for natural in (written, {"why": "ok", "score": written}):
        answer = json.dumps({"criteria": {"natural": natural, "helpful": 2}})
        found = read(answer, "stop", None, JUDGING)
        assert isinstance(found, Scored), found
        assert [one.score for one in found.criteria] == [score, 2]


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_verdict_is_read_whatever_is_around_it(answer: str) -> None:
    found = read(answer, "stop", None, JUDGING)
    assert isinstance(found, Scored), found
    assert [one.score for one in found.criteria] == [4, 2]


@pytest.mark.parametrize(("answer", "finish", "state"), BROKEN)
def test_what_is_not_sure_has_a_state_of_its_own(answer: str, finish: str, state: type) -> None:
    found = read(answer, finish, None, JUDGING)
    assert type(found) is state
    assert found.detail


def test_the_tables_are_large_enough_to_mean_something() -> None:
    assert len(WRITTEN) + len(ANSWERS) + len(BROKEN) >= 100


def test_criteria_whose_names_differ_by_a_dash_only_are_told_apart() -> None:
    alike = tuple(JudgedCriterion(name=name, question="?") for name in ("so_on", "soon"))
    judging = Judging(criteria=alike, threshold=3)
    found = read('{"so_on": 4, "soon": 2}', "stop", None, judging)
    assert isinstance(found, Scored)
    assert [one.score for one in found.criteria] == [4, 2]
    assert isinstance(read('{"So on": 4, "Soon": 2}', "stop", None, judging), Unparsed | Truncated)


@pytest.mark.parametrize(
    "bomb", ["[1," * 60_000, "[1,]" * 60_000, "[1" + ", ]" * 60_000, "[1," + " " * 900_000 + ",]"]
)
def test_trailing_commas_without_end_come_to_an_end(bomb: str) -> None:
    assert len(read_json(bomb).values) <= 60_000


WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
STATED = re.compile(r"(-?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?)", re.ASCII)


def stated(answer: str) -> set[float]:
    """Every number that stands in a text, as digits or as a word, and half of one more where it says so."""
    numbers = {float(one.replace(",", ".")) for one in STATED.findall(answer)}
    numbers |= {float(at) for at, word in enumerate(WORDS) if word in answer.lower()}
    halves = {number + 0.5 for number in numbers} if "half" in answer.lower() else set()
    return numbers | halves


MANNERS = st.sampled_from(
    [
        *(
            "{}",
            "{}/5",
            "{} out of 5",
            "{} and a half",
            "about {}",
            "{}.{}",
            "{},{}",
            "-{}",
            "{} {}",
        ),
        *(
            "{}/{}",
            "{}-{}",
            "{} of 5",
            "0{}",
            "{}e0",
            "{}%",
            "({})",
            "{} points",
            "{}\u00bd",
            "{}²",
        ),
    ]
)
NUMBERS = st.sampled_from([*"0123456", *WORDS[:7], "10", "45", "", "four five", "IV", "½", "۴"])
LITERAL = st.builds(lambda manner, one, two: manner.format(one, two), MANNERS, NUMBERS, NUMBERS)
ONE = st.one_of(
    LITERAL.map(json.dumps),
    LITERAL,
    LITERAL.map(lambda said: json.dumps({"value": said})),
    st.sampled_from(["null", "true", "[4]", '{"value": 4, "max": 10}', "NaN", "4.", "1e0"]),
    st.text(max_size=6).map(lambda said: json.dumps(said, ensure_ascii=False)),
)
SHAPES = st.sampled_from(
    [
        '{{"criteria": {{"natural": {{"score": {0}}}, "helpful": {{"score": {1}}}}}}}',
        '{{"natural": {0}, "helpful": {1},}}',
        '[{{"name": "natural", "score": {0}}}, {{"name": "Helpful", "score": {1}}}]',
        '{{"natural": {0}, "Natural": {1}, "helpful": {1}}}',
        '{{"natural": {0}, "helpful": {1}}} {{"natural": {1}, "helpful": {0}}}',
    ]
)


@given(SHAPES, ONE, ONE)
def test_no_score_is_read_that_is_not_literally_stated(shape: str, one: str, two: str) -> None:
    answer = shape.format(one, two)
    found = read(answer, "stop", None, JUDGING)
    if isinstance(found, Scored):
        digits = answer.replace("\\u06f4", "4").replace("۴", "4")
        assert {score.score for score in found.criteria} <= stated(digits), answer
