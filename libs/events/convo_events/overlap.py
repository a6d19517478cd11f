"""What two conversations have in common, for people to see, and the hit of a near duplicate. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.conversations import Hit, Overlap
from convo_events.excerpts import excerpt
from convo_events.reasons import Layer, precedence
from convo_events.similarity import SHINGLE_WORDS, Neighbour, Shingles, hashes_in_order
from convo_events.words import placed_words

MOST_OVERLAPS = 20
_PLACES = 8
"""Places of the other text that a run of words is tried at: keeps floods of one word linear."""
_Placed = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """Words in a row that two conversations share."""

    words: int
    counted: int
    """Three-word runs in it that are no template text: what it adds to the similarity."""
    place: Overlap


def passages(
    turns: Sequence[str], other: Sequence[str], mask: Shingles = frozenset()
) -> list[Passage]:
    """Passages of three words and more that both conversations have, weightiest first; none lies over another.

    Greedy from left to right, each at the place of ``other`` where it goes on longest: linear, and enough to show.
    What is template text through and through is left out, unless all that they share is.
    """
    found = [one for one in _passages(turns, other, mask) if one.counted]
    return found or (_passages(turns, other, frozenset()) if mask else [])


def near_duplicate_hit(
    neighbour: Neighbour, turns: Sequence[str], other: Sequence[str], mask: Shingles = frozenset()
) -> Hit:
    """The hit of a conversation too near to an accepted one, with the passages they share.

    Args:
        neighbour: What ``similarity.nearest`` found.
        turns: Turns of the rejected conversation.
        other: Turns of the neighbour; empty where they are not at hand.
        mask: Shingles of template text.
    """
    hit = Hit(
        reason="near_duplicate",
        layer=Layer.DIVERSITY,
        precedence=precedence(Layer.DIVERSITY, "near_duplicate"),
        detail=f"{neighbour.similarity:.0%} of the three-word runs of this conversation and of "
        f"{neighbour.conversation} together are in both.",
        neighbour=neighbour.conversation,
        similarity=neighbour.similarity,
    )
    return place(hit, turns, passages(turns, other, mask))


def place(hit: Hit, turns: Sequence[str], shared: Sequence[Passage]) -> Hit:
    """The hit with the places of shared passages and the words of the first; as it was where there are none."""
    if not shared:
        return hit
    first = shared[0].place
    return hit.model_copy(
        update={
            "turn": first.turn,
            "start": first.start,
            "end": first.end,
            "excerpt": excerpt(turns[first.turn][first.start : first.end]),
            "overlaps": tuple(passage.place for passage in shared[:MOST_OVERLAPS]),
        }
    )


def _passages(turns: Sequence[str], other: Sequence[str], mask: Shingles) -> list[Passage]:
    theirs = [list(placed_words(text)) for text in other]
    places = _places(theirs)
    found = [
        passage
        for number, text in enumerate(turns)
        for passage in _of_turn(number, list(placed_words(text)), theirs, places, mask)
    ]
    return sorted(
        found, key=lambda one: (-one.counted, -one.words, one.place.turn, one.place.start)
    )


def _of_turn(
    number: int,
    mine: list[_Placed],
    theirs: list[list[_Placed]],
    places: dict[tuple[str, ...], list[tuple[int, int]]],
    mask: Shingles,
) -> list[Passage]:
    runs = [_run(mine, at) for at in range(len(mine) - SHINGLE_WORDS + 1)]
    counts = [one not in mask for one in hashes_in_order(runs)] if mask else [True] * len(runs)
    found = []
    at = 0
    while at < len(runs):
        length, turn, there = max(
            ((_together(mine, at, theirs[t], b), -t, -b) for t, b in places.get(runs[at], ())),
            default=(0, 0, 0),
        )
        if not length:
            at += 1
            continue
        their = theirs[-turn]
        span = Overlap(
            turn=number,
            start=mine[at][1],
            end=mine[at + length - 1][2],
            other_turn=-turn,
            other_start=their[-there][1],
            other_end=their[-there + length - 1][2],
        )
        found.append(Passage(length, sum(counts[at : at + length - SHINGLE_WORDS + 1]), span))
        at += length
    return found


def _places(theirs: list[list[_Placed]]) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Three words in a row to the turns and words where they begin, the first few of them."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for turn, placed in enumerate(theirs):
        for at in range(len(placed) - SHINGLE_WORDS + 1):
            known = places.setdefault(_run(placed, at), [])
            if len(known) < _PLACES:
                known.append((turn, at))
    return places


def _together(mine: list[_Placed], at: int, theirs: list[_Placed], there: int) -> int:
    """How many words go on equal from two places."""
    most = min(len(mine) - at, len(theirs) - there)
    for length in range(SHINGLE_WORDS, most):
        if mine[at + length][0] != theirs[there + length][0]:
            return length
    return most


def _run(placed: list[_Placed], at: int) -> tuple[str, ...]:
    return tuple(word for word, _, _ in placed[at : at + SHINGLE_WORDS])
