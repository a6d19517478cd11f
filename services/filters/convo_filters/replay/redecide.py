"""The verdict of one conversation with other settings, from what its run recorded. Pure.

Reasons go in precedence order as in the run: mechanical rules, near duplicate, copy of an example, judge. What did not
change is taken from the record, so the run's own settings give the run's own verdicts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from convo_events.conversations import Hit
from convo_events.reasons import Layer
from convo_events.reducing import is_decided, reduced
from convo_events.replays import ReplayStatus
from convo_filters.replay.changes import Changes

NEAR, COPY, BELOW = "near_duplicate", "example_copy", "judge_below_threshold"
Samples = tuple[tuple[tuple[float, ...], int], ...]
"""Scores of each judge, and how many samples it was never asked for, as they could not change the verdict then."""
Look = Literal["nobody", "newcomers", "everybody"]
"""With whom a conversation has to be compared: with nobody, with those that only the replay accepts, with all."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a conversation ends."""

    status: ReplayStatus
    reason: str = ""
    layer: int | None = None
    detail: str = ""

    def differs(self, other: "Verdict") -> bool:
        """Whether the status or the reason is another one; words that explain it do not count."""
        return (self.status, self.reason) != (other.status, other.reason)


ACCEPTED = Verdict("accepted")
UNJUDGED = Verdict("unjudged")


@dataclass(frozen=True, slots=True)
class Record:
    """What a run recorded of a settled conversation."""

    verdict: Verdict
    hits: tuple[Hit, ...]
    """Every finding of the filters, in precedence order; none where they found nothing or never looked."""
    score: float | None
    """Of the judge; None where it gave none."""
    was_filtered: bool
    """False where the conversation failed before the filters saw it: nothing can change its end."""
    samples: Samples = ()
    """Read only where one score does not say enough."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A verdict, but for the neighbours that are only known in the order of settling."""

    otherwise: Verdict
    """The verdict where no neighbour is too near."""
    near: Hit | None = None
    """The recorded neighbour, above the limit; it counts while that conversation stays accepted."""
    look: Look = "nobody"
    """With whom to compare where ``near`` does not count."""

    @property
    def is_final(self) -> bool:
        """Whether no neighbour can change it."""
        return self.near is None and self.look == "nobody"


def redecide(record: Record, changes: Changes, fresh: Mapping[str, Hit | None]) -> Standing:
    """Where a conversation stands with other settings.

    Args:
        record: What its run recorded.
        changes: What the other settings change.
        fresh: What was looked at again, by reason; None where it found nothing now. A rule that looks again and is
            missing here counts as having found nothing.
    """
    if not record.was_filtered:
        return Standing(record.verdict)
    kept = (hit for hit in record.hits if _still_counts(hit, changes, fresh))
    found = sorted(
        (*kept, *(hit for hit in fresh.values() if hit is not None)),
        key=lambda hit: (hit.layer, hit.precedence),
    )
    if found and found[0].layer < Layer.DIVERSITY:
        return Standing(_rejected(found[0]))
    near = next((hit for hit in found if hit.reason == NEAR), None)
    beside = next((hit for hit in found if hit.reason != NEAR), None)
    otherwise = _rejected(beside) if beside else _judged(record, changes)
    return Standing(otherwise, near, _look(record, otherwise, changes))


def settled_verdict(standing: Standing, near: Hit | None) -> Verdict:
    """The verdict with the neighbour that was found too near, if any."""
    return standing.otherwise if near is None else _rejected(near)


def _still_counts(hit: Hit, changes: Changes, fresh: Mapping[str, Hit | None]) -> bool:
    if hit.reason in changes.off or hit.reason in changes.again or hit.reason in fresh:
        return False
    match hit.reason:
        case "near_duplicate":
            return changes.near.holds(hit.similarity)
        case "example_copy":
            return changes.copies.holds(hit.similarity)
        case _:
            return True


def _judged(record: Record, changes: Changes) -> Verdict:
    """What the judge's recorded scores come to; the record's own verdict where the threshold is the same."""
    verdict, now = record.verdict, changes.threshold.now
    if verdict.status == "failed":
        # Without a judge nothing is left that failed, unless something else than the judge did.
        return ACCEPTED if now is None and verdict.reason.startswith("judge_") else verdict
    if now is None:
        return ACCEPTED
    by_judge = verdict.layer == Layer.JUDGE
    if not changes.judges_anew:
        if by_judge or verdict.status == "accepted":
            return verdict
        return UNJUDGED if record.score is None else ACCEPTED
    passes = _passes(record, changes, now)
    if passes is None or record.score is None:
        return UNJUDGED
    if not passes:
        detail = f"score {record.score:g} is under the threshold {now:g}"
        return Verdict("rejected", BELOW, int(Layer.JUDGE), detail)
    if by_judge and verdict.reason != BELOW:
        return verdict
    return UNJUDGED if by_judge and _compares(changes) else ACCEPTED


def _passes(record: Record, changes: Changes, now: float) -> bool | None:
    """Whether the scores reach the threshold; None where samples that were left out could decide it."""
    if record.score is None or changes.judging is None:
        return None
    if not record.samples:
        return record.score >= now
    if not is_decided(record.samples, changes.judging):
        return None
    found = reduced([scores for scores, _ in record.samples], changes.judging)
    return None if found is None else found.passes


def _compares(changes: Changes) -> bool:
    """Whether what passes is compared with a reference next; what was under the threshold never was."""
    comparison = None if changes.judging is None else changes.judging.comparison
    return comparison is not None and comparison.worse == "reject"


def _look(record: Record, otherwise: Verdict, changes: Changes) -> Look:
    """Only what would be accepted, or go on to the judge, is compared; what was accepted is far from all before it."""
    if changes.near.now is None or otherwise.status == "rejected":
        return "nobody"
    if changes.near.is_stricter:
        return "everybody"
    if record.verdict.status == "accepted" or otherwise.status == "failed":
        return "newcomers"
    return "everybody"


def _rejected(hit: Hit) -> Verdict:
    return Verdict("rejected", hit.reason, hit.layer, hit.detail)
