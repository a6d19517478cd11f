"""Counts of a replay: before and after, by status and by reason. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from convo_events.replays import FlipCount, ReasonShift, ReplayCounts, ReplayStatus, StatusCounts
from convo_filters.replay.redecide import Verdict

Ending = tuple[ReplayStatus, str, int | None]
"""Status, reason and layer."""


@dataclass(slots=True)
class Tally:
    """Starts with the run's record, and counts what flips."""

    record: Mapping[Ending, int]
    """How many settled conversations of the run end in which way."""
    flips: "Counter[tuple[Ending, Ending]]" = field(default_factory=Counter)

    def add(self, was: Verdict, now: Verdict) -> None:
        """Count a conversation that flips."""
        before = (was.status, was.reason, was.layer)
        self.flips[before, (now.status, now.reason, now.layer)] += 1

    def counts(self) -> ReplayCounts:
        """All of it."""
        before, after = Counter(self.record), Counter(self.record)
        moves: Counter[tuple[ReplayStatus, ReplayStatus]] = Counter()
        for (was, now), n in self.flips.items():
            after[was] -= n
            after[now] += n
            moves[was[0], now[0]] += n
        return ReplayCounts(
            before=_statuses(before),
            after=_statuses(after),
            reasons=_reasons(before, after),
            flips=tuple(
                FlipCount(was=was, status=status, conversations=n)
                for (was, status), n in moves.most_common()
            ),
        )


def _statuses(endings: "Counter[Ending]") -> StatusCounts:
    counts = dict.fromkeys(StatusCounts.model_fields, 0)
    for (status, _, _), n in endings.items():
        counts[status] += n
    return StatusCounts(**counts)


def _reasons(before: "Counter[Ending]", after: "Counter[Ending]") -> tuple[ReasonShift, ...]:
    named = sorted({(layer or 0, reason) for _, reason, layer in {*before, *after} if reason})
    return tuple(
        ReasonShift(
            reason=reason,
            layer=layer,
            before=_of(before, layer, reason),
            after=_of(after, layer, reason),
        )
        for layer, reason in named
    )


def _of(endings: "Counter[Ending]", layer: int, reason: str) -> int:
    return sum(n for (_, why, at), n in endings.items() if (at or 0, why) == (layer, reason))
