"""Every prompt of one conversation of a plan, rendered before anything is called. Pure.

What only a run can know, such as what is remembered, is named in brackets. What the services add to a segment (the
transcript, the form of an answer, the judge's rubric) is said in words beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from convo_events.catalog import Segment
from convo_events.plan import Draw, draw_at
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole
from convo_gateway.expected_calls import reference_tokens, tokens, transcript_tokens
from convo_gateway.judge_calls import BOTH_ORDERS
from convo_gateway.preview import planned
from convo_gateway.shapes.preview import PreviewedPrompt, PreviewedPrompts, PromptProblem
from convo_models.prompts import TemplateProblem, render


@dataclass(frozen=True, slots=True)
class _Call:
    """A call, or some that are sent the same."""

    role: CallRole
    segment: Segment
    turn: int
    """From 1: the one that is written, or the last one where it is about all of them."""
    times: int = 1
    example: str = ""
    """What the judge compares with; empty where it does not."""


@dataclass(slots=True)
class _Group:
    """Calls that are sent the same text."""

    role: CallRole
    segment: Segment
    text: str | None
    example: str
    turns: list[int] = field(default_factory=list)
    """From 1."""
    calls: int = 0


def preview_prompts(snapshot: Snapshot, index: int) -> PreviewedPrompts:
    """The prompts of a conversation of the plan.

    Raises:
        IndexError: where the plan has no such conversation.
    """
    draw = draw_at(snapshot, index)
    remembers = _is_remembered(snapshot, draw)
    memory = _placeholder(snapshot, draw)
    problems: dict[tuple[str, int | None, str], PromptProblem] = {}
    groups: dict[tuple[CallRole, Segment, str, str | None], _Group] = {}
    calls = list(_sent(snapshot, draw, remembers=remembers))
    for call in calls:
        text = None
        own = call.segment in snapshot.prompt_set.segments or call.role != "judge"
        if own and not call.example:
            try:
                text = render(snapshot, call.segment, draw, call.turn, memory)
            except TemplateProblem as found:
                place = (found.segment, found.line, found.message)
                problems[place] = PromptProblem(
                    segment=found.segment, line=found.line, message=found.message
                )
        key = (call.role, call.segment, call.example, text)
        alike = groups.setdefault(key, _Group(call.role, call.segment, text, call.example))
        alike.turns.append(call.turn)
        alike.calls += call.times
    return PreviewedPrompts(
        conversation=planned(snapshot, draw),
        prompts=[_prompt(snapshot, draw, group) for group in groups.values()],
        problems=list(problems.values()),
        calls=sum(call.times for call in calls),
    )


def _sent(snapshot: Snapshot, draw: Draw, *, remembers: bool) -> Iterator[_Call]:
    """The calls of a conversation that passes everything, in their order."""
    segments, config = snapshot.prompt_set.segments, snapshot.config
    if not config.speaks_in_turn:
        yield _Call("script", "script", 1)
    else:
        for turn in range(1, draw.turns + 1):
            role: Literal["user", "assistant"] = "user" if turn % 2 else "assistant"
            yield _Call(role, "opening" if turn == 1 and "opening" in segments else role, turn)
    if draw.roughen:
        yield _Call("roughen", "roughen", draw.turns)
    if (judging := config.judge) is not None:
        # A recheck is sent what the first sample was.
        scored = judging.samples * (1 + len(judging.panel)) + draw.recheck
        yield _Call("judge", "judge", draw.turns, scored)
        if judging.comparison is not None:
            yield _Call("judge", "judge", draw.turns, BOTH_ORDERS, judging.comparison.example)
    if remembers:
        yield _Call("memory", "memory", draw.turns)


def _is_remembered(snapshot: Snapshot, draw: Draw) -> bool:
    """Whether there is a memory call once it is accepted: another conversation of its thread follows."""
    following = draw.index + snapshot.planned_lanes < snapshot.config.target_count
    return snapshot.config.memory is not None and following


def _placeholder(snapshot: Snapshot, draw: Draw) -> str:
    memory = snapshot.config.memory
    if memory is None or draw.visit == 1:
        return ""
    before = (
        "1 earlier conversation" if draw.visit == 2 else f"{draw.visit - 1} earlier conversations"
    )
    return f"⟨what is remembered of {before}, at most {memory.max_characters:,} characters⟩"


def _prompt(snapshot: Snapshot, draw: Draw, group: _Group) -> PreviewedPrompt:
    speaks = group.role in ("user", "assistant")
    if group.example:
        beside, size = _compared(snapshot, draw, group.example)
    else:
        beside, size = _beside(snapshot, draw, group.role, group.turns[-1])
    return PreviewedPrompt(
        role=group.role,
        segment=group.segment,
        turns=[turn - 1 for turn in group.turns] if speaks else [],
        text=group.text,
        tokens=None if group.text is None else tokens(group.text),
        beside=beside,
        beside_tokens=round(size),
        calls=group.calls,
        compared_with=group.example,
    )


def _compared(snapshot: Snapshot, draw: Draw, example: str) -> tuple[str, float]:
    """What a judge is sent that says which of two is better: nothing of it stands in the prompt set but the example."""
    comparison = snapshot.config.judge and snapshot.config.judge.comparison
    question = comparison.question if comparison else ""
    measure = f"the question “{question}”" if question else "the questions of the criteria"
    said = transcript_tokens(snapshot, draw.turns) + reference_tokens(snapshot) + tokens(question)
    return (
        f"convo's own instruction to compare, {measure}, and as data the whole conversation and the example {example}, "
        "called A and B in one call and B and A in the other",
        said,
    )


def _beside(snapshot: Snapshot, draw: Draw, role: CallRole, turn: int) -> tuple[str, float]:
    """What is sent along with a segment, and about how many tokens it has."""
    said = transcript_tokens(snapshot, draw.turns)
    match role:
        case "script":
            return "the request to write the conversation as JSON", 10
        case "judge":
            own = "" if "judge" in snapshot.prompt_set.segments else "convo's own instruction, "
            return f"{own}the rubric with its scale, and the whole conversation as data", said
        case "roughen":
            return "the user's turns as data, and the form of the answer", said / 3
        case "memory":
            return "what was remembered before, and the whole conversation as data", said
        case _ if turn == 1:
            return "the request for a first message", 5
    return "the turns before as messages", transcript_tokens(snapshot, turn - 1)
