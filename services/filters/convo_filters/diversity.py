"""Layer 2: too near to an accepted conversation, or a copy of an example. Pure: neighbours are arguments."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from convo_events.catalog import Example, PromptSet
from convo_events.conversations import Hit
from convo_events.overlap import near_duplicate_hit, passages, place
from convo_events.reasons import Layer, precedence
from convo_events.similarity import Shingles, containment, nearest, shingles, too_near


def near_duplicate(
    candidate: Shingles,
    neighbours: Iterable[tuple[str, Shingles]],
    limit: float,
    turns: Sequence[str] = (),
    texts: Mapping[str, Sequence[str]] | None = None,
) -> Hit | None:
    """The hit that names the nearest neighbour above the limit; None where all are far enough.

    Args:
        candidate: Masked shingles of the conversation.
        neighbours: Id and masked shingles of each accepted conversation that the bands propose.
        limit: Jaccard similarity above which a conversation is too near.
        turns: The conversation's turns; with ``texts`` the hit also shows the longest words both have.
        texts: Turns of the neighbours by id.
    """
    found = nearest(candidate, neighbours, limit)
    if found is None:
        return None
    return near_duplicate_hit(found, turns, (texts or {}).get(found.conversation, ()))


def example_copy(turns: Sequence[str], prompt_set: PromptSet, limit: float) -> Hit | None:
    """The hit that names the example most of which is in the conversation; None where no share is above the limit."""
    said = shingles(turns)
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
