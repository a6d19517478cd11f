"""`convo catalog`: files to the catalog and back, and what it holds."""

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from convo_events.catalog import KINDS
from convo_gateway.catalog.documents import SINGULAR, Named, read_folder, write
from convo_gateway.catalog.file_schemas import ANY, file_schema
from convo_gateway.cli.apply import Change, apply
from convo_gateway.cli.catalog_export import export_catalog
from convo_gateway.cli.catalog_history import archive, compare, restore, unarchive, uses
from convo_gateway.cli.catalog_tables import import_table
from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.folders import new_folder
from convo_gateway.cli.kinds import KindArgument, kind_named
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import print_document, print_table, print_text, say
from convo_gateway.shapes.catalog import CatalogEntry, CatalogPage
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["app"]

app = typer.Typer(
    help="Write files to the catalog and back, and look into it.", no_args_is_help=True
)
FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of YAML files.")]
NewFolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder.")]
PAGE = 1_000
"""Objects listed at once."""


@app.command("apply")
def apply_folder(
    folder: FolderArgument,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
    ] = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Write every object of a folder to the catalog; what differs becomes a new version.

    All files are checked first: a problem anywhere is shown with file, line and column, and nothing is written.
    """
    objects = read_folder(folder)
    changes = with_gateway(gateway, home, lambda api: apply(api, objects, dry_run=dry_run))
    if as_json:
        print_document({"dry_run": dry_run, "changes": [_document(change) for change in changes]})
        return
    rows = [
        [change.action, SINGULAR[change.kind], change.name, str(change.version)]
        for change in changes
        if change.action != "unchanged"
    ]
    if rows:
        print_table(("Action", "Kind", "Name", "Version"), rows, numbers=("Version",))
    print_text(
        f"{len(rows)} {'to write' if dry_run else 'written'}, {len(changes) - len(rows)} unchanged"
    )
    if dry_run:
        say("Nothing was written (--dry-run).")


@app.command("list")
def list_kind(
    kind: KindArgument,
    archived: Annotated[
        bool, typer.Option("--archived", help="The archived ones instead.")
    ] = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """List the objects of a kind, by name."""
    wanted = kind_named(kind)
    entries = with_gateway(gateway, home, lambda api: _entries(api, wanted, archived=archived))
    if as_json:
        print_document({"items": [entry.model_dump(mode="json") for entry in entries]})
        return
    print_table(
        ("Name", "Version", "Since"),
        [[e.name, str(e.version), f"{e.created_at:%Y-%m-%d %H:%M %Z}"] for e in entries],
        numbers=("Version",),
    )


@app.command("show")
def show_object(
    kind: KindArgument,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="This version. [default: the latest]")
    ] = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Print an object as the YAML that made it."""
    wanted = kind_named(kind)
    document = with_gateway(gateway, home, lambda api: api.get(f"{wanted}/{name}", version=version))
    if as_json:
        print_document(document)
        return
    stored = read_as(CatalogEntry, document)
    print_text(f"# version {stored.version}")
    print_text(write(_object(wanted, stored)).rstrip("\n"))


@app.command("schema")
def schema(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help=f"One of {', '.join(KINDS)}; or any.")
    ] = ANY,
) -> None:
    """Print the JSON Schema of files of a kind, for editors.

    A YAML file names its schema in its first line: # yaml-language-server: $schema=persona.schema.json
    """
    print_document(dict(file_schema(kind if kind == ANY else kind_named(kind))))


@app.command("init")
def init(folder: NewFolderArgument) -> None:
    """Write the starter catalog into a new folder, to change it and apply it."""
    with (
        as_file(files("convo_gateway") / "starter") as starter,
        new_folder(folder) as scratch,
    ):
        for file in sorted(starter.glob("*.yaml")):
            (scratch / file.name).write_bytes(file.read_bytes())
    print_text(f"{folder}: change it, then: convo catalog apply {folder}")


app.command("export")(export_catalog)
app.command("import")(import_table)
app.command("compare")(compare)
app.command("restore")(restore)
app.command("uses")(uses)
app.command("archive")(archive)
app.command("unarchive")(unarchive)


async def _entries(api: Gateway, kind: str, *, archived: bool) -> list[CatalogEntry]:
    """The latest version of every object of a kind, by name."""
    asked = "true" if archived else "false"
    found: list[CatalogEntry] = []
    cursor = None
    while True:
        page = read_as(CatalogPage, await api.get(kind, limit=PAGE, archived=asked, cursor=cursor))
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return sorted(found, key=lambda entry: entry.name)


def _object(kind: str, stored: CatalogEntry) -> Named:
    item = KINDS[kind].model_validate(stored.body)
    assert isinstance(item, Named)
    return item


def _document(change: Change) -> Document:
    return {
        "kind": change.kind,
        "name": change.name,
        "action": change.action,
        "version": change.version,
    }
