"""`convo catalog`: versions compared and restored, who names an object, and the archive."""

import difflib
from typing import Annotated

import typer

from convo_gateway.catalog.documents import SINGULAR
from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.kinds import KindArgument, kind_named
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import number, print_document, print_table, print_text
from convo_gateway.shapes.catalog import CatalogEntry
from convo_gateway.shapes.catalog_history import ArchiveState, Comparison, Uses
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["archive", "compare", "restore", "unarchive", "uses"]

NameArgument = Annotated[str, typer.Argument(metavar="NAME")]


def compare(
    kind: KindArgument,
    name: NameArgument,
    older: Annotated[int, typer.Option("--from", min=1, help="A version.")],
    newer: Annotated[
        int | None, typer.Option("--to", min=1, help="Another version. [default: the latest]")
    ] = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show how two versions of an object differ, as lines of their YAML."""
    path, asked = f"{kind_named(kind)}/{name}/compare", {"from": older, "to": newer}
    document = with_gateway(gateway, home, lambda api: api.get(path, **asked))
    if as_json:
        print_document(document)
        return
    found = read_as(Comparison, document)
    lines = difflib.unified_diff(
        found.before_yaml.splitlines(),
        found.after_yaml.splitlines(),
        f"version {found.from_version}",
        f"version {found.to_version}",
        lineterm="",
    )
    print_text("\n".join(lines) or "no difference")


def restore(
    kind: KindArgument,
    name: NameArgument,
    version: Annotated[int, typer.Option("--version", min=1, help="Version to write again.")],
    note: Annotated[str, typer.Option("--note", help="Why, for people.")] = "",
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Write an older version again, as the newest one."""
    wanted = kind_named(kind)

    async def work(api: Gateway) -> Document:
        now = read_as(CatalogEntry, await api.get(f"{wanted}/{name}"))
        body: Document = {"version": version, "note": note}
        return await api.post(f"{wanted}/{name}/restore", body, match=f'"v{now.version}"')

    document = with_gateway(gateway, home, work)
    if as_json:
        print_document(document)
        return
    done = read_as(CatalogEntry, document)
    if document.get("changed"):
        print_text(f"version {version} restored as version {done.version}")
    else:
        print_text(f"version {done.version} has that content already; nothing was written")


def uses(
    kind: KindArgument,
    name: NameArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show who names an object, and how many runs froze it."""
    path = f"{kind_named(kind)}/{name}/uses"
    document = with_gateway(gateway, home, lambda api: api.get(path))
    if as_json:
        print_document(document)
        return
    _show_uses(read_as(Uses, document))


def archive(
    kind: KindArgument,
    name: NameArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Hide an object from lists. What names it goes on working, and no version is deleted."""
    _set_archived(kind, name, "archive", gateway, home, as_json)


def unarchive(
    kind: KindArgument,
    name: NameArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show an archived object again."""
    _set_archived(kind, name, "unarchive", gateway, home, as_json)


def _set_archived(
    kind: str, name: str, action: str, gateway: GatewayOption, home: HomeOption, as_json: bool
) -> None:
    wanted = kind_named(kind)
    document = with_gateway(gateway, home, lambda api: api.post(f"{wanted}/{name}/{action}", {}))
    if as_json:
        print_document(document)
        return
    state = read_as(ArchiveState, document)
    done = "archived" if state.archived else "not archived"
    print_text(f"{SINGULAR[wanted]} {name} is {done}{'' if state.changed else ' already'}")
    if state.archived and state.uses.items:
        print_text("It is still named by:")
        _show_uses(state.uses)


def _show_uses(found: Uses) -> None:
    rows = [[SINGULAR[use.kind], use.name, str(use.version), use.pointer] for use in found.items]
    if rows:
        print_table(("Kind", "Name", "Version", "Where"), rows, numbers=("Version",))
    else:
        print_text("named by nothing")
    if found.runs is None:
        print_text("runs: not known")
    else:
        print_text(f"runs: {number(found.runs)}, of them {number(found.unfinished_runs)} not ended")
