"""Files stay short, names say something, pure code has no clock, and no file names a registry."""

import ast
import re
from pathlib import Path

import pytest

LONGEST = 400
BANNED = {"Manager", "Helper", "Helpers", "Util", "Utils", "Base", "Impl", "Common"}
UNREPEATABLE = {
    ("datetime", "now"),
    ("datetime", "today"),
    ("datetime", "utcnow"),
    ("date", "today"),
    ("time", "time"),
    ("time", "monotonic"),
    ("time", "perf_counter"),
    ("uuid", "uuid4"),
    ("uuid", "uuid1"),
    ("random", "random"),
    ("secrets", "token_hex"),
}
"""Calls whose answer differs from one time to the next."""
REGISTRY = re.compile(
    "|".join(
        (
            r"registry\.(npm|yarn)[a-z]*\.",
            r"(test\.)?pypi\.org/(simple|pypi)",
            r"files\.pythonhosted" + r"\.org",
            r"https?://[^/\s\"']*(artifactory|nexus|devpi|proxy\.golang)",
            r"--(extra-)?index-url",
        )
    )
)
LOCKS = {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"}


def test_no_file_is_longer_than_the_limit(root: Path, tracked: list[Path]) -> None:
    long = {
        str(path.relative_to(root)): lines
        for path in tracked
        if path.suffix in {".py", ".ts", ".tsx"}
        and not {"generated", "client"} & set(path.parts)
        and (lines := len(path.read_text().splitlines())) > LONGEST
    }

    assert long == {}


def test_names_say_something(root: Path, tracked: list[Path]) -> None:
    found = []
    for path in tracked:
        if path.suffix != ".py":
            continue
        where = str(path.relative_to(root))
        names = [path.stem.title()]
        tree = ast.parse(path.read_text())
        names += [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        found += [f"{where}: {name}" for name in names if words(name) & BANNED]

    assert found == []


@pytest.mark.parametrize("name", ["RunManager", "Url_Utils", "StoreImpl", "BaseRule"])
def test_a_name_that_says_nothing_is_seen(name: str) -> None:
    assert words(name) & BANNED


@pytest.mark.parametrize("name", ["Database", "Manageress", "Simple", "Implied", "Utility"])
def test_a_name_that_only_looks_like_it_is_not(name: str) -> None:
    assert not words(name) & BANNED


def test_pure_files_have_no_clock_and_no_chance(root: Path, pure_files: list[Path]) -> None:
    found = [
        f"{path.relative_to(root)}:{line}"
        for path in pure_files
        for line in unrepeatable(path.read_text())
    ]

    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "x = datetime.now(UTC)",
        "x = datetime.datetime.now()",
        "from uuid import uuid4\nx = uuid4()",
        "x = time.time()",
        "class A:\n    def f(self):\n        return random.random()",
    ],
)
def test_an_unrepeatable_call_is_seen(code: str) -> None:
    assert unrepeatable(code)


def test_a_pure_time_of_day_is_allowed() -> None:
    assert not unrepeatable("from datetime import time\nx = time(4, 30).isoformat()")


def test_no_file_names_a_registry(root: Path, tracked: list[Path]) -> None:
    found = [
        f"{path.relative_to(root)}:{number}"
        for path in tracked
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if REGISTRY.search(line)
    ]

    assert found == []


def test_locks_name_no_address(root: Path, tracked: list[Path]) -> None:
    found = [
        str(path.relative_to(root))
        for path in tracked
        if path.name in LOCKS and re.search(r"\bresolved\b|\btarball:", path.read_text())
    ]

    assert found == []


def words(name: str) -> set[str]:
    """The words of a name in camel case or with underscores."""
    return set(re.findall(r"[A-Z][a-z0-9]*|[a-z0-9]+", name))


def unrepeatable(code: str) -> list[int]:
    """Lines with a call whose answer differs from one time to the next."""
    bare = {name for _, name in UNREPEATABLE if name.startswith("uuid")}
    lines = []
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(func=ast.Attribute(attr=attr, value=ast.Name(id=owner))):
                hit = (owner, attr) in UNREPEATABLE
            case ast.Call(func=ast.Attribute(attr=attr, value=ast.Attribute(attr=owner))):
                hit = (owner, attr) in UNREPEATABLE
            case ast.Call(func=ast.Name(id=name)):
                hit = name in bare
            case _:
                hit = False
        if hit:
            lines.append(node.lineno)
    return lines
