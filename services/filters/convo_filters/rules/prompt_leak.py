"""Reject a turn that repeats the prompt, speaks of it, or shows a model's chat markers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_events.similarity import template_text
from convo_events.snapshot import Snapshot
from convo_events.words import words
from convo_filters.evidence import Found, any_of, found_at, found_match, without_code, word_span
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 60
DESCRIPTION = (
    "A turn repeats the prompt word for word, speaks of its own role play, or shows chat markers."
)

_MARKERS = re.compile(
    r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>|</?s>(?=\s|\Z)|^### ?(?:Instruction|Response):", re.M
)
_SPOKEN = (
    r"\bas an ai(?: language model)?,? (?:that is |who is )?"
    r"(?:playing|simulating|acting as) (?:the|a) (?:role|user)",
    r"\bthe (?:user|simulated|assigned|given) persona\b",
    r"\b(?:my|your|this) (?:assigned )?persona (?:is|would|has|should|wants)\b",
    rf"\b{any_of('according to, based on, as per, following')} (?:my|the) "
    rf"{any_of('system prompt, persona, character sheet, role description')}\b",
    r"\bmy system prompt\b",
    r"\b(?:i am|i['’]m|i will be|i['’]ll be) "
    rf"{any_of('playing, simulating, role-?playing(?: as)?, pretending to be')} "
    rf"(?:the|a) {any_of('user, persona, customer, role, human')}\b",
    r"\b(?:stay|staying|remain|remaining) in character\b",
    r"\b(?:here is|here['’]s|below is) (?:the|a|your) (?:simulated |synthetic |requested )?"
    r"(?:conversation|dialogue|dialog|transcript|script) (?:between|with|you|in which)\b",
    r"\b(?:end of|this concludes) (?:the|this|our) (?:simulated )?(?:conversation|dialogue|role-?play)\b",
    r"\bsimulated (?:user|conversation|dialogue)\b",
)
_PHRASES = re.compile("|".join(_SPOKEN), re.IGNORECASE)
# One of these is in every phrase above; looking for them first costs a tenth of the search.
_HINTS = "persona|system prompt|in character|simulat|playing|pretending|role|dialog|conversation|transcript|script"
_HINT_WORDS = (*_HINTS.split("|"), "acting as")


class Parameters(RuleParameters):
    """How much of the prompt is too much."""

    run_words: Annotated[int, Field(ge=8, le=200)] = 12
    """Words in a row that a turn may share with the prompt, less one."""


@dataclass(frozen=True, slots=True)
class PromptRuns:
    """The prompt's words, and an index of every block of ``block`` words in them.

    Any run of 2 * block - 1 words contains one whole block, so blocks side by side are enough to find it.
    """

    block: int
    pieces: tuple[tuple[str, ...], ...]
    index: dict[tuple[str, ...], tuple[int, int]]
    """Block to its piece and place."""

    def longest(self, spoken: Sequence[str]) -> tuple[int, int]:
        """First word and length of the longest run that ``spoken`` shares with the prompt; length 0 for none."""
        if self.index.keys().isdisjoint(self._blocks(spoken)):
            return 0, 0
        best, reached = (0, 0), 0
        for at, block in enumerate(self._blocks(spoken)):
            # Inside a run that was already followed there is nothing longer to find.
            if at >= reached and (there := self.index.get(block)):
                first, length = self._followed(spoken, at, *there)
                reached = first + length
                best = max(best, (first, length), key=lambda run: run[1])
        return best

    def _blocks(self, spoken: Sequence[str]) -> Iterator[tuple[str, ...]]:
        return zip(*(spoken[at:] for at in range(self.block)), strict=False)

    def _followed(self, spoken: Sequence[str], at: int, piece: int, there: int) -> tuple[int, int]:
        prompt = self.pieces[piece]
        before = 0
        while min(at, there) > before and spoken[at - before - 1] == prompt[there - before - 1]:
            before += 1
        after = self.block
        room = min(len(spoken) - at, len(prompt) - there)
        while after < room and spoken[at + after] == prompt[there + after]:
            after += 1
        return at - before, before + after


def prepare(snapshot: Snapshot, parameters: Parameters) -> PromptRuns:
    """The words of the segments, and of the personas and voices that they are rendered with."""
    texts = template_text(snapshot.prompt_set)
    texts += [persona.summary for persona in snapshot.personas]
    texts += [voice.style for voice in snapshot.voices]
    pieces = tuple(tuple(words(text)) for text in texts)
    block = (parameters.run_words + 1) // 2
    index = {
        piece[at : at + block]: (number, at)
        for number, piece in enumerate(pieces)
        for at in range(0, len(piece) - block + 1, block)
    }
    return PromptRuns(block, pieces, index)


def check(conversation: Conversation, context: Context[Parameters, PromptRuns]) -> Found | None:
    """The first marker, phrase, or run of the prompt's words."""
    for at, turn in enumerate(conversation.turns):
        text = turn.text
        if ("<" in text or "[" in text or "###" in text) and (
            marker := _MARKERS.search(without_code(text))
        ):
            return found_match(at, text, marker, "A chat marker of the model shows.")
        lowered = text.lower()
        if any(hint in lowered for hint in _HINT_WORDS) and (phrase := _PHRASES.search(text)):
            return found_match(at, text, phrase, f"The {turn.role} speaks of its own instructions.")
        first, length = context.prepared.longest(context.reading.words[at])
        if length >= context.parameters.run_words:
            start, end = word_span(text, first, first + length - 1)
            return found_at(at, text, start, end, f"{length} words in a row are the prompt's own.")
    return None
