"""What two conversations have in common, for people to see, and the hit of a near duplicate. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.conversations import Hit
from convo_events.excerpts import excerpt
from convo_events.reasons import Layer, precedence
from convo_events.similarity import SHINGLE_WORDS, Neighbour
from convo_events.words import placed_words

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """Words in a row that two texts share, with their place in each (first character, one past the last)."""

    text: str
    """As the first text has it."""
    words: int
    start: int
    end: int
    other_start: int
    other_end: int


def overlap(text: str, other: str, least: int = SHINGLE_WORDS) -> list[Passage]:
    """The passages of at least ``least`` words that both texts have, longest first, not overlapping in ``text``.

    Greedy from left to right, each starting at its first place in ``other``: linear, and enough to show.
    """
    mine, theirs = list(placed_words(text)), list(placed_words(other))
    first: dict[tuple[str, ...], int] = {}
    for at in range(len(theirs) - least, -1, -1):
        first[_run(theirs, at, least)] = at
    found: list[Passage] = []
    at = 0
    while at + least <= len(mine):
        there = first.get(_run(mine, at, least))
        if there is None:
            at += 1
            continue
        length = least
        while (
            at + length < len(mine)
            and there + length < len(theirs)
            and mine[at + length][0] == theirs[there + length][0]
        ):
            length += 1
        start, end = mine[at][1], mine[at + length - 1][2]
        span = (theirs[there][1], theirs[there + length - 1][2])
        found.append(Passage(text[start:end], length, start, end, *span))
        at += length
    return sorted(found, key=lambda passage: (-passage.words, passage.start))


def longest_shared(turns: Sequence[str], other: Sequence[str]) -> tuple[int, Passage] | None:
    """The turn (from 0) and the passage of it that is the longest shared with the other text; None without any."""
    text = "\n".join(other)
    each = [(at, found[0]) for at, turn in enumerate(turns) if (found := overlap(turn, text))]
    return max(each, key=lambda pair: pair[1].words, default=None)


def near_duplicate_hit(neighbour: Neighbour, turns: Sequence[str], other: Sequence[str]) -> Hit:
    """The hit of a conversation too near to an accepted one, with the longest words they share.

    Args:
        neighbour: What ``similarity.nearest`` found.
        turns: Turns of the rejected conversation.
        other: Turns of the neighbour; empty where they are not at hand.
    """
    shared = longest_shared(turns, other)
    hit = Hit(
        reason="near_duplicate",
        layer=Layer.DIVERSITY,
        precedence=precedence(Layer.DIVERSITY, "near_duplicate"),
        detail=f"{neighbour.similarity:.0%} of the three-word runs of this conversation and of "
        f"{neighbour.conversation} together are in both.",
        neighbour=neighbour.conversation,
        similarity=neighbour.similarity,
    )
    return place(hit, shared)


def place(hit: Hit, shared: tuple[int, Passage] | None) -> Hit:
    """The hit with the place and the words of a shared passage; as it was where there is none."""
    if shared is None:
        return hit
    turn, passage = shared
    return hit.model_copy(
        update={
            "turn": turn,
            "start": passage.start,
            "end": passage.end,
            "excerpt": excerpt(passage.text),
        }
    )


def _run(places: list[Place], at: int, length: int) -> tuple[str, ...]:
    return tuple(word for word, _, _ in places[at : at + length])
