"""Reject a conversation in which a speaker says (nearly) the same thing again."""

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_events.similarity import Shingles, jaccard, shingles
from convo_filters.evidence import Found, found_at
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 120
DESCRIPTION = "A speaker says the same again, word for word or nearly."

_LOOK_BACK = 20
_MARGIN = 0.2


class Parameters(RuleParameters):
    """What counts as the same."""

    similarity: Annotated[float, Field(gt=0.3, le=1)] = 0.7
    """Jaccard similarity of word 3-grams from which a turn repeats one of the speaker's last 20."""
    fewest_words: Annotated[int, Field(ge=1, le=1_000)] = 5
    """Shorter turns may repeat: people do say "thank you" twice."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first turn that repeats an earlier one of its speaker: any if equal, one of the last 20 if nearly so."""
    allowed = context.parameters
    said: dict[tuple[str, ...], int] = {}
    recent: dict[str, deque[_Said]] = {}
    for at, turn in enumerate(conversation.turns):
        spoken = context.reading.words[at]
        if len(spoken) < allowed.fewest_words:
            continue
        earlier = said.setdefault((turn.role, *spoken), at)
        if earlier != at:
            return _found(conversation, at, earlier, 1.0)
        this = _Said(at, spoken)
        before = recent.setdefault(turn.role, deque(maxlen=_LOOK_BACK))
        for other in before:
            near = this.similarity(other, allowed.similarity)
            if near >= allowed.similarity:
                return _found(conversation, at, other.turn, near)
        before.append(this)
    return None


class _Said:
    """One turn as it is compared; its 3-grams are only made where a comparison gets that far."""

    def __init__(self, turn: int, spoken: Sequence[str]) -> None:
        self.turn = turn
        self._bag = frozenset(spoken)
        self._spoken = spoken

    @cached_property
    def _runs(self) -> Shingles:
        return shingles([" ".join(self._spoken)])

    def similarity(self, other: "_Said", least: float) -> float:
        """Jaccard similarity of the 3-grams; 0 where the distinct words show that it is far under ``least``.

        Sizes are looked at first, as they cost nothing; then the shared words. The margin is for texts whose changed
        words are in few 3-grams.
        """
        small, large = sorted((len(self._bag), len(other._bag)))
        enough = (least - _MARGIN) * large
        if small < enough or len(self._bag & other._bag) < enough:
            return 0.0
        return jaccard(self._runs, other._runs)


def _found(conversation: Conversation, at: int, earlier: int, near: float) -> Found:
    turn = conversation.turns[at]
    how = "the same words as" if near == 1 else f"{near:.0%} the same three-word runs as"
    return found_at(
        at, turn.text, 0, len(turn.text), f"The {turn.role} uses {how} in turn {earlier}."
    )
