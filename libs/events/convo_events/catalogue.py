"""The catalogue of events, written from their docstrings into the README: ``python -m convo_events.catalogue``."""

import inspect
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Union, get_args, get_origin

from convo_events.codec import Event
from convo_events.facts import Fact
from convo_events.outcomes import StepFact
from convo_events.runs import RunFact
from convo_events.steps import ThreadFact, Verdict

BEGIN = "<!-- events: written by python -m convo_events.catalogue -->"
END = "<!-- end of events -->"
README = Path(__file__).parents[1] / "README.md"
SHARED: tuple[type[Fact], ...] = (RunFact, ThreadFact, StepFact, Verdict)
"""Facts that others are made from; their fields are listed once."""


def catalogue() -> str:
    """Every event with its fields, as Markdown: what they share, the events, and the values inside them."""
    events: tuple[type[Fact], ...] = get_args(Event)
    parts = ["### What events share", *map(_section, SHARED)]
    parts += ["### Events", *map(_section, events)]
    parts += ["### Values inside them", *map(_section, _values((*SHARED, *events)))]
    return "\n\n".join(parts) + "\n"


def put_into(readme: str, found: str) -> str:
    """The README with the catalogue between its two marks.

    Raises:
        ValueError: where a mark is missing.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the README has no {BEGIN} followed by {END}")
    return f"{before}{BEGIN}\n\n{found}\n{END}{after}"


def _section(fact: type[Fact]) -> str:
    kind = fact.model_fields.get("type")
    name = f"`{kind.default}`" if kind is not None else fact.__name__
    parents = [base.__name__ for base in fact.__bases__ if base in SHARED]
    shared = f" Has the fields of {parents[0]}." if parents else ""
    own = [field for field in inspect.get_annotations(fact) if field in fact.model_fields]
    rows = [_row(fact, field) for field in own if field not in ("type", "v") or fact in SHARED]
    table = ["", "| field | type | meaning |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"#### {name}", "", _plain(inspect.getdoc(fact) or "") + shared, *table])


def _row(fact: type[Fact], name: str) -> str:
    field = fact.model_fields[name]
    return f"| `{name}` | {_type(field.annotation)} | {_plain(field.description or '')} |"


def _values(facts: tuple[type[Fact], ...]) -> list[type[Fact]]:
    """Facts that stand in fields of these, and in fields of those, in the order they are met."""
    found: list[type[Fact]] = []
    waiting = list(facts)
    while waiting:
        fact = waiting.pop(0)
        for field in fact.model_fields.values():
            for inside in _facts_in(field.annotation):
                if inside not in found:
                    found.append(inside)
                    waiting.append(inside)
    return found


def _facts_in(annotation: object) -> Iterator[type[Fact]]:
    if isinstance(annotation, type) and issubclass(annotation, Fact):
        yield annotation
    for inside in get_args(annotation):
        yield from _facts_in(inside)


def _type(annotation: object) -> str:
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return " or ".join(map(_type, inside))
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in inside)
    if origin is not None:
        of = ", ".join(_type(part) for part in inside if part is not Ellipsis)
        return f"{origin.__name__} of {of}"
    return "none" if annotation is types.NoneType else getattr(annotation, "__name__", "any")


def _plain(text: str) -> str:
    """A docstring as one line of Markdown that a table can hold."""
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


def main() -> int:
    """Write the README; exit code 0."""
    README.write_text(put_into(README.read_text(), catalogue()))
    sys.stderr.write(f"catalogue: {README}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
