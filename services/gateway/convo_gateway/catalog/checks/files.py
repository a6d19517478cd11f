"""The run configs of YAML files, checked with everything beside them; each problem with its place."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from convo_events.catalog import KINDS, CatalogObject, RunConfig
from convo_events.errors import Problem
from convo_gateway.catalog.checks.check import check
from convo_gateway.catalog.checks.findings import Finding, Severity
from convo_gateway.catalog.checks.mend import mended
from convo_gateway.catalog.checks.sources import Sources, references, sources_in
from convo_gateway.catalog.documents import (
    PlacedBody,
    PlacedObject,
    read_as_far,
    yaml_files,
)
from convo_gateway.catalog.naming import named_places
from convo_gateway.catalog.rule_settings import Schema
from convo_gateway.catalog.yaml_tree import FileProblem, pointer

Outside = Callable[[set[tuple[str, str]]], Awaitable[Sources]]
"""Kind and name of objects that the files do not have to what is known of them elsewhere."""


@dataclass(frozen=True, slots=True)
class FileFinding:
    """A problem of a file and how bad it is."""

    problem: Problem
    severity: Severity


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """What was in files."""

    configs: list[str]
    """Names of the run configs, in the order of the files."""
    findings: list[FileFinding]
    """In the order of files and lines."""


async def check_files(
    path: Path, outside: Outside, rules: Mapping[str, Schema] | None
) -> CheckedFiles:
    """Check a file, or every YAML file below a folder.

    Args:
        path: The file or folder.
        outside: What knows the objects that the files do not have.
        rules: JSON schema of the parameters by rule; None where nothing is known.
    """
    files = yaml_files(path)
    bodies, problems = read_as_far(files)
    if not files:
        problems.append(FileProblem("there is no .yaml file in this folder", file=str(path)))
    configs = [body for body in bodies if body.shape is RunConfig]
    unfit = {_called(body) for body in bodies if not isinstance(body, PlacedObject)}
    sources = await _sources(bodies, configs, outside)
    found = [(body, one) for body in configs for one in _of(body, unfit, sources, rules)]
    # Rules between fields are checked here one by one, and reading a file names the first that is broken.
    said = {(body.file, one.message) for body, one in found}
    findings = [
        FileFinding(problem, "error")
        for problem in problems
        if (getattr(problem, "file", ""), problem.message) not in said
    ]
    findings += [_placed(body, one, alone=len(configs) == 1) for body, one in found]
    order = {str(file): at for at, file in enumerate(files)}

    def place(finding: FileFinding) -> tuple[int, int, int]:
        file = getattr(finding.problem, "file", "")
        return order.get(file, -1), finding.problem.line or 0, finding.problem.column or 0

    return CheckedFiles([_called(body)[1] for body in configs], sorted(findings, key=place))


async def _sources(
    bodies: Iterable[PlacedBody], configs: Iterable[PlacedBody], outside: Outside
) -> Sources:
    """What the files have, and behind it what is known elsewhere."""
    objects = [body.item for body in bodies if isinstance(body, PlacedObject)]
    here, known = sources_in(objects), {_called(body) for body in bodies}
    named: set[tuple[str, str]] = set()
    for body in configs:
        if isinstance(body.fields, dict):
            named |= references(mended(body.fields)[0])
    there = await outside(named - known)

    def look(kind: str, name: str, /) -> tuple[CatalogObject, int] | None:
        return here.lookup(kind, name) or there.lookup(kind, name)

    def names(kind: str, /) -> list[str]:
        return [*here.names(kind), *there.names(kind)]

    return Sources(look, names, there.archived - known, there.whole)


def _of(
    body: PlacedBody,
    unfit: Collection[tuple[str, str]],
    sources: Sources,
    rules: Mapping[str, Schema] | None,
) -> tuple[Finding, ...]:
    """What is wrong with a config beside its shape, which reading the file has shown already."""
    if not isinstance(body.fields, dict):
        return ()
    config, unsure, _ = mended(body.fields)
    # What an object of the file that cannot be read would say, nobody knows.
    unread = {place.pointer for place in named_places(config) if (place.kind, place.name) in unfit}
    return check(config, 0, sources, rules=rules, unsure=unsure | unread).findings


def _placed(body: PlacedBody, finding: Finding, *, alone: bool) -> FileFinding:
    place = body.place(finding.pointer)
    message = finding.message if alone else f"{finding.message} (run config {_called(body)[1]})"
    at = f"{pointer(body.path)}{finding.pointer}"
    return FileFinding(
        FileProblem(message, at, place.line, place.column, body.file), finding.severity
    )


def _called(body: PlacedBody) -> tuple[str, str]:
    """Kind and name; the name is empty where there is none."""
    kind = next(kind for kind, shape in KINDS.items() if shape is body.shape)
    name = body.fields.get("name") if isinstance(body.fields, dict) else None
    return kind, name if isinstance(name, str) else ""
