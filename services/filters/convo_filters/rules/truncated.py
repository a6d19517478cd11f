"""Reject a conversation whose last words are cut off."""

import re

from convo_events.conversations import Conversation
from convo_events.snapshot import Snapshot
from convo_filters.evidence import Found, found_at
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 40
DESCRIPTION = (
    "The model ran into its answer limit or a content filter, or the last turn breaks off."
)

_OPEN_END = re.compile(r"(?:[,;:(\[{“«„、，；：（「]|\w-|\s[–—-])\s*\Z")
_LAST_WORD = re.compile(r"(?:\A|[\s(])([^\W\d_]{1,12})\s*\Z")
_TAIL = 200
# Words that cannot end a sentence, where the model writes no full stop either.
_DANGLING = {
    "en": "the a an and or but because your my our their than if which into every very",
    "de": "ein eine einen einem und oder weil dass für sehr zum zur",
    "fr": "le la les un une des du de et ou mais que qui dans pour avec très au aux votre",
    "es": "el la los las un una de del y o pero que en con por para muy tu su al",
    "pt": "o a os as um uma de do da dos das e ou mas que em com por para muito seu sua",
    "it": "il lo la gli le un una di del della e o ma che in con per molto",
    "ru": "и или но что чтобы в на с для от потому очень как",
}
_DANGLING_WORDS = {language: frozenset(words.split()) for language, words in _DANGLING.items()}


class Parameters(RuleParameters):
    """What counts as cut off besides what the model itself reports."""

    broken_off: bool = True
    """Also look at how the last assistant turn ends: a comma, an open bracket, "and", an open code block."""


def prepare(snapshot: Snapshot, parameters: Parameters) -> frozenset[str]:
    """Finish reasons that the config accepts."""
    role = snapshot.role("script" if snapshot.config.mode == "scripted" else "assistant")
    return frozenset(role.accept_finish) | {"stop"}


def check(conversation: Conversation, context: Context[Parameters, frozenset[str]]) -> Found | None:
    """A finish that is not accepted, else the end of a last turn that breaks off."""
    last = len(conversation.turns) - 1
    if last < 0:
        return None
    turn = conversation.turns[last]
    start = max(0, len(turn.text) - _TAIL)
    if conversation.finish not in context.prepared:
        detail = f"The model stopped with {conversation.finish!r}."
        return found_at(last, turn.text, start, len(turn.text), detail)
    if not context.parameters.broken_off or turn.role != "assistant":
        return None
    if turn.text.count("```") % 2:
        at = turn.text.rindex("```")
        return found_at(last, turn.text, at, len(turn.text), "A code block is never closed.")
    # The end is looked for in the tail alone, so that a huge turn costs nothing.
    tail = turn.text[start:].rstrip()
    if _OPEN_END.search(tail) or _dangles(tail, conversation.language):
        first = max(0, len(tail) - 60)
        detail = "The last turn breaks off in the middle of a sentence."
        return found_at(last, turn.text, start + first, start + len(tail), detail)
    return None


def _dangles(tail: str, language: str) -> bool:
    words = _DANGLING_WORDS.get(language.split("-")[0].lower(), frozenset())
    found = _LAST_WORD.search(tail)
    return bool(found) and found[1] in words if found else False
