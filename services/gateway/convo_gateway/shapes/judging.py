"""What judges were asked and what they said, of one conversation and of a run."""

from datetime import datetime
from typing import Literal

from convo_events.conversations import JudgeTally
from convo_events.outcomes import CriterionScore
from convo_gateway.shapes.counts import Shape


class Judgement(Shape):
    """One question to a judge, and what came back."""

    step: int
    purpose: Literal["verdict", "comparison", "recheck"]
    """``recheck``: it only measures the judge, and is in no score."""
    seat: int
    """0 is the model of the role ``judge``, the panel follows."""
    sample: int
    """Which sample of that judge, from 0; of a comparison 1 is the one that has the example first."""
    judge: str
    """Backend and model; empty until it answered."""
    state: str
    """``asked``, ``scored``, ``compared``, or the way in which there was no answer, such as ``unparsed``."""
    score: float | None
    better: Literal["", "candidate", "reference", "tie"]
    """Of a comparison: which one, whatever came first."""
    criteria: list[CriterionScore]
    why: str
    """The reason of a comparison."""
    reason: str
    """Layer 0 code, where there was no answer."""
    detail: str
    note: str
    """An overall verdict of the judge's own that contradicts its scores; the threshold decides."""
    cached_from: str
    """Conversation whose verdict was taken from the cache; empty where the judge was asked."""
    avoided_micro: int | None
    """What that call would have cost; no part of any cost. None where it was made, or has no price."""
    at: datetime


class TallyShown(Shape):
    """How a verdict came about that stands on more than one answer."""

    reducer: Literal["mean", "median", "lowest", "majority"]
    scored: int
    """Samples with a score, of all judges; the others have no part in it."""
    planned: int
    asked: int
    """Samples that were asked for; those left out could not have changed the verdict."""
    passing: int
    """Scored samples at the threshold or above it."""
    judges: list[JudgeTally]
    spread: float | None
    """Highest score of a judge less the lowest one; None where fewer than two have one."""
    compared: Literal["better", "worse", "tie", "undecided", "unparsed"] | None
    """What comparing it with the example came to. ``undecided``: the answer changed with the order."""


class Comparisons(Shape):
    """What comparing conversations with the example came to, one a conversation that was compared."""

    example: str
    worse: Literal["reject", "record"]
    """What becomes of a conversation that is worse in both orders."""
    compared: int
    """Conversations with a verdict that were compared."""
    better: int
    """In both orders; likewise the next two."""
    worse_count: int
    tie: int
    undecided: int
    """The answer changed with the order."""
    unparsed: int
    """In one of the orders no answer could be read."""
