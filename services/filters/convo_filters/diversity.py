"""Layer 2: a copy of an example. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from convo_events.catalog import Example, PromptSet
from convo_events.conversations import Hit
from convo_events.overlap import passages, place
from convo_events.reasons import Layer, precedence
from convo_events.similarity import Shingles, containment, shingles, too_near
from convo_events.spoken import Spoken


def example_copy(
    turns: Sequence[str], prompt_set: PromptSet, limit: float, spoken: Spoken | None = None
) -> Hit | None:
    """The hit that names the example most of which is in the conversation; None where no share is above the limit."""
    said = spoken.shingles(turns) if spoken else shingles(turns)
    shares = [(containment(_of_example(one), said), one) for one in prompt_set.examples]
    share, example = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    if example is None or not too_near(share, limit):
        return None
    hit = Hit(
        reason="example_copy",
        layer=Layer.DIVERSITY,
        precedence=precedence(Layer.DIVERSITY, "example_copy"),
        detail=f"{share:.0%} of the three-word runs of the example {example.name} are in this conversation.",
        neighbour=example.name,
        similarity=share,
    )
    return place(hit, turns, passages(turns, example.turns))


@lru_cache(maxsize=256)
def _of_example(example: Example) -> Shingles:
    return shingles(example.turns)
