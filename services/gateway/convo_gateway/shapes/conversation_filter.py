"""Which conversations: the one filter of lists, facets, saved views, exports and queues."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from convo_gateway.shapes.conversations import ConversationStatus
from convo_gateway.shapes.counts import Shape

ReviewState = Literal["none", "accepted", "rejected", "flagged"]
"""Latest decision of a person; ``none`` where nobody has decided."""
ConversationSort = Literal[
    "-created",
    "created",
    "-score",
    "score",
    "-cost",
    "cost",
    "-turns",
    "turns",
    "-words",
    "words",
]
"""``-`` for the highest or newest first. What has no such number comes last both ways."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
Names = Annotated[tuple[Name, ...], Field(max_length=200)]
Layer = Annotated[int, Field(ge=0, le=3)]
NotNegative = Annotated[int, Field(ge=0, lt=2**31)]
Score = Annotated[float, Field(allow_inf_nan=False)]
Usd = Annotated[float, Field(ge=0, le=10**9, allow_inf_nan=False)]


class ConversationFilter(Shape):
    """All of what is given has to hold; of several values in one field, any. Empty is no condition.

    Numbers are known from the verdict on: a range leaves out what is open, and what has no such number.
    """

    model_config = ConfigDict(extra="forbid")

    run: Names = ()
    """Ids of runs. Samples are shown only with their run."""
    config: Names = ()
    status: tuple[ConversationStatus, ...] = ()
    reason: Names = ()
    """Recorded reasons."""
    layer: tuple[Layer, ...] = ()
    """Layers of the recorded reason."""
    persona: Names = ()
    voice: Names = ()
    mode: Names = ()
    """Modes of the run config."""
    language: Names = ()
    """Languages of the run config; ``none`` where it is not known."""
    review: tuple[ReviewState, ...] = ()
    edited: bool | None = None
    """Whether a person changed a turn."""
    turns_from: NotNegative | None = None
    """At least so many turns."""
    turns_to: NotNegative | None = None
    """At most so many turns."""
    score_from: Score | None = None
    """The judge's score, at least."""
    score_to: Score | None = None
    """The judge's score, at most."""
    cost_from: Usd | None = None
    """Known cost in US dollars, at least."""
    cost_to: Usd | None = None
    """Known cost in US dollars, at most."""
    text: Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")] = ""
    """Words that the turns have, all of them; in double quotes, one after the other. The last may be only begun."""
