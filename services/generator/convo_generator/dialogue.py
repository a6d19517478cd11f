"""Modes ``dialogue`` and ``sessions``: two sides that speak in turn, and neither sees the other's prompt. Pure.

The user side speaks first. For each side its own turns are the ``assistant`` messages and the other's are the ``user``
messages, as chat models know it.
"""

import re
from collections.abc import Sequence

from convo_events.conversations import Role, Turn
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_generator.malformed import Malformed, malformed
from convo_models.answers import storable, unfenced, without_reasoning
from convo_models.past import Past
from convo_models.prompts import render

Messages = tuple[tuple[str, str], ...]
"""Role (``system``, ``user``, ``assistant``) and content, in the order they are sent."""

KICK_OFF = "Write the first message."
"""What the user side is asked first. Many APIs need a ``user`` message after the system's, and one before an
``assistant`` message; this one leads every list of the user side, so that roles alternate all the way."""

_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("「", "」"), ("„", "“"))


def next_speaker(turns: Sequence[Turn]) -> Role:
    """Who speaks next: the user first, then whoever did not speak last."""
    return "assistant" if turns and turns[-1].role == "user" else "user"


def messages(snapshot: Snapshot, draw: Draw, past: Past) -> tuple[Role, Messages]:
    """Who speaks next, and what that side's model is sent.

    Args:
        snapshot: What the run froze.
        draw: The plan of this conversation.
        past: What was said so far, and what the persona remembers.

    Raises:
        TemplateProblem: where the side's segment cannot be rendered.
    """
    turns = past.turns
    speaker = next_speaker(turns)
    segment = _segment(snapshot, speaker, first=not turns)
    system = render(snapshot, segment, draw, len(turns) + 1, past.memory)
    heard = tuple(("assistant" if turn.role == speaker else "user", turn.text) for turn in turns)
    lead = (("user", KICK_OFF),) if speaker == "user" else ()
    return speaker, (("system", system), *lead, *heard)


def _segment(snapshot: Snapshot, speaker: Role, *, first: bool) -> str:
    return "opening" if first and "opening" in snapshot.prompt_set.segments else speaker


def turn_from_reply(text: str, speaker: Role) -> str | Malformed:
    """The turn in a reply: without reasoning, a fence, quotes, or the speaker's own label around the whole.

    Everything else stays as the model wrote it, so that the rules can judge it; an empty reply is an empty turn.
    """
    answer = without_reasoning(text)
    if answer is None:
        return malformed(
            "the reply has a <think> or </think> without its other half; raise max_tokens, "
            "or let the backend keep the reasoning apart"
        )
    answer = _unquoted(unfenced(storable(answer).strip()).strip())
    spoken = re.sub(rf"\A{speaker}[ \t]*:", "", answer, count=1, flags=re.IGNORECASE)
    return answer if spoken == answer else _unquoted(spoken.strip())


def _unquoted(text: str) -> str:
    """The text inside quotes around the whole, where no such quote stands inside; else the text."""
    for opening, closing in _QUOTES:
        if len(text) >= 2 and text.startswith(opening) and text.endswith(closing):
            inside = text[1:-1]
            if opening not in inside and closing not in inside:
                return inside.strip()
    return text
