"""The text of a YAML file to its documents, each a tree of values with their places.

A file is hostile until read: its size and depth are bounded, and what is wrong is said with line and column.
"""

import codecs
import re
from collections.abc import Iterator

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node
from ruamel.yaml.reader import ReaderError

from convo_events.errors import Problem
from convo_gateway.catalog.yaml_tree import MAX_DEPTH, TOO_DEEP, FileProblem, Tree, tree_of

MAX_BYTES = 5_000_000
"""Largest file. A pool of 100,000 long values fits."""
_LONG_SIGN = re.compile(r"(?:^|(?<=[\s,\[{]))[!&*][!-~]{300}", re.MULTILINE)
"""A tag, anchor or alias so long that the parser's time grows with its square."""
_ENCODINGS = {
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
    codecs.BOM_UTF32_BE: "UTF-32",
}


def read_trees(content: bytes, file: str) -> tuple[list[Tree], list[Problem]]:
    """The documents of a YAML file in order, and every problem met; empty documents are left out."""
    problems: list[Problem] = []
    trees: list[Tree] = []
    text = _text(content, file, problems)
    if text is None:
        return [], problems
    if sign := _LONG_SIGN.search(text):
        line, column = _line_column(text[: sign.start()])
        found = (
            f"a word that begins with {sign[0][0]} has more than 300 characters; put it in quotes"
        )
        return [], [FileProblem(found, line=line, column=column, file=file)]
    try:
        for node in _nodes(text):
            tree = tree_of(node, file, problems)
            if tree.value is not None:
                trees.append(tree)
    except RecursionError:
        problems.append(FileProblem(TOO_DEEP, file=file))
    except ReaderError as error:
        problems.append(_unprintable(text, error, file))
    except MarkedYAMLError as error:
        problems.append(_syntax(error, file))
    except YAMLError as error:
        problems.append(FileProblem(f"this is not YAML: {error}", file=file))
    return trees, problems


class _BoundedComposer(Composer):
    """Stops at depth before the time and the stack that nesting takes are felt."""

    _depth = 0

    def compose_node(self, parent: Node | None, index: object) -> Node:
        """The next node, as deep as documents may be."""
        self._depth += 1
        if self._depth > 2 * MAX_DEPTH:
            mark = self.parser.peek_event().start_mark
            raise ComposerError(problem=TOO_DEEP, problem_mark=mark)
        node: Node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _nodes(text: str) -> Iterator[Node]:
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _BoundedComposer
    yaml.composer.warn_double_anchors = False
    yield from yaml.compose_all(text)


def _text(content: bytes, file: str, problems: list[Problem]) -> str | None:
    """The decoded file without its byte order mark; None, and a problem, where it cannot be read."""
    if len(content) > MAX_BYTES:
        found = f"the file has {len(content):,} bytes, at most {MAX_BYTES:,} are read; split it"
        problems.append(FileProblem(found, file=file))
        return None
    for mark, encoding in _ENCODINGS.items():
        if content.startswith(mark):
            found = f"the file is {encoding}, expected UTF-8; save it as UTF-8"
            problems.append(FileProblem(found, line=1, column=1, file=file))
            return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _line_column(content[: error.start].decode("utf-8-sig", errors="replace"))
        found = f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        problems.append(FileProblem(found, line=line, column=column, file=file))
        return None


def _unprintable(text: str, error: ReaderError, file: str) -> FileProblem:
    at = int(error.position) if isinstance(error.position, int) else 0
    line, column = _line_column(text[:at])
    found = f"character {error.character!r} is not allowed in YAML; write it as an escape in double quotes"
    return FileProblem(found, line=line, column=column, file=file)


def _line_column(before: str) -> tuple[int, int]:
    """Line and column, from 1, of what follows a text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _syntax(error: MarkedYAMLError, file: str) -> FileProblem:
    mark = error.problem_mark or error.context_mark
    found = str(error.problem or error.context)
    if "'\\t'" in found:
        found = "found a tab where YAML wants spaces; indent with spaces"
    elif "cannot start any token" in found:
        found += "; put the text in quotes"
    elif found.startswith("mapping values are not allowed"):
        found = "found a second colon on the line; put the text in quotes"
    return FileProblem(
        found,
        line=mark.line + 1 if mark else None,
        column=mark.column + 1 if mark else None,
        file=file,
    )
