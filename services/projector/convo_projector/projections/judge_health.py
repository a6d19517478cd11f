"""How each judge of a run does: states of its answers, spread of its scores, agreement with itself. Rows stay small."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

from convo_events.codec import Event
from convo_events.judge_answers import AnswerState, answer_of, judge_of
from convo_events.judge_health import WINDOW, bin_width
from convo_events.outcomes import CriterionScore, Judged
from convo_projector.stamp import Key, Stamp

TABLE = "judge_health"
KEY = ("run", "judge")
MOST_CRITERIA = 20
"""As many as a rubric may have."""


@dataclass(frozen=True, slots=True)
class Row:
    """One judge of one run."""

    run: str
    judge: str
    scored: int = 0
    compared: int = 0
    unparsed: int = 0
    truncated: int = 0
    out_of_range: int = 0
    contradictory: int = 0
    refused: int = 0
    other: int = 0
    scale_min: float | None = None
    scale_max: float | None = None
    threshold: float | None = None
    mean: float | None = None
    squares: float | None = None
    lowest: int = 0
    highest: int = 0
    bins: list[int] = field(default_factory=list)
    criteria: dict[str, list[float]] = field(default_factory=dict)
    recent: list[list[Any]] = field(default_factory=list)
    pass_pass: int = 0
    pass_fail: int = 0
    fail_pass: int = 0
    fail_fail: int = 0
    apart: float = 0
    recent_pairs: list[list[int]] = field(default_factory=list)
    rechecks: int = 0
    recheck_micro: int = 0
    recheck_unknown: int = 0
    seq: int = 0


def key(event: Event, stamp: Stamp) -> Key | None:
    """The run and the judge that answered."""
    found = answer_of(event)
    return None if found is None else (found[0].run, judge_of(found[0]))


def evolve(row: Row | None, event: Event, stamp: Stamp) -> Row | None:
    """The judge with this answer added; what a late one cost was paid all the same."""
    found = answer_of(event)
    if found is None:
        return row
    answer, state = found
    before = row or Row(answer.run, judge_of(answer))
    changed: dict[str, Any] = {} if stamp.charged else _charge(before, event)
    if not stamp.late:
        changed |= _counted(before, event, state, stamp)
        if isinstance(event, Judged):
            changed |= _scored(before, event) | _pair(before, event, stamp)
    return replace(before, seq=stamp.seq, **changed) if changed else row


def _charge(row: Row, event: Event) -> dict[str, Any]:
    if not isinstance(event, Judged) or event.purpose != "recheck" or event.call is None:
        return {}
    call = event.call
    unknown = call.cost_micro is None or call.basis == "worst_case"
    return {
        "rechecks": row.rechecks + 1,
        "recheck_micro": row.recheck_micro + (0 if unknown else call.cost_micro or 0),
        "recheck_unknown": row.recheck_unknown + int(unknown),
    }


def _counted(row: Row, event: Event, state: AnswerState, stamp: Stamp) -> dict[str, Any]:
    score = event.score if isinstance(event, Judged) else None
    recent = [*row.recent, [stamp.seq, state, score]][-WINDOW:]
    return {state: getattr(row, state) + 1, "recent": recent}


def _scored(row: Row, event: Judged) -> dict[str, Any]:
    """Mean and squares by Welford's method (1962), which loses no digits however many scores there are."""
    n = row.scored + 1
    mean, squares = _welford(n, row.mean or 0.0, row.squares or 0.0, event.score)
    return {
        "scale_min": event.scale_min,
        "scale_max": event.scale_max,
        "threshold": event.threshold,
        "mean": mean,
        "squares": squares,
        "lowest": row.lowest + int(event.score <= event.scale_min),
        "highest": row.highest + int(event.score >= event.scale_max),
        "bins": _binned(row.bins, event),
        "criteria": _by_criterion(row.criteria, event.criteria),
    }


def _welford(n: int, mean: float, squares: float, score: float) -> tuple[float, float]:
    off = score - mean
    mean += off / n
    return mean, squares + off * (score - mean)


def _binned(bins: list[int], event: Judged) -> list[int]:
    """Counts with this score in the bin whose middle it is nearest to; halfway it belongs to the higher one."""
    width = bin_width(event.scale_min, event.scale_max)
    last = round((event.scale_max - event.scale_min) / width)
    counts = bins if len(bins) == last + 1 else [0] * (last + 1)
    place = math.floor((event.score - event.scale_min) / width + 0.5)
    place = max(0, min(last, place))
    return [*counts[:place], counts[place] + 1, *counts[place + 1 :]]


def _by_criterion(
    known: dict[str, list[float]], scores: tuple[CriterionScore, ...]
) -> dict[str, list[float]]:
    after = dict(known)
    for one in scores[:MOST_CRITERIA]:
        n, mean, squares = after.get(one.name, [0, 0.0, 0.0])
        if one.name in after or len(after) < MOST_CRITERIA:
            after[one.name] = [n + 1, *_welford(int(n) + 1, mean, squares, one.score)]
    return after


def _pair(row: Row, event: Judged, stamp: Stamp) -> dict[str, Any]:
    """What a second answer says beside the first one of the same judge."""
    if event.purpose != "recheck" or event.earlier is None:
        return {}
    first, second = event.earlier >= event.threshold, event.score >= event.threshold
    cell = f"{'pass' if first else 'fail'}_{'pass' if second else 'fail'}"
    return {
        cell: getattr(row, cell) + 1,
        "apart": row.apart + abs(event.score - event.earlier),
        "recent_pairs": [*row.recent_pairs, [stamp.seq, int(first == second)]][-WINDOW:],
    }
