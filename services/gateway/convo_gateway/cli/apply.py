"""Objects of files written into the catalog: new ones added, what differs as a new version, the rest left."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from orjson import dumps

from convo_events.catalog import RunConfig
from convo_events.errors import Problem
from convo_gateway.catalog.documents import SINGULAR, Named, kind_of
from convo_gateway.catalog.naming import named_places
from convo_gateway.cli.client import Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.kinds import WRITE_ORDER
from convo_gateway.shapes.catalog import CatalogEntry
from convo_gateway.shapes.catalog_files import FileChange, FileCheck, ImportedFiles

__all__ = ["Change", "apply"]

_LINES = "application/x-ndjson"
_MOST_BYTES = 18_000_000
"""Most that is sent at once; the gateway takes a little more."""
Action = Literal["created", "changed", "unchanged", "kept"]
_ACTIONS: dict[str, Action] = {"create": "created", "update": "changed", "unchanged": "unchanged"}


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one object."""

    kind: str
    name: str
    action: Action
    """``kept``: it differs and was not to be replaced."""
    version: int
    """Version in the catalog afterwards."""


async def apply(
    api: Gateway, objects: Iterable[Named], *, replace: bool = True, dry_run: bool = False
) -> list[Change]:
    """Every object with what became of it, in the order of writing: an object comes after what it names.

    All or nothing, up to some megabytes; more than that is written in parts, each all or nothing.

    Args:
        api: the gateway.
        objects: what to write.
        replace: make a new version of what differs; else leave it.
        dry_run: only look.

    Raises:
        CommandError: a run config names what is nowhere, or the gateway refuses an object.
    """
    ordered = sorted(objects, key=lambda item: WRITE_ORDER.index(kind_of(item)))
    await _see_that_names_lead_somewhere(api, ordered)
    changes: list[Change] = []
    for part in _parts(ordered):
        try:
            changes += await _apply_part(api, part, replace=replace, dry_run=dry_run)
        except CommandError as error:
            if any(change.action in {"created", "changed"} for change in changes) and not dry_run:
                error.advice = "What stands before it is written; apply again when it is mended."
            raise
    return changes


async def _apply_part(
    api: Gateway, part: dict[tuple[str, str], bytes], *, replace: bool, dry_run: bool
) -> list[Change]:
    """What became of some objects, given as lines of JSON by kind and name."""
    kept: list[Change] = []
    if dry_run or not replace:
        looked = read_as(
            FileCheck, await api.send("catalog/check", _joined(part), _LINES, names="false")
        )
        if looked.problems:
            problems = [Problem(p.message, p.pointer) for p in looked.problems]
            raise CommandError("The gateway refuses this.", Exit.USAGE, problems=problems)
        if not replace:
            kept = [_kept(change) for change in looked.changes if change.action == "update"]
        missing = [change for change in looked.changes if replace or change.action != "update"]
        if dry_run or not any(change.action == "create" for change in missing):
            return [*kept, *map(_change, missing)]
        part = {(change.kind, change.name): part[change.kind, change.name] for change in missing}
    done = read_as(ImportedFiles, await api.send("catalog/import", _joined(part), _LINES))
    return [*kept, *map(_change, done.changes)]


def _parts(ordered: Iterable[Named]) -> Iterator[dict[tuple[str, str], bytes]]:
    """The objects as lines of JSON by kind and name, as many at once as may be sent."""
    part: dict[tuple[str, str], bytes] = {}
    size = 0
    for item in ordered:
        kind = kind_of(item)
        line = dumps({"kind": SINGULAR[kind], **item.model_dump(mode="json")})
        if part and size + len(line) > _MOST_BYTES:
            yield part
            part, size = {}, 0
        part[kind, item.name] = line
        size += len(line) + 1
    if part:
        yield part


def _joined(part: dict[tuple[str, str], bytes]) -> bytes:
    return b"\n".join(part.values())


def _change(change: FileChange) -> Change:
    return Change(change.kind, change.name, _ACTIONS[change.action], change.version)


def _kept(change: FileChange) -> Change:
    return Change(change.kind, change.name, "kept", change.version - 1)


async def _see_that_names_lead_somewhere(api: Gateway, objects: list[Named]) -> None:
    """Refuse run configs that name what is neither among the objects nor in the catalog.

    Raises:
        CommandError: with every such name.
    """
    here = {(kind_of(item), item.name) for item in objects}
    named = [
        (item, place)
        for item in objects
        if isinstance(item, RunConfig)
        for place in named_places(item)
        if (place.kind, place.name) not in here
    ]
    asked = {(place.kind, place.name) for _, place in named}
    nowhere = {(kind, name) for kind, name in asked if not await _exists(api, kind, name)}
    missing = [
        Problem(
            f'run config {config.name}: there is no {SINGULAR[place.kind]} "{place.name}" in the folder or in the '
            "catalog",
            place.pointer,
        )
        for config, place in named
        if (place.kind, place.name) in nowhere
    ]
    if missing:
        one = len(missing) == 1
        raise CommandError(
            f"{'A name leads' if one else f'{len(missing)} names lead'} nowhere; nothing was written.",
            Exit.USAGE,
            problems=missing,
            advice="Add it to the folder, or name another." if one else "Add them, or name others.",
        )


async def _exists(api: Gateway, kind: str, name: str) -> bool:
    try:
        read_as(CatalogEntry, await api.get(f"{kind}/{name}"))
    except CommandError as error:
        if error.code is Exit.NOT_FOUND:
            return False
        raise
    return True
