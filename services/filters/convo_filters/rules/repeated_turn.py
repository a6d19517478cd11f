"""Reject a conversation in which a speaker says (nearly) the same thing again."""

from collections import deque
from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, found_at
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 120
DESCRIPTION = "A speaker says the same again, word for word or nearly."

_LOOK_BACK = 20
_Runs = frozenset[tuple[str, str, str]]


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
    recent: dict[str, deque[tuple[int, _Runs]]] = {}
    for at, turn in enumerate(conversation.turns):
        spoken = context.reading.words[at]
        if len(spoken) < allowed.fewest_words:
            continue
        earlier = said.setdefault((turn.role, *spoken), at)
        if earlier != at:
            return _found(conversation, at, earlier, 1.0)
        runs = frozenset(zip(spoken, spoken[1:], spoken[2:], strict=False))
        before = recent.setdefault(turn.role, deque(maxlen=_LOOK_BACK))
        for other, other_runs in before:
            near = _similarity(runs, other_runs)
            if near >= allowed.similarity:
                return _found(conversation, at, other, near)
        before.append((at, runs))
    return None


def _similarity(one: _Runs, other: _Runs) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _found(conversation: Conversation, at: int, earlier: int, near: float) -> Found:
    turn = conversation.turns[at]
    how = "the same words as" if near == 1 else f"{near:.0%} the same three-word runs as"
    return found_at(
        at, turn.text, 0, len(turn.text), f"The {turn.role} uses {how} in turn {earlier}."
    )
