"""The prompts of one conversation, rendered again from what its run froze. Pure.

The plan and the templates are functions of the snapshot, so the text is the one that was sent. What the services add
(the transcript, the form of an answer, the judge's rubric) is not part of it.
"""

from collections.abc import Iterator

from convo_events.plan import Draw, draw
from convo_events.snapshot import Snapshot
from convo_gateway.shapes.conversations import Drawn, PromptsUsed, PromptUsed
from convo_models.prompts import TemplateProblem, render


def prompts_used(snapshot: Snapshot, thread: int, number: int, turns: int) -> PromptsUsed:
    """What the plan drew for a conversation, and the segments rendered with it.

    Args:
        snapshot: What the run froze.
        thread: Its thread, from 0.
        number: Its number inside the thread, from 0.
        turns: Turns that it has.

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
    )
    return PromptsUsed(drawn=drawn, prompts=_grouped(snapshot, plan, turns))


def _grouped(snapshot: Snapshot, plan: Draw, turns: int) -> list[PromptUsed]:
    """One for each different text, with the turns that it was sent for."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for role, segment, turn in _sent(snapshot, turns):
        text = _rendered(snapshot, segment, plan, turn)
        if text is not None:
            found.setdefault((role, segment, text), []).append(turn)
    return [
        PromptUsed(
            role=role,
            segment=segment,
            turns=[] if role in ("script", "judge") else [turn - 1 for turn in sent],
            text=text,
        )
        for (role, segment, text), sent in found.items()
    ]


def _sent(snapshot: Snapshot, turns: int) -> Iterator[tuple[str, str, int]]:
    """Role, segment and turn (from 1) of each prompt, in the order they are sent."""
    segments = snapshot.prompt_set.segments
    if snapshot.config.mode == "scripted":
        yield "script", "script", 1
    else:
        for turn in range(1, turns + 1):
            role = "user" if turn % 2 else "assistant"
            yield role, "opening" if turn == 1 and "opening" in segments else role, turn
    if snapshot.config.judge and "judge" in segments:
        yield "judge", "judge", max(1, turns)


def _rendered(snapshot: Snapshot, segment: str, plan: Draw, turn: int) -> str | None:
    """The text of a segment; None where it does not render with these values."""
    try:
        return render(snapshot, segment, plan, turn)
    except TemplateProblem:
        return None
