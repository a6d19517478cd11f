"""Counts of a replay: before and after, by status and by reason. Pure."""

from collections import Counter
from dataclasses import dataclass, field

from convo_events.replays import FlipCount, ReasonCount, ReplayCounts, ReplayStatus, StatusCounts
from convo_filters.replay.redecide import Verdict

_Reason = tuple[int, str]


@dataclass(slots=True)
class Tally:
    """Counts verdicts as they come."""

    before: "Counter[ReplayStatus]" = field(default_factory=Counter)
    after: "Counter[ReplayStatus]" = field(default_factory=Counter)
    reasons_before: "Counter[_Reason]" = field(default_factory=Counter)
    reasons_after: "Counter[_Reason]" = field(default_factory=Counter)
    flips: "Counter[tuple[ReplayStatus, ReplayStatus]]" = field(default_factory=Counter)

    def add(self, was: Verdict, now: Verdict) -> bool:
        """Count a conversation; whether it flips."""
        self.before[was.status] += 1
        self.after[now.status] += 1
        if was.reason:
            self.reasons_before[was.layer or 0, was.reason] += 1
        if now.reason:
            self.reasons_after[now.layer or 0, now.reason] += 1
        flips = now.differs(was)
        if flips:
            self.flips[was.status, now.status] += 1
        return flips

    def counts(self) -> ReplayCounts:
        """All of it."""
        named = sorted({*self.reasons_before, *self.reasons_after})
        return ReplayCounts(
            before=StatusCounts.model_validate(dict(self.before)),
            after=StatusCounts.model_validate(dict(self.after)),
            reasons=tuple(
                ReasonCount(
                    reason=reason,
                    layer=layer,
                    before=self.reasons_before[layer, reason],
                    after=self.reasons_after[layer, reason],
                )
                for layer, reason in named
            ),
            flips=tuple(
                FlipCount(was=was, status=status, conversations=n)
                for (was, status), n in self.flips.most_common()
            ),
        )
