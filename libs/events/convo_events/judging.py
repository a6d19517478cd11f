"""Layer 3 as a run config says it: the rubric, who judges how often, and what a conversation is compared with."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from convo_events.catalog_parts import CatalogObject, Name, RoleModel, Share, Weight
from convo_events.judge_health import JudgeHealth

Reducer = Literal["mean", "median", "lowest", "majority"]
"""How the scores of several samples become one. ``majority``: more than half of them reach the threshold."""
MOST_SAMPLES, MOST_PANEL = 9, 4


class JudgedCriterion(CatalogObject):
    """One question to the judge."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,49}$")]
    question: Annotated[str, Field(min_length=1, max_length=2_000)]
    weight: Weight = 1
    anchors: dict[int, Annotated[str, Field(min_length=1, max_length=500)]] = Field(
        default={}, max_length=21, exclude_if=lambda anchors: not anchors
    )
    """Score to what a conversation with that score looks like. Scores of the scale only; not all need one."""


class PairComparison(CatalogObject):
    """The judge also says which is better: the conversation or an example of the prompt set, asked in both orders.

    Only what it says in both orders counts; an answer that changes with the order is undecided.
    """

    example: Name
    """Example of the prompt set that conversations are compared with."""
    question: Annotated[str, Field(max_length=2_000)] = ""
    """What makes one the better one; empty: the rubric does."""
    worse: Literal["reject", "record"] = "record"
    """What becomes of a conversation that is worse in both orders."""


class Judging(CatalogObject):
    """Layer 3: the rubric and its threshold. The score is the weighted mean over the criteria."""

    criteria: tuple[JudgedCriterion, ...] = Field(min_length=1, max_length=20)
    scale: tuple[int, int] = (1, 5)
    """Lowest and highest score."""
    threshold: float
    """A score under it rejects."""
    retries: Annotated[int, Field(ge=0, le=5)] = 1
    """New tries after an answer that did not parse, for each sample."""
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES, exclude_if=lambda count: count == 1)] = 1
    """How often each judge scores a conversation."""
    reducer: Annotated[Reducer, Field(exclude_if=lambda how: how == "mean")] = "mean"
    """What the score of a judge with several samples is; with a panel the mean over the judges follows."""
    panel: Annotated[
        tuple[RoleModel, ...], Field(max_length=MOST_PANEL, exclude_if=lambda panel: not panel)
    ] = ()
    """Further judges beside ``roles.judge``."""
    comparison: Annotated[PairComparison | None, Field(exclude_if=lambda one: one is None)] = None
    """None: conversations are scored alone."""
    recheck_share: Annotated[Share, Field(exclude_if=lambda share: share == 0)] = 0
    """Share of the conversations, drawn by the plan, that are judged once more, to see whether the judge agrees with
    itself. It never touches the verdict."""
    cache: Annotated[bool, Field(exclude_if=lambda cache: not cache)] = False
    """Take the verdict of an earlier, identical request instead of paying for it again. Never for a repeat."""
    health: Annotated[JudgeHealth | None, Field(exclude_if=lambda health: health is None)] = None
    """When a sick judge pauses the run; None: never."""

    @model_validator(mode="after")
    def _threshold_on_scale(self) -> "Judging":
        low, high = self.scale
        if low >= high:
            raise ValueError(f"scale [{low}, {high}]: the first must be under the second")
        if not low <= self.threshold <= high:
            raise ValueError(f"threshold {self.threshold} is not on the scale {low} to {high}")
        most = (high - low) / 2
        if self.health and self.health.min_spread is not None and self.health.min_spread > most:
            raise ValueError(
                f"health, min_spread: scores on the scale {low} to {high} cannot spread more than {most:g}"
            )
        names = [criterion.name for criterion in self.criteria]
        if len(set(names)) != len(names):
            raise ValueError("criteria: two have the same name")
        for criterion in self.criteria:
            beside = sorted(score for score in criterion.anchors if not low <= score <= high)
            if beside:
                raise ValueError(
                    f"criteria, {criterion.name}: anchor {beside[0]} is not on the scale {low} to {high}"
                )
        return self
