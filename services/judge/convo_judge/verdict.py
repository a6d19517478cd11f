"""What a judge's answer says. Pure.

A broken answer is never a low score: there is a kind for each way in which it can be broken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from convo_events.catalog import Judging
from convo_events.outcomes import CriterionScore
from convo_judge.mean import nearest, weighted_mean
from convo_judge.score import name_of, read_score, read_scores
from convo_judge.statements import Entries, verdicts
from convo_models.answers import storable
from convo_models.json_answers import Json, read_json

WHY_KEPT = 1_000
"""Most characters of a reason that are kept."""
_DETAIL_LIMIT = 300
_PASS = {"pass": True, "passed": True, "accept": True, "accepted": True, "yes": True, "true": True}
_FAIL = {"fail": False, "failed": False, "reject": False, "rejected": False, "no": False}
_DECISIONS = {**_PASS, **_FAIL, "false": False}
_DECIDING = ("pass", "passed", "accept", "accepted", "verdict", "decision")
_OVERALL = ("overall", "overallscore", "score", "mean", "average")


@dataclass(frozen=True, slots=True)
class Scored:
    """Every criterion has a score on the scale."""

    criteria: tuple[CriterionScore, ...]
    """In the rubric's order."""
    score: float
    """Weighted mean, on the rubric's scale."""
    detail: str = ""
    """A note for people, where the judge's own overall verdict contradicts its scores; the threshold decides."""


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No verdict could be read without guessing."""

    detail: str


@dataclass(frozen=True, slots=True)
class Truncated:
    """The answer was cut off by its token limit."""

    detail: str


@dataclass(frozen=True, slots=True)
class OutOfRange:
    """A score is not on the scale."""

    detail: str


@dataclass(frozen=True, slots=True)
class Contradictory:
    """The answer scores one criterion twice, differently."""

    detail: str


@dataclass(frozen=True, slots=True)
class RefusedToJudge:
    """The judge, or its provider's filter, declined."""

    detail: str


Broken: TypeAlias = Unparsed | Truncated | OutOfRange | Contradictory | RefusedToJudge
Verdict: TypeAlias = Scored | Broken


def read(text: str | None, finish: str | None, refusal: str | None, judging: Judging) -> Verdict:
    """The verdict in an answer. Never raises.

    Args:
        text: The answer; None where there was none, such as for a tool call.
        finish: Why the judge stopped: ``stop``, ``length`` or ``content_filter``.
        refusal: The provider's own refusal field, where it is set.
        judging: The rubric.
    """
    if refusal:
        return RefusedToJudge(short(f"the judge refused: {refusal}"))
    if finish == "content_filter":
        return RefusedToJudge("the provider's content filter stopped the judge")
    verdict = _read_text(text or "", judging)
    if finish == "length" and isinstance(verdict, Unparsed):
        return Truncated(
            short(f"cut off by the token limit; raise roles.judge.max_tokens ({verdict.detail})")
        )
    return verdict


def _read_text(text: str, judging: Judging) -> Verdict:
    if not text.strip():
        return Unparsed("the answer has no text")
    answer = read_json(text)
    if answer.trouble == "conflict":
        return Contradictory(short(answer.detail))
    if answer.trouble is not None:
        return Unparsed(short(answer.detail))
    found = verdicts(answer.values, [criterion.name for criterion in judging.criteria])
    if not found:
        return Unparsed("no JSON object with the rubric's criteria in the answer")
    first, *others = (_verdict(whole, entries, judging) for whole, entries in found)
    if any(_compared(other) != _compared(first) for other in others):
        return Contradictory("the answer has two verdicts that differ")
    return first


def _compared(verdict: Verdict) -> object:
    """What makes two verdicts the same: their scores, whatever the words."""
    if isinstance(verdict, Scored):
        return tuple(criterion.score for criterion in verdict.criteria)
    return verdict


def _verdict(value: dict[str, Json], entries: Entries, judging: Judging) -> Verdict:
    criteria: list[CriterionScore] = []
    for criterion in judging.criteria:
        one = _agreed(criterion.name, entries, judging)
        if not isinstance(one, CriterionScore):
            return one
        criteria.append(one)
    score = _mean(criteria, judging)
    return Scored(tuple(criteria), score, _note(value, score, judging))


def scored(criteria: Sequence[CriterionScore], judging: Judging) -> Scored | None:
    """The verdict that scores come to; None where they are not those of the rubric, in its order and on its scale."""
    low, high = judging.scale
    if [one.name for one in criteria] != [criterion.name for criterion in judging.criteria]:
        return None
    if not all(low <= one.score <= high for one in criteria):
        return None
    return Scored(tuple(criteria), _mean(criteria, judging))


def _mean(criteria: Sequence[CriterionScore], judging: Judging) -> float:
    weights = [criterion.weight for criterion in judging.criteria]
    return nearest(weighted_mean([one.score for one in criteria], weights), judging.threshold)


def _agreed(name: str, entries: Entries, judging: Judging) -> CriterionScore | Broken:
    """The score of one criterion, where all entries of its name agree."""
    found = [_criterion(item, name, judging) for entry, item in entries if entry == name]
    scores = [one for one in found if isinstance(one, CriterionScore)]
    broken = [one for one in found if not isinstance(one, CriterionScore)]
    if broken:
        return broken[0]
    if not scores:
        return Unparsed(f"no score for '{name}'")
    if any(one.score != scores[0].score for one in scores):
        return Contradictory(f"two scores for '{name}'")
    return scores[0]


def _criterion(item: Json, name: str, judging: Judging) -> CriterionScore | Broken:
    low, high = judging.scale
    scores = read_scores(item, high)
    score = None if None in scores or not scores else scores[0]
    if score is None:
        return Unparsed(short(f"the score for '{name}' is not a number: {item!r:.80}"))
    if any(other != score for other in scores):
        return Contradictory(f"two scores for '{name}'")
    if not low <= score <= high:
        return OutOfRange(f"the score for '{name}' is {score:.12g}; the scale is {low} to {high}")
    return CriterionScore(name=name, score=score, why=storable(_why(item))[:WHY_KEPT])


def _why(item: Json) -> str:
    members = item.items() if isinstance(item, dict) else ()
    return next(
        (said for key, said in members if name_of(key) == "why" and isinstance(said, str)), ""
    )


def _note(value: dict[str, Json], score: float, judging: Judging) -> str:
    """What to tell people where the judge's own overall verdict is not what its scores come to."""
    passes = score >= judging.threshold
    criteria = {name_of(criterion.name) for criterion in judging.criteria}
    for key, said in value.items():
        name = name_of(key)
        decision = None if name in criteria else _decision(name, said, judging)
        if decision is not None and decision != passes:
            side = "at or above" if passes else "under"
            return short(
                f"the judge also said {name}: {said!r:.60}, but its scores come to {score:.4g}, "
                f"{side} the threshold {judging.threshold:g}"
            )
    return ""


def _decision(name: str, said: Json, judging: Judging) -> bool | None:
    if name in _DECIDING:
        if isinstance(said, bool):
            return said
        return _DECISIONS.get(said.strip().lower()) if isinstance(said, str) else None
    overall = read_score(said, judging.scale[1]) if name in _OVERALL else None
    return None if overall is None else overall >= judging.threshold


def short(detail: str) -> str:
    """A detail that fits an event."""
    detail = storable(detail)
    return detail if len(detail) <= _DETAIL_LIMIT else detail[: _DETAIL_LIMIT - 1] + "…"
