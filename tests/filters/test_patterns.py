"""No pattern of the filters can be made to run away: repeats without an end do not stand inside one another."""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from types import ModuleType
from typing import Any

import pytest

import convo_filters
from convo_filters import rules

parser: Any = importlib.import_module("re._parser")
REPEATS = {parser.MAX_REPEAT, parser.MIN_REPEAT}
LARGE = 2_000


def modules() -> Iterator[ModuleType]:
    for package in (convo_filters, rules):
        for found in pkgutil.iter_modules(package.__path__):
            if not found.ispkg and found.name != "__main__":
                yield importlib.import_module(f"{package.__name__}.{found.name}")


def patterns(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from chain.from_iterable(map(patterns, value.values()))
    elif isinstance(value, tuple | list):
        yield from chain.from_iterable(map(patterns, value))


PATTERNS = [
    pytest.param(pattern, id=f"{module.__name__.rpartition('.')[2]}.{name}.{at}")
    for module in modules()
    for name, value in vars(module).items()
    for at, pattern in enumerate(patterns(value))
]


def parts(body: Iterable[Any]) -> Iterator[Iterable[Any]]:
    """The bodies inside an operation's arguments."""
    for argument in body:
        if isinstance(argument, parser.SubPattern):
            yield argument
        elif isinstance(argument, list | tuple):
            yield from parts(argument)


def is_plain(operation: Any, arguments: Any) -> bool:
    """Whether it is one of a few given characters."""
    if operation == parser.IN:
        return all(one == parser.LITERAL for one, _ in arguments)
    return bool(operation == parser.LITERAL)


def runaways(body: Iterable[Any], inside: bool = False) -> Iterator[str]:
    """Repeats without an end inside one another, unless a sign of its own divides the turns of the outer one."""
    for operation, arguments in body:
        endless = operation in REPEATS and arguments[1] == parser.MAXREPEAT
        if endless and inside:
            yield f"{arguments}"
        divided = endless and is_plain(*arguments[2][0])
        for part in parts(arguments if isinstance(arguments, list | tuple) else ()):
            yield from runaways(part, inside or (endless and not divided))


def largest(body: Iterable[Any]) -> int:
    """The largest number of times that something is repeated, of repeats that have an end."""
    found = 0
    for operation, arguments in body:
        if operation in REPEATS and arguments[1] != parser.MAXREPEAT:
            found = max(found, arguments[1])
        inner = parts(arguments if isinstance(arguments, list | tuple) else ())
        found = max([found, *map(largest, inner)])
    return found


def test_the_patterns_are_found() -> None:
    assert len(PATTERNS) > 40


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_endless_repeat_stands_in_another(pattern: re.Pattern[str]) -> None:
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    assert list(runaways(tree)) == []
    assert largest(tree) <= LARGE


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(?:\w+\s*)*x", r"((?:ab*)+c)+"])
def test_a_runaway_is_seen(pattern: str) -> None:
    assert list(runaways(parser.parse(pattern)))
