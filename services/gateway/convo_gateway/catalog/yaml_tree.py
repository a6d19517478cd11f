"""The nodes of a YAML document as plain values, with the place of every value in its file.

Values are the ones JSON has; dates, tags and infinities are refused in words, and what aliases multiply is bounded.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from convo_events.errors import Problem

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Path: TypeAlias = tuple[str | int, ...]

MAX_VALUES = 250_000
"""Most values of one document, each use of an alias counted again."""
MAX_DEPTH = 30
"""Deepest nesting; the deepest catalog object needs eight."""
_TAG = "tag:yaml.org,2002:"
TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


@dataclass(frozen=True)
class FileProblem(Problem):
    """A problem in a file of a person."""

    file: str = ""
    """Name of the file as it was given."""

    def __str__(self) -> str:
        """File, place and message on one line."""
        return f"{self.file}: {super().__str__()}" if self.file else super().__str__()


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file, both from 1."""

    line: int
    column: int


@dataclass(slots=True)
class Tree:
    """One document: its value, and where each part of it stands."""

    value: Json = None
    values: dict[Path, Place] = field(default_factory=dict)
    """Path of a value to the place where the value begins."""
    keys: dict[Path, Place] = field(default_factory=dict)
    """Path of a value in a mapping to the place of its key."""

    def place(self, path: Path) -> Place:
        """The place of the value at that path, or of the nearest thing around it."""
        while path not in self.values and path:
            path = path[:-1]
        return self.values.get(path, Place(1, 1))

    def key_place(self, path: Path) -> Place:
        """The place of the key of that value."""
        return self.keys.get(path) or self.place(path)


def tree_of(node: Node, file: str, problems: list[Problem]) -> Tree:
    """The document under a node; what is wrong with it goes to the problems."""
    return _Reading(file, problems).tree(node)


class _Reading:
    """Turns the nodes of one document into values, within bounds."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        self._file = file
        self._problems = problems
        self._left = MAX_VALUES
        self._inside: set[int] = set()
        self._tree = Tree()

    def tree(self, node: Node) -> Tree:
        """The document under that node."""
        self._tree.value = self._value(node, ())
        if self._left < 0:
            self._problem(node, f"more than {MAX_VALUES:,} values with every alias counted", ())
            self._tree.value = None
        return self._tree

    def _problem(self, node: Node, message: str, path: Path) -> None:
        place = _place(node)
        self._problems.append(
            FileProblem(message, pointer(path), place.line, place.column, self._file)
        )

    def _value(self, node: Node, path: Path) -> Json:
        self._left -= 1
        if self._left < 0:
            return None
        self._tree.values[path] = _place(node)
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        if id(node) in self._inside:
            self._problem(node, "an alias that stands inside its own anchor has no end", path)
            return None
        if len(path) >= MAX_DEPTH:
            self._problem(node, TOO_DEEP, path)
            return None
        self._inside.add(id(node))
        if isinstance(node, MappingNode):
            value: Json = self._mapping(node, path)
        else:
            items = node.value if isinstance(node, SequenceNode) else []
            value = [self._value(item, (*path, at)) for at, item in enumerate(items)]
        self._inside.discard(id(node))
        return value

    def _mapping(self, node: MappingNode, path: Path) -> Json:
        found: dict[str, Json] = {}
        for key_node, value_node in node.value:
            if key_node.tag == f"{_TAG}merge":
                self._problem(key_node, "merge keys (<<) are not read; write the keys out", path)
                continue
            key = self._key(key_node, path)
            if key is None:
                continue
            here = (*path, key)
            if key in found:
                first = self._tree.keys[here].line
                self._problem(key_node, f'"{key}" stands twice, first on line {first}', here)
                continue
            self._tree.keys[here] = _place(key_node)
            found[key] = self._value(value_node, here)
            if value_node.start_mark.index == value_node.end_mark.index:
                # Where nothing is written the parser's place is the next line; the key is what people look for.
                self._tree.values[here] = self._tree.keys[here]
        return found

    def _key(self, node: Node, path: Path) -> str | None:
        """The key as text; a plain ``1`` or ``true`` before a colon is meant as it is written."""
        if isinstance(node, ScalarNode) and str(node.tag).startswith(_TAG):
            return self._storable(node, path)
        self._problem(node, "expected a plain word before the colon", path)
        return None

    def _scalar(self, node: ScalarNode, path: Path) -> Json:
        kind = str(node.tag).removeprefix(_TAG)
        text = self._storable(node, path)
        if text is None:
            return ""
        match kind:
            case "str":
                return text
            case "null":
                return None
            case "bool":
                return text.lower() in {"true", "yes", "on", "y"}
            case "int" | "float":
                return self._number(node, text, path)
            case "timestamp":
                self._problem(node, f"found the date {text}, expected text: put it in quotes", path)
            case _:
                self._problem(node, f"found the tag {str(node.tag)[:60]}; tags are not read", path)
        return text

    def _number(self, node: ScalarNode, text: str, path: Path) -> Json:
        plain = text.replace("_", "").lower()
        try:
            if re.fullmatch(r"[-+]?0[xo][0-9a-f]+", plain):
                return int(plain, 0)
            return int(plain) if re.fullmatch(r"[-+]?[0-9]{1,400}", plain) else _finite(plain)
        except ValueError:
            self._problem(node, f"found {text[:60]}, expected a number that is finite", path)
            return 0

    def _storable(self, node: ScalarNode, path: Path) -> str | None:
        """The text of a scalar; None, and a problem, where no database can keep it."""
        text = str(node.value)
        if "\0" in text:
            self._problem(node, "found the character NUL, which cannot be stored", path)
            return None
        if any("\ud800" <= character <= "\udfff" for character in text):
            self._problem(node, "found half of a surrogate pair, which is no character", path)
            return None
        return text


def _finite(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise ValueError(text)
    return value


def _place(node: Node) -> Place:
    return Place(node.start_mark.line + 1, node.start_mark.column + 1)


def pointer(path: Path) -> str:
    """JSON pointer of a path, such as ``/models/0/prices``."""
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "".join(f"/{part}" for part in parts)
