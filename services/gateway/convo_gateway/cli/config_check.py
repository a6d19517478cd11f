"""`convo config check`: everything that is wrong with a run config, saved or in a file."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue, TypeAdapter

from convo_events.announcements import RuleAnnouncement
from convo_events.catalog import KINDS, CatalogObject
from convo_events.errors import Problem
from convo_gateway.catalog.checks.files import CheckedFiles, FileFinding, check_files
from convo_gateway.catalog.checks.sources import Sources
from convo_gateway.catalog.rule_settings import Schema
from convo_gateway.cli.address import find_gateway
from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.estimate_text import range_text
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import placed, print_document, print_text, say
from convo_gateway.shapes.catalog import CatalogEntry, CatalogPage
from convo_gateway.shapes.config_check import ConfigCheck
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["check"]

_NAMES = 1_000
"""Names of a kind among which the one is looked for that was meant."""
_RULES = TypeAdapter(list[RuleAnnouncement])


def check(
    source: Annotated[
        str,
        typer.Argument(
            metavar="CONFIG_OR_FILE", help="A config's name, a YAML file, or a folder of them."
        ),
    ],
    version: Annotated[
        int | None,
        typer.Option("--version", min=1, help="Of a saved config. [default: the latest]"),
    ] = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Print every problem of a run config at once. Exit code 2 if no run could start from it.

    What a file names is looked up in the file, or in all files of the folder, and then in the gateway's catalog.
    Warnings are allowed and probably not meant.
    """
    path = Path(source)
    if path.exists() or path.suffix in {".yaml", ".yml"}:
        found = asyncio.run(_files(path, find_gateway(gateway, home, os.environ)))
        findings, checked, cost = found.findings, found.configs, ""
    else:
        answer = read_as(
            ConfigCheck,
            with_gateway(
                gateway, home, lambda api: api.get(f"run-configs/{source}/check", version=version)
            ),
        )
        findings = [FileFinding(Problem(p.message, p.pointer), p.severity) for p in answer.problems]
        checked = [source]
        cost = f"; a run costs about {range_text(answer.estimate.total)}" if answer.estimate else ""
    _show(findings, checked, cost, as_json=as_json)


def _show(findings: list[FileFinding], checked: list[str], cost: str, *, as_json: bool) -> None:
    errors, warnings = (
        [f.problem for f in findings if f.severity == severity] for severity in ("error", "warning")
    )
    if as_json:
        problems: list[JsonValue] = [_document(finding) for finding in findings]
        print_document({"startable": not errors, "checked": [*checked], "problems": problems})
        if errors:
            raise typer.Exit(Exit.USAGE)
        return
    if errors:
        for problem in warnings:
            say(f"Warning: {placed(problem)}")
        raise CommandError(_counted(errors, "problem"), Exit.USAGE, problems=errors)
    for problem in warnings:
        print_text(f"Warning: {placed(problem)}")
    names = ", ".join(checked) or "no run config"
    beside = f"; {_counted(warnings, 'warning')}" if warnings else ""
    print_text(f"valid  {names}{cost}{beside}")


def _counted(problems: list[Problem], word: str) -> str:
    return f"{len(problems)} {word}{'' if len(problems) == 1 else 's'}"


def _document(finding: FileFinding) -> Document:
    problem = finding.problem
    return {
        "severity": finding.severity,
        "message": problem.message,
        "pointer": problem.pointer,
        "file": getattr(problem, "file", None),
        "line": problem.line,
        "column": problem.column,
    }


async def _files(path: Path, url: str) -> CheckedFiles:
    """The files beside what the gateway knows; without a gateway by themselves."""
    try:
        async with Gateway(url) as api:
            return await check_files(path, _Catalog(api).known, await _rules(api))
    except CommandError as error:
        if error.code is not Exit.UNREACHABLE:
            raise
        say(f"{error.message}; what the files do not have is not looked up.")
        return await check_files(path, _nowhere, None)


async def _rules(api: Gateway) -> dict[str, Schema] | None:
    """JSON schema of the parameters by rule; None before the filters have announced any."""
    async with api.download("rules") as answer:
        content = b"".join([chunk async for chunk in answer.chunks])
    return {rule.reason: rule.parameters for rule in _RULES.validate_json(content)} or None


async def _nowhere(_: set[tuple[str, str]]) -> Sources:
    return Sources(lambda kind, name: None, whole=False)


class _Catalog:
    """The gateway's catalog, as far as files name it."""

    def __init__(self, api: Gateway) -> None:
        self._api = api

    async def known(self, wanted: set[tuple[str, str]]) -> Sources:
        """The objects of that kind and name, and the names there are of kinds of which one is missing."""
        objects: dict[tuple[str, str], tuple[CatalogObject, int]] = {}
        archived: set[tuple[str, str]] = set()
        missing: set[str] = set()
        for kind, name in sorted(wanted):
            entry = await self._entry(kind, name)
            if entry is None:
                missing.add(kind)
                continue
            objects[kind, name] = (KINDS[kind].model_validate(entry.body), entry.version)
            if entry.archived:
                archived.add((kind, name))
        names = {kind: await self._names(kind) for kind in missing}
        return Sources(
            lambda kind, name: objects.get((kind, name)),
            lambda kind: names.get(kind, []),
            frozenset(archived),
        )

    async def _entry(self, kind: str, name: str) -> CatalogEntry | None:
        try:
            return read_as(CatalogEntry, await self._api.get(f"{kind}/{name}"))
        except CommandError as error:
            if error.code is Exit.NOT_FOUND:
                return None
            raise

    async def _names(self, kind: str) -> list[str]:
        page = read_as(CatalogPage, await self._api.get(kind, limit=_NAMES))
        return [entry.name for entry in page.items]
