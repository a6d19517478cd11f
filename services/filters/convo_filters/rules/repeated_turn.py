"""Reject a conversation in which a speaker says (nearly) the same thing again."""

from collections import deque
from itertools import islice
from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_events.similarity import Shingles
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 120
DESCRIPTION = "A speaker says the same again, word for word or nearly."

_LOOK_BACK = 20


class Parameters(RuleParameters):
    """What counts as the same."""

    similarity: Annotated[float, Field(gt=0.3, le=1)] = 0.7
    """Jaccard similarity of word 3-grams from which a turn repeats one of the speaker's last 20."""
    fewest_words: Annotated[int, Field(ge=1, le=1_000)] = 5
    """Shorter turns may repeat: people do say "thank you" twice."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first turn that repeats an earlier one of its speaker: any if equal, one of the last 20 if nearly so."""
    allowed = context.parameters
    earlier_turns: dict[tuple[str, tuple[str, ...]], int] = {}
    recent: dict[str, deque[tuple[int, Shingles]]] = {}
    for said in context.reading.turns:
        spoken = said.words
        if len(spoken) < allowed.fewest_words:
            continue
        earlier = earlier_turns.setdefault((said.role, spoken), said.at)
        if earlier != said.at:
            return _found(said, earlier, 1.0)
        # Comparing numbers is far cheaper than comparing words; two runs hardly ever have the same one.
        runs = said.runs
        some = frozenset(islice(runs, len(runs) // 4))
        before = recent.setdefault(said.role, deque(maxlen=_LOOK_BACK))
        for other, other_runs in before:
            near = _similarity(runs, some, other_runs, allowed.similarity)
            if near >= allowed.similarity:
                return _found(said, other, near)
        before.append((said.at, runs))
    return None


def _similarity(one: Shingles, some: Shingles, other: Shingles, wanted: float) -> float:
    """The similarity, or 0 where the sizes, or some runs of the one turn, alone rule out the wanted one."""
    small, large = len(one), len(other)
    if small < wanted * large or large < wanted * small or not small:
        return 0.0
    # The most that is shared, if the other has all the rest.
    most = len(one) - len(some) + len(some & other)
    if most / (small + large - most) < wanted:
        return 0.0
    shared = len(one & other)
    return shared / (small + large - shared)


def _found(said: Said, earlier: int, near: float) -> Found:
    how = "the same words as" if near == 1 else f"{near:.0%} the same three-word runs as"
    return said.found_whole(f"The {said.role} uses {how} in turn {earlier}.")
