"""Objects of files written into the catalog: new ones added, what differs as a new version, the rest left."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from convo_events.catalog import RunConfig
from convo_events.errors import Problem
from convo_gateway.catalog.documents import SINGULAR, Named, kind_of
from convo_gateway.catalog.freeze import references
from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.kinds import WRITE_ORDER
from convo_gateway.shapes.catalog import CatalogEntry

__all__ = ["Change", "apply"]


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one object."""

    kind: str
    name: str
    action: Literal["created", "changed", "unchanged", "kept"]
    """``kept``: it differs and was not to be replaced."""
    version: int | None
    """Version in the catalog afterwards; None where a new one was only looked at."""


async def apply(
    api: Gateway, objects: Iterable[Named], *, replace: bool = True, dry_run: bool = False
) -> list[Change]:
    """Every object with what became of it, in the order of writing: an object comes after what it names.

    Args:
        api: the gateway.
        objects: what to write.
        replace: make a new version of what differs; else leave it.
        dry_run: only look.

    Raises:
        CommandError: a run config names what is nowhere, and nothing is written; or the gateway refuses an object, and
            the ones before it are written.
    """
    objects = list(objects)
    if missing := await _missing(api, objects):
        one = len(missing) == 1
        raise CommandError(
            f"{'A name leads' if one else f'{len(missing)} names lead'} nowhere; nothing was written.",
            Exit.USAGE,
            problems=missing,
            advice="Add it to the folder, or name another." if one else "Add them, or name others.",
        )
    ordered = sorted(objects, key=lambda item: WRITE_ORDER.index(kind_of(item)))
    changes: list[Change] = []
    for item in ordered:
        try:
            changes.append(await _apply_one(api, item, replace=replace, dry_run=dry_run))
        except CommandError as error:
            error.message = f"{SINGULAR[kind_of(item)]} {item.name}: {error.message}"
            if any(change.action in {"created", "changed"} for change in changes) and not dry_run:
                error.advice = "What stands before it is written; apply again when it is mended."
            raise
    return changes


async def _missing(api: Gateway, objects: list[Named]) -> list[Problem]:
    """What run configs name that is neither among the objects nor in the catalog."""
    here = {(kind_of(item), item.name) for item in objects}
    return [
        Problem(
            f'run config {config.name}: there is no {SINGULAR[kind]} "{name}" in the folder or in the catalog'
        )
        for config in objects
        if isinstance(config, RunConfig)
        for kind, name in sorted(references(config) - here)
        if await _find(api, kind, name) is None
    ]


async def _find(api: Gateway, kind: str, name: str) -> CatalogEntry | None:
    """The latest version of an object; None where there is none of that name.

    Raises:
        CommandError: the gateway cannot be asked.
    """
    try:
        return read_as(CatalogEntry, await api.get(f"{kind}/{name}"))
    except CommandError as error:
        if error.code is Exit.NOT_FOUND:
            return None
        raise


async def _apply_one(api: Gateway, item: Named, *, replace: bool, dry_run: bool) -> Change:
    kind = kind_of(item)
    before = await _find(api, kind, item.name)
    if before is not None and type(item).model_validate(before.body) == item:
        return Change(kind, item.name, "unchanged", before.version)
    if before is not None and not replace:
        return Change(kind, item.name, "kept", before.version)
    action: Literal["created", "changed"] = "created" if before is None else "changed"
    if dry_run:
        return Change(kind, item.name, action, None)
    body: Document = item.model_dump(mode="json")
    written = await _write(api, kind, item.name, body, before)
    return Change(kind, item.name, action, read_as(CatalogEntry, written).version)


async def _write(
    api: Gateway, kind: str, name: str, body: Document, before: CatalogEntry | None
) -> Document:
    if before is None:
        return await api.post(kind, body)
    return await api.put(f"{kind}/{name}", body, match=f'"v{before.version}"')
