"""Distinct-n: how many of the word n-grams are different. Pure.

Source: Li, Galley, Brockett, Gao and Dolan, "A Diversity-Promoting Objective Function for Neural Conversation Models"
(2016), section 5; over conversations here, so the window (the last 100 accepted) has to stay the same to compare.
"""

from collections.abc import Iterable, Iterator, Sequence

from rensa import RMinHash  # type: ignore[import-untyped]  # the wheel carries no types

from convo_events.words import words

WINDOW = 100
"""Accepted conversations that distinct-n is taken over: it falls as text grows, so the window stays the same to
compare. With fewer of them nothing is decided about a run."""


def distinct_n(conversations: Iterable[Sequence[str]], n: int = 3) -> float | None:
    """Different word n-grams over all word n-grams of the turns, 0 to 1; None where there is no n-gram at all.

    Words are those of ``convo_events.words``: lower-cased, and single characters in scripts without spaces. An n-gram
    does not reach over the end of a turn.

    Raises:
        ValueError: if ``n`` is under 1.
    """
    if n < 1:
        raise ValueError(f"n is {n}; an n-gram has at least one word")
    seen: set[tuple[str, ...]] = set()
    total = 0
    for turns in conversations:
        grams = list(ngrams(turns, n))
        total += len(grams)
        seen.update(grams)
    return len(seen) / total if total else None


def ngrams(turns: Iterable[str], n: int) -> Iterator[tuple[str, ...]]:
    """The word n-grams of a conversation, in order; see ``distinct_n``."""
    for turn in turns:
        tokens = words(turn)
        yield from zip(*(tokens[at:] for at in range(n)), strict=False)


def gram_hashes(turns: Iterable[Sequence[str]], n: int) -> list[int]:
    """The same n-grams as unsigned 64-bit hashes, repeats included, of turns that are split into words already."""
    grams = (
        " ".join(gram)
        for tokens in turns
        for gram in zip(*(tokens[at:] for at in range(n)), strict=False)
    )
    found: list[int] = RMinHash.hash_token_sets([list(grams)])[0]
    return found
