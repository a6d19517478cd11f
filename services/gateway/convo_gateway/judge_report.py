"""How a run's judges do, put together from what is folded of their answers and what people decided. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from convo_events.agreement import Confusion, kappa
from convo_events.judge_answers import STATES
from convo_events.judge_health import Answers, JudgeHealth, bin_width, is_doubtful, sickness
from convo_gateway.reads.judge_health import Reviewed
from convo_gateway.shapes.judge_health import (
    Again,
    AnswerCounts,
    BetweenPeople,
    Condition,
    CriterionSpread,
    Finding,
    JudgeReport,
    OneJudge,
    RecheckCosts,
    ScoreBin,
    Spread,
    WithPeople,
)

Row = Mapping[str, Any]
"""A row of ``judge_health``."""
_SILENT = {state: 0 for state in STATES} | {
    "recent": "[]",
    "recent_pairs": "[]",
    "criteria": "{}",
    "rechecks": 0,
    "recheck_micro": 0,
    "recheck_unknown": 0,
    **dict.fromkeys(("pass_pass", "pass_fail", "fail_pass", "fail_fail"), 0),
}
"""A judge that has not answered."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """What the run froze about its judges."""

    names: tuple[str, ...]
    """Backend and model of each, the role ``judge`` first."""
    limits: JudgeHealth | None
    recheck_share: float


def frozen(body: bytes | None) -> Frozen:
    """The judges of a snapshot; nobody where it is not there or has none."""
    config = orjson.loads(body)["config"] if body else {}
    judging = config.get("judge")
    if not judging:
        return Frozen((), None, 0)
    seats = [config["roles"]["judge"], *judging.get("panel", ())]
    names = dict.fromkeys(f"{seat['backend']}/{seat['model']}" for seat in seats)
    health = judging.get("health")
    limits = None if health is None else JudgeHealth.model_validate(health)
    return Frozen(tuple(names), limits, judging.get("recheck_share", 0))


def judge_report(
    known: Frozen, rows: Sequence[Row], resumed: int, reviews: Reviewed
) -> JudgeReport:
    """The report.

    Args:
        known: What the run froze.
        rows: One for each judge that answered.
        resumed: Position of the run's last resume; its condition rests on what came behind it.
        reviews: What people decided.
    """
    by_name: dict[str, Row] = {name: _SILENT | {"judge": name, "scored": 0} for name in known.names}
    by_name |= {row["judge"]: row for row in rows}
    return JudgeReport(
        judges=[_judge(row, known.limits, resumed) for row in by_name.values()],
        limits=known.limits,
        recheck_share=known.recheck_share,
        people=_people(reviews),
        between_people=BetweenPeople(
            both=reviews.people.n, same=_same(reviews.people), **_kappa(reviews.people)
        ),
    )


def _judge(row: Row, limits: JudgeHealth | None, resumed: int) -> OneJudge:
    recent = orjson.loads(row["recent"])
    answers = Answers.after(resumed, row["judge"], recent, orjson.loads(row["recent_pairs"]))
    condition, finding = _condition(answers, limits)
    return OneJudge(
        judge=row["judge"],
        condition=condition,
        finding=finding,
        measured=len(answers.states),
        answers=_counts({state: row[state] for state in STATES}),
        last=_counts(Counter(state for _, state, _ in recent)),
        spread=_spread(row) if row["scored"] else None,
        criteria=[
            CriterionSpread(name=name, scores=int(n), mean=mean, deviation=_deviation(squares, n))
            for name, (n, mean, squares) in orjson.loads(row["criteria"]).items()
        ],
        again=_again(row),
        rechecks=_rechecks(row),
    )


def _condition(answers: Answers, limits: JudgeHealth | None) -> tuple[Condition, Finding | None]:
    """By the run's own limits, or by the usual ones where it has none: then it is only told."""
    held = limits or JudgeHealth()
    if not answers.states:
        return "unknown", None
    sick = sickness(answers, held)
    if sick is None:
        return ("doubtful" if is_doubtful(answers, held) else "well"), None
    finding = Finding(
        measure=sick.measure,
        value=sick.value,
        n=sick.n,
        limit=sick.limit,
        sentence=sick.sentence,
    )
    return "sick", finding


def _counts(by_state: Mapping[str, int]) -> AnswerCounts:
    counts = {state: by_state.get(state, 0) for state in STATES}
    return AnswerCounts(answers=sum(counts.values()), **counts)


def _spread(row: Row) -> Spread:
    low, high, n = row["scale_min"], row["scale_max"], row["scored"]
    width = bin_width(low, high)
    bins = [
        ScoreBin(score=min(high, low + place * width), count=count)
        for place, count in enumerate(orjson.loads(row["bins"]))
    ]
    commonest = max(bins, key=lambda one: one.count)
    return Spread(
        scores=n,
        mean=row["mean"],
        deviation=_deviation(row["squares"], n),
        scale=(low, high),
        bins=bins,
        bin_width=width,
        commonest=commonest,
        commonest_share=commonest.count / n,
        lowest=row["lowest"],
        highest=row["highest"],
        ends_share=(row["lowest"] + row["highest"]) / n,
    )


def _deviation(squares: float, n: float) -> float:
    return math.sqrt(max(0.0, squares) / n)


def _again(row: Row) -> Again | None:
    table = Confusion(row["pass_pass"], row["pass_fail"], row["fail_pass"], row["fail_fail"])
    if table.n == 0:
        return None
    apart = row["apart"] / table.n
    return Again(pairs=table.n, same=_same(table), mean_apart=apart, **_kappa(table))


def _rechecks(row: Row) -> RecheckCosts:
    calls, unknown = row["rechecks"], row["recheck_unknown"]
    known = None if calls and calls == unknown else row["recheck_micro"]
    return RecheckCosts(calls=calls, known_micro=known, unknown_calls=unknown)


def _people(reviews: Reviewed) -> WithPeople:
    table = reviews.judges
    return WithPeople(
        both=table.n,
        pass_accepted=table.both_yes,
        pass_rejected=table.first_only,
        fail_accepted=table.second_only,
        fail_rejected=table.both_no,
        same=_same(table),
        flagged=reviews.flagged,
        unscored=reviews.unscored,
        **_kappa(table),
    )


def _same(table: Confusion) -> int:
    return table.both_yes + table.both_no


def _kappa(table: Confusion) -> dict[str, Any]:
    found = kappa(table)
    return {"kappa": found.value, "low": found.low, "high": found.high, "why": found.why}
