"""Prompts: the segments of a prompt set, rendered with what the plan drew, and checked before a run starts.

Values are plain data: whatever braces or signs stand in a persona or a pool, they come out as they went in.
"""

import re
from collections.abc import Iterator, Sequence
from types import TracebackType

from jinja2 import TemplateSyntaxError, nodes
from jinja2.meta import find_undeclared_variables

from convo_events.catalog import PromptSet
from convo_events.errors import ConvoError, Problem
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_models.templates import FAULTS, chunks, compiled, parse

FIELDS: dict[str, tuple[str, ...]] = {
    "persona": ("name", "summary", "traits", "language"),
    "voice": ("name", "style"),
}
"""Variables with fields, and the fields."""
VARIABLES: tuple[str, ...] = (
    *("persona", "voice", "turns", "turn", "language", "examples"),
    *("visit", "memory", "strength"),
)
"""Variables that every template has; pools add theirs."""


class TemplateProblem(ConvoError):
    """A segment that cannot be rendered with this conversation's values; only that conversation fails."""

    def __init__(self, segment: str, line: int | None, message: str) -> None:
        """Keep where it is: the segment, and the line in it from 1, where known."""
        place = f"segment '{segment}'" + ("" if line is None else f", line {line}")
        super().__init__(f"{place}: {message}")
        self.segment = segment
        self.line = line
        self.message = message


def variable(pool: str) -> str:
    """The name that a pool has in templates: dashes and dots become underscores."""
    return re.sub(r"[-.]", "_", pool)


def render(snapshot: Snapshot, segment: str, draw: Draw, turn: int, memory: str = "") -> str:
    """The text of a segment.

    Args:
        snapshot: What the run froze: prompt set, language, and how strongly turns are roughened.
        segment: Name of a segment that the prompt set has.
        draw: What the plan says of the conversation.
        turn: Number of the turn being written, from 1.
        memory: What the persona remembers of its earlier conversations; empty for nothing.

    Raises:
        TemplateProblem: where the template does not fit the values, does too much, or is no template.
    """
    prompts = snapshot.prompt_set
    source = next((text for name, text in prompts.segments.items() if name == segment), None)
    if source is None:
        raise TemplateProblem(
            segment, None, f"prompt set '{prompts.name}' has no such segment; add it"
        )
    values = _values(snapshot, draw, turn, memory)
    try:
        return "".join(chunks(compiled(source, segment), values))
    except FAULTS as fault:
        raise TemplateProblem(segment, _line(fault, segment), _message(fault)) from None


def _values(snapshot: Snapshot, draw: Draw, turn: int, memory: str) -> dict[str, object]:
    persona, voice, config = draw.persona, draw.voice, snapshot.config
    return {
        **{variable(name): value for name, value in draw.pools.items()},
        "persona": persona.model_dump(include=set(FIELDS["persona"])),
        "voice": voice.model_dump(include=set(FIELDS["voice"])),
        "turns": draw.turns,
        "turn": turn,
        "language": config.language,
        "examples": [example.model_dump() for example in snapshot.prompt_set.examples],
        "visit": draw.visit,
        "memory": memory,
        "strength": config.roughen.strength if config.roughen else "",
    }


def _line(fault: BaseException, segment: str) -> int | None:
    line = fault.lineno if isinstance(fault, TemplateSyntaxError) else None
    trace: TracebackType | None = fault.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == segment:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _message(fault: BaseException) -> str:
    if isinstance(fault, RecursionError | MemoryError | SyntaxError):
        return "it is nested too deep"
    said = getattr(fault, "message", None) or str(fault) or type(fault).__name__
    return str(said)[:500]


def check_templates(prompt_set: PromptSet, pool_names: Sequence[str]) -> list[Problem]:
    """Everything wrong with the templates of a prompt set, in the order of its segments; empty where all is well.

    Args:
        prompt_set: The segments.
        pool_names: The pools that the config draws from.
    """
    problems = list(_pool_problems(pool_names))
    known = {*VARIABLES, *map(variable, pool_names)}
    for segment, text in prompt_set.segments.items():
        pointer = f"/segments/{segment}"
        try:
            tree = parse(text)
            found = [*_unknown_variables(tree, known), *_unknown_fields(tree)]
            compiled(text, segment)
        except FAULTS as fault:
            found = [(_line(fault, segment), _message(fault))]
        problems += [
            Problem(message if line is None else f"line {line} of the segment: {message}", pointer)
            for line, message in sorted(found, key=lambda place: place[0] or 0)
        ]
    return problems


def _pool_problems(pool_names: Sequence[str]) -> Iterator[Problem]:
    owners: dict[str, str] = dict.fromkeys(VARIABLES, "")
    for at, pool in enumerate(pool_names):
        name, pointer = variable(pool), f"/pools/{at}"
        if not name.isidentifier():
            yield Problem(
                f"pool '{pool}' cannot be a variable: its name has to start with a letter; rename it",
                pointer,
            )
        elif name in owners:
            other = (
                f"pool '{owners[name]}'" if owners[name] else "a variable that every template has"
            )
            yield Problem(f"pool '{pool}' has the name of {other}: {name}; rename it", pointer)
        owners.setdefault(name, pool)


def _unknown_variables(tree: nodes.Template, known: set[str]) -> Iterator[tuple[int | None, str]]:
    unknown = find_undeclared_variables(tree) - known
    for name in sorted(unknown):
        line = min(
            (node.lineno for node in tree.find_all(nodes.Name) if node.name == name), default=None
        )
        yield line, f"unknown variable '{name}'; there are: {', '.join(sorted(known))}"


def _unknown_fields(tree: nodes.Template) -> Iterator[tuple[int | None, str]]:
    for node in tree.find_all((nodes.Getattr, nodes.Getitem)):
        match node:
            case nodes.Getattr(node=nodes.Name(name=owner), attr=field):
                pass
            case nodes.Getitem(node=nodes.Name(name=owner), arg=nodes.Const(value=str(field))):
                pass
            case _:
                continue
        if owner in FIELDS and field not in FIELDS[owner]:
            fields = ", ".join(FIELDS[owner])
            yield node.lineno, f"{owner} has no field '{field}'; there are: {fields}"
