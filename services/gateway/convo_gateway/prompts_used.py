"""The prompts of one conversation, rendered again from what its run froze and what was remembered then. Pure.

The plan and the templates are functions of the snapshot, and a memory never changes, so the text is the one that was
sent. What the services add (the transcript, the form of an answer, the judge's rubric) is not part of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from convo_events.plan import Draw, draw
from convo_events.snapshot import Snapshot
from convo_gateway.shapes.conversations import Drawn, PromptsUsed, PromptUsed
from convo_models.prompts import TemplateProblem, render

_WITHOUT_TURN = frozenset({"script", "roughen", "judge", "memory"})


@dataclass(frozen=True, slots=True)
class Sent:
    """What happened to a conversation, as far as its prompts depend on it."""

    turns: int
    """Turns that it has."""
    memory: str = ""
    """What its persona remembered when it began."""
    roles: frozenset[str] = frozenset()
    """Roles that calls were made for."""


def prompts_used(snapshot: Snapshot, thread: int, number: int, sent: Sent) -> PromptsUsed:
    """What the plan drew for a conversation, and the segments rendered with it.

    Args:
        snapshot: What the run froze.
        thread: Its thread, from 0.
        number: Its number inside the thread, from 0.
        sent: What became of it.

    Raises:
        IndexError: where the run has no such conversation.
    """
    plan = draw(snapshot, thread, number)
    drawn = Drawn(
        persona=plan.persona.name,
        voice=plan.voice.name,
        pools=plan.pools,
        turns=plan.turns,
        seed=plan.seed,
        visit=plan.visit,
        roughen=plan.roughen,
    )
    return PromptsUsed(drawn=drawn, prompts=_grouped(snapshot, plan, sent))


def _grouped(snapshot: Snapshot, plan: Draw, sent: Sent) -> list[PromptUsed]:
    """One for each different text, with the turns that it was sent for."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for role, segment, turn in _sent(snapshot, sent):
        text = _rendered(snapshot, segment, plan, turn, sent.memory)
        if text is not None:
            found.setdefault((role, segment, text), []).append(turn)
    return [
        PromptUsed(
            role=role,
            segment=segment,
            turns=[] if role in _WITHOUT_TURN else [turn - 1 for turn in turns],
            text=text,
        )
        for (role, segment, text), turns in found.items()
    ]


def _sent(snapshot: Snapshot, sent: Sent) -> Iterator[tuple[str, str, int]]:
    """Role, segment and turn (from 1) of each prompt, in the order they are sent."""
    segments = snapshot.prompt_set.segments
    config = snapshot.config
    if config.generates and not config.speaks_in_turn:
        yield "script", "script", 1
    elif config.generates:
        for turn in range(1, sent.turns + 1):
            role = "user" if turn % 2 else "assistant"
            yield role, "opening" if turn == 1 and "opening" in segments else role, turn
    last = max(1, sent.turns)
    if "roughen" in sent.roles:
        yield "roughen", "roughen", last
    if snapshot.config.judge and "judge" in segments:
        yield "judge", "judge", last
    if "memory" in sent.roles:
        yield "memory", "memory", last


def _rendered(snapshot: Snapshot, segment: str, plan: Draw, turn: int, memory: str) -> str | None:
    """The text of a segment; None where it does not render with these values."""
    try:
        return render(snapshot, segment, plan, turn, memory)
    except TemplateProblem:
        return None
